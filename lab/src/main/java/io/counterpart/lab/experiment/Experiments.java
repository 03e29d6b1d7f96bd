package io.counterpart.lab.experiment;

import io.counterpart.lab.plan.Experiment;
import io.counterpart.lab.staleness.StalenessExperiment;
import io.counterpart.lab.tier.TierExperiment;
import io.counterpart.lab.workload.ClientShape;
import io.counterpart.lab.workload.value.ValueKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** The experiments that the lab knows, by name. */
public final class Experiments {
  private static final Map<String, Function<LabScale, Experiment>> OF_CLUSTERS = ofClusters();
  private static final Map<String, Function<LabScale, StalenessExperiment>> OF_STALE_READS =
      ofStaleReads();
  private static final Map<String, Function<LabScale, TierExperiment>> OF_TIERS = ofTiers();

  private Experiments() {}

  /** One line of a list. */
  public record Listing(String name, String title, String paper) {}

  /** Names of all kinds, in the papers' order. */
  public static List<String> names() {
    return Stream.of(OF_CLUSTERS, OF_STALE_READS, OF_TIERS)
        .flatMap(kind -> kind.keySet().stream())
        .toList();
  }

  /** What there is, of all kinds. */
  public static List<Listing> list() {
    List<Listing> all = new ArrayList<>();
    OF_CLUSTERS.forEach(
        (name, made) -> {
          Experiment experiment = made.apply(LabScale.SMOKE);
          all.add(new Listing(name, experiment.title(), experiment.paper()));
        });
    OF_STALE_READS.forEach(
        (name, made) -> {
          StalenessExperiment experiment = made.apply(LabScale.SMOKE);
          all.add(new Listing(name, experiment.title(), experiment.paper()));
        });
    OF_TIERS.forEach(
        (name, made) -> {
          TierExperiment experiment = made.apply(LabScale.SMOKE);
          all.add(new Listing(name, experiment.title(), experiment.paper()));
        });
    return List.copyOf(all);
  }

  /**
   * An experiment on a cluster, at a scale.
   *
   * @throws IllegalArgumentException naming the legal ones
   */
  public static Experiment named(String name, LabScale scale) {
    Function<LabScale, Experiment> found = OF_CLUSTERS.get(name);
    if (found == null) {
      throw new IllegalArgumentException(
          "experiment '%s': must be one of %s".formatted(name, String.join(", ", names())));
    }
    return found.apply(scale);
  }

  /** The content of values that an experiment on a cluster is meant for. */
  public static ValueKind valuesOf(String name) {
    // random bytes do not compress, so that no format would differ from another
    return name.equals(FormatsExperiment.NAME) ? ValueKind.JSON : ValueKind.RANDOM;
  }

  /** Settings of cassandra.yaml that an experiment on a cluster needs beside the lab's own. */
  public static Map<String, Object> settingsOf(String name) {
    return switch (name) {
      case CrsExperiments.LATENCY, CrsExperiments.THROUGHPUT -> CrsExperiments.SETTINGS;
      case EngineExperiments.READS -> EngineExperiments.READ_SETTINGS;
      default -> Map.of();
    };
  }

  /** Operations under way at once of the client that an experiment on a cluster is meant for. */
  public static int threadsOf(String name) {
    return name.equals(HeterogeneousExperiment.NAME)
        ? HeterogeneousExperiment.THREADS
        : ClientShape.PAPER.threads();
  }

  /** An experiment of the memory tier, at a scale; empty if the name is of none. */
  public static Optional<TierExperiment> ofTier(String name, LabScale scale) {
    return Optional.ofNullable(OF_TIERS.get(name)).map(made -> made.apply(scale));
  }

  /** An experiment on stale reads, at a scale; empty if the name is of none. */
  public static Optional<StalenessExperiment> ofStaleReads(String name, LabScale scale) {
    return Optional.ofNullable(OF_STALE_READS.get(name)).map(made -> made.apply(scale));
  }

  private static Map<String, Function<LabScale, StalenessExperiment>> ofStaleReads() {
    Map<String, Function<LabScale, StalenessExperiment>> all = new LinkedHashMap<>();
    all.put("crs-fig5", StaleReadExperiments::rates);
    all.put("crs-fig6", StaleReadExperiments::bounds);
    all.put("crs-overhead", StaleReadExperiments::overhead);
    return all;
  }

  private static Map<String, Function<LabScale, TierExperiment>> ofTiers() {
    Map<String, Function<LabScale, TierExperiment>> all = new LinkedHashMap<>();
    all.put("echash-exp1", EchashExperiments::requests);
    all.put("echash-exp2", EchashChanges::scaling);
    all.put("echash-exp3", EchashChanges::degradedReads);
    all.put("echash-exp4", EchashChanges::repair);
    all.put("echash-exp5", EchashChanges::cloud);
    all.put("echash-metadata", EchashExperiments::metadata);
    all.put("echash-restart", EchashExperiments::restart);
    all.put("echash-shards", EchashShards::shards);
    all.put("echash-coding", EchashExperiments::coding);
    return all;
  }

  private static Map<String, Function<LabScale, Experiment>> ofClusters() {
    Map<String, Function<LabScale, Experiment>> all = new LinkedHashMap<>();
    all.put("depart-motivation", MotivationExperiment::motivation);
    all.put("depart-exp1", OperationExperiments::operations);
    all.put("depart-exp2", OperationExperiments::consistency);
    all.put("depart-exp3", ShapeExperiments::replication);
    all.put("depart-exp4", OperationExperiments::ycsb);
    all.put("depart-exp5", BreakdownExperiment::breakdown);
    all.put("depart-exp6", FailureExperiments::recovery);
    all.put("depart-exp7", FailureExperiments::nodeDown);
    all.put("depart-exp8", ShapeExperiments::ordering);
    all.put("depart-exp9", ShapeExperiments::growth);
    all.put("depart-exp10", ShapeExperiments::nodes);
    all.put(FormatsExperiment.NAME, FormatsExperiment::formats);
    all.put(CrsExperiments.LATENCY, CrsExperiments::latency);
    all.put(CrsExperiments.THROUGHPUT, CrsExperiments::throughput);
    all.put(EngineExperiments.WORKLOADS, EngineExperiments::workloads);
    all.put(EngineExperiments.READS, EngineExperiments::reads);
    all.put(RankExperiment.NAME, RankExperiment::reads);
    all.put(HeterogeneousExperiment.NAME, HeterogeneousExperiment::heterogeneous);
    return all;
  }
}
