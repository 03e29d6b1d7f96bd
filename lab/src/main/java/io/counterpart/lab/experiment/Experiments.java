package io.counterpart.lab.experiment;

import io.counterpart.lab.run.Experiment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The experiments that the lab knows, by name. */
public final class Experiments {
  private static final Map<String, Function<LabScale, Experiment>> ALL = all();

  private Experiments() {}

  /** Names, in the paper's order. */
  public static List<String> names() {
    return List.copyOf(ALL.keySet());
  }

  /**
   * An experiment at a scale.
   *
   * @throws IllegalArgumentException naming the legal ones
   */
  public static Experiment named(String name, LabScale scale) {
    Function<LabScale, Experiment> found = ALL.get(name);
    if (found == null) {
      throw new IllegalArgumentException(
          "experiment '%s': must be one of %s".formatted(name, String.join(", ", names())));
    }
    return found.apply(scale);
  }

  private static Map<String, Function<LabScale, Experiment>> all() {
    Map<String, Function<LabScale, Experiment>> all = new LinkedHashMap<>();
    all.put("depart-motivation", MotivationExperiment::motivation);
    all.put("depart-exp1", OperationExperiments::operations);
    all.put("depart-exp2", OperationExperiments::consistency);
    all.put("depart-exp3", ShapeExperiments::replication);
    all.put("depart-exp4", OperationExperiments::ycsb);
    all.put("depart-exp5", BreakdownExperiment::breakdown);
    all.put("depart-exp8", ShapeExperiments::ordering);
    all.put("depart-exp9", ShapeExperiments::growth);
    all.put("depart-exp10", ShapeExperiments::nodes);
    return all;
  }
}
