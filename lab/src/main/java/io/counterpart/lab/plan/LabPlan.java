package io.counterpart.lab.plan;

import io.counterpart.lab.workload.ClientShape;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The repeatable plan of a run.
 *
 * @param experiment stages, arms and figures
 * @param scale name of its scale, for the result
 * @param seed repeats keys, values and their order
 * @param client shape of pairs and load
 * @param settings of cassandra.yaml, beside the lab's own or instead of them
 * @param origin the options that the experiment was made from, kept in the result's configuration;
 *     empty if name and scale define it
 */
public record LabPlan(
    Experiment experiment,
    String scale,
    long seed,
    ClientShape client,
    Map<String, Object> settings,
    Map<String, Object> origin) {
  /** Keeps the settings' order. */
  public LabPlan {
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    origin = Collections.unmodifiableMap(new LinkedHashMap<>(origin));
  }

  /** The same with another experiment. */
  public LabPlan with(Experiment other) {
    return new LabPlan(other, scale, seed, client, settings, origin);
  }

  /** A named experiment with the paper's client. */
  public static LabPlan of(Experiment experiment, String scale, long seed) {
    return new LabPlan(experiment, scale, seed, ClientShape.PAPER, Map.of(), Map.of());
  }
}
