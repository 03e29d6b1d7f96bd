package io.counterpart.cli.lab;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.counterpart.lab.experiment.CustomExperiment;
import io.counterpart.lab.experiment.Experiments;
import io.counterpart.lab.experiment.LabScale;
import io.counterpart.lab.plan.Experiment;
import io.counterpart.lab.plan.LabPlan;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.tier.TierPlan;
import io.counterpart.lab.workload.ClientShape;
import io.counterpart.lab.workload.value.ValueKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Conversion of plans to a result's configuration and back. Stateless. */
final class KeptPlan {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final TypeReference<Map<String, Object>> MAP = new TypeReference<>() {};
  private static final String SETTINGS = "settings";

  private KeptPlan() {}

  /** The plan of a named experiment. */
  static LabPlan of(
      Experiment experiment,
      String scale,
      long seed,
      ClientShape client,
      Map<String, Object> settings) {
    return new LabPlan(experiment, scale, seed, client, settings, Map.of(SETTINGS, settings));
  }

  /** The plan of an experiment that its user put together. */
  static LabPlan of(
      CustomExperiment custom, long seed, ClientShape client, Map<String, Object> settings) {
    return new LabPlan(
        custom.experiment(),
        CustomExperiment.NAME,
        seed,
        client,
        settings,
        Map.of(SETTINGS, settings, CustomExperiment.NAME, JSON.convertValue(custom, MAP)));
  }

  /**
   * The plan that a result of the memory tier was made by; empty if it is of none.
   *
   * @throws IllegalArgumentException saying what is missing or unknown
   */
  static Optional<TierPlan> ofTier(LabResult result) {
    if (Experiments.ofTier(result.experiment(), LabScale.SMOKE).isEmpty()) {
      return Optional.empty();
    }
    long seed = seed(result.config());
    return Experiments.ofTier(result.experiment(), LabScale.named(result.scale()))
        .map(whole -> arms(result.config()).map(whole::withArms).orElse(whole))
        .map(chosen -> new TierPlan(chosen, result.scale(), seed));
  }

  /**
   * The plan that a result was made by.
   *
   * @throws IllegalArgumentException saying what is missing or unknown
   */
  static LabPlan of(LabResult result) {
    Map<String, Object> config = result.config();
    long seed = seed(config);
    Map<String, Object> settings =
        config.get(SETTINGS) == null ? Map.of() : JSON.convertValue(config.get(SETTINGS), MAP);
    ClientShape client = client(config);
    if (result.experiment().equals(CustomExperiment.NAME)) {
      Object kept = config.get(CustomExperiment.NAME);
      if (kept == null) {
        throw new IllegalArgumentException("its config does not say what was put together");
      }
      return of(JSON.convertValue(kept, CustomExperiment.class), seed, client, settings);
    }
    Experiment whole = Experiments.named(result.experiment(), LabScale.named(result.scale()));
    Experiment chosen = arms(config).map(whole::withArms).orElse(whole);
    return of(chosen, result.scale(), seed, client, settings);
  }

  private static long seed(Map<String, Object> config) {
    if (config.get("seed") instanceof Number seed) {
      return seed.longValue();
    }
    throw new IllegalArgumentException("its config has no seed");
  }

  private static Optional<List<String>> arms(Map<String, Object> config) {
    return config.get("arms") instanceof List<?> arms
        ? Optional.of(arms.stream().map(String::valueOf).toList())
        : Optional.empty();
  }

  private static ClientShape client(Map<String, Object> config) {
    ClientShape paper = ClientShape.PAPER;
    return new ClientShape(
        number(config, "keyBytes", paper.keyBytes()).intValue(),
        number(config, "valueBytes", paper.valueBytes()).intValue(),
        number(config, "zipfianTheta", paper.zipfianTheta()).doubleValue(),
        number(config, "threads", paper.threads()).intValue(),
        number(config, "operationsPerSecond", paper.operationsPerSecond()).intValue(),
        config.get("valueKind") instanceof String kind ? ValueKind.of(kind) : ValueKind.RANDOM);
  }

  private static Number number(Map<String, Object> config, String name, Number fallback) {
    return config.get(name) instanceof Number number ? number : fallback;
  }
}
