package io.counterpart.lab.experiment;

import static io.counterpart.lab.experiment.EchashExperiments.CCMEMCACHED;
import static io.counterpart.lab.experiment.EchashExperiments.CODE_5_3;
import static io.counterpart.lab.experiment.EchashExperiments.CODE_8_6;
import static io.counterpart.lab.experiment.EchashExperiments.ECHASH;
import static io.counterpart.lab.experiment.EchashExperiments.KIB;
import static io.counterpart.lab.experiment.EchashExperiments.shape;

import io.counterpart.cache.coding.CodeShape;
import io.counterpart.lab.plan.Aim;
import io.counterpart.lab.plan.BlockMeasure;
import io.counterpart.lab.plan.Bound;
import io.counterpart.lab.tier.RepairStage;
import io.counterpart.lab.tier.ScalingStage;
import io.counterpart.lab.tier.TierExperiment;
import io.counterpart.lab.tier.TierStage;
import io.counterpart.lab.tier.arm.TierArm;
import io.counterpart.lab.tier.network.TierNetwork;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The paper's experiments on scaling and repair. Paper: ECHash §5.3, §5.4. */
final class EchashChanges {
  private static final int MIGRATED_BYTES = 64;
  private static final int REPAIRED_BYTES = 256;

  /** Codes that bear two lost chunks. */
  private static final List<CodeShape> TWO_PARITIES =
      List.of(CODE_5_3, new CodeShape(6, 4), new CodeShape(7, 5), CODE_8_6);

  /** A gigabit a second. */
  private static final TierNetwork CLOUD = new TierNetwork(Duration.ofNanos(100_000), 125_000_000);

  private EchashChanges() {}

  /** Scaling throughput. */
  static TierExperiment scaling(LabScale scale) {
    EchashScale size = EchashScale.of(scale);
    List<TierStage> stages = new ArrayList<>();
    TWO_PARITIES.forEach(code -> stages.add(scaling(size, code, 1, TierNetwork.DIRECT)));
    stages.add(scaling(size, new CodeShape(7, 6), 1, TierNetwork.DIRECT));
    stages.add(scaling(size, new CodeShape(9, 6), 1, TierNetwork.DIRECT));
    stages.add(scaling(size, CODE_5_3, 3, TierNetwork.DIRECT));
    stages.add(scaling(size, CODE_5_3, 5, TierNetwork.DIRECT));
    String small = name(CODE_5_3, 1) + "_" + MIGRATED_BYTES;
    stages.add(
        new ScalingStage(
            small,
            shape(size, CODE_5_3, MIGRATED_BYTES),
            List.of(TierArm.ECHASH),
            1,
            false,
            size.changes()));
    List<Aim> aims = new ArrayList<>(scalingAims("ec.", 8.3, "8.3", 3, "1.67"));
    aims.add(
        new Aim.Median(
            "ec.migrated_per_second",
            List.of(ScalingStage.out(small)),
            BlockMeasure.THROUGHPUT,
            ECHASH,
            Bound.atLeast(150_000),
            "5000-7000"));
    return new TierExperiment(
        "echash-exp2",
        "ECHash §5.3, Experiment 2, Figures 12(a) to 12(d)",
        "Adding and removing servers of the memory tier",
        stages,
        aims);
  }

  /** Degraded reads during scaling. */
  static TierExperiment degradedReads(LabScale scale) {
    EchashScale size = EchashScale.of(scale);
    List<TierStage> stages = new ArrayList<>();
    List<TierArm> arms = new ArrayList<>(EchashExperiments.migrating());
    arms.add(TierArm.CCMEMCACHED_DATABASE);
    for (int added = 1; added <= CODE_5_3.n(); added++) {
      stages.add(degraded(size, CODE_5_3, added, TierNetwork.DIRECT, arms));
    }
    TWO_PARITIES.stream()
        .filter(code -> !code.equals(CODE_5_3))
        .forEach(code -> stages.add(degraded(size, code, 1, TierNetwork.DIRECT, arms)));
    List<Aim> aims = new ArrayList<>(degradedAims("ec.", 0.19, "0.19"));
    aims.add(
        new Aim.Ratio(
            "ec.degraded_5_3_5_db",
            List.of(ScalingStage.out(degradedName(CODE_5_3, CODE_5_3.n()))),
            BlockMeasure.DEGRADED_MICROS,
            TierArm.ECHASH_PAPER.name(),
            TierArm.CCMEMCACHED_DATABASE.name(),
            Bound.atMost(0.1),
            "0.19"));
    return new TierExperiment(
        "echash-exp3",
        "ECHash §5.3, Experiment 3, Figures 12(e) and 12(f)",
        "Degraded reads while servers are added",
        stages,
        aims);
  }

  /** Repair of a server. */
  static TierExperiment repair(LabScale scale) {
    EchashScale size = EchashScale.of(scale);
    List<TierStage> stages = new ArrayList<>();
    TWO_PARITIES.forEach(code -> stages.add(repair(size, code, TierNetwork.DIRECT)));
    String small = codeName(CODE_8_6) + "_" + REPAIRED_BYTES;
    stages.add(
        new RepairStage(
            small,
            shape(size, CODE_8_6, REPAIRED_BYTES),
            EchashExperiments.repairing(),
            size.changes()));
    List<Aim> aims = new ArrayList<>(repairAims("ec."));
    aims.add(
        new Aim.Ratio(
            "ec.fragment_vs_chunk_k6_" + REPAIRED_BYTES,
            List.of(RepairStage.phase(small)),
            BlockMeasure.BYTE_THROUGHPUT,
            ECHASH,
            TierArm.ECHASH_CHUNK_EACH.name(),
            Bound.atLeast(15),
            "16.5"));
    return new TierExperiment(
        "echash-exp4",
        "ECHash §5.3, Experiment 4, Figure 12(g)",
        "Repair of a server: chunks, fragments, fragments with parity read once",
        stages,
        aims);
  }

  /** The same behind a slower network. */
  static TierExperiment cloud(LabScale scale) {
    EchashScale size = EchashScale.of(scale);
    List<Aim> aims = new ArrayList<>(scalingAims("ec.cloud_", 5.2, "5.2", 1.53, "1.53"));
    aims.addAll(degradedAims("ec.cloud_", 0.11, "0.11"));
    aims.addAll(repairAims("ec.cloud_"));
    return new TierExperiment(
        "echash-exp5",
        "ECHash §5.4, Experiment 5, Figure 13",
        "Scaling, degraded reads and repair with a round trip of 100 µs and a gigabit a second",
        List.of(
            scaling(size, CODE_5_3, 1, CLOUD),
            scaling(size, CODE_8_6, 1, CLOUD),
            degraded(size, CODE_5_3, CODE_5_3.n(), CLOUD, EchashExperiments.migrating()),
            repair(size, CODE_8_6, CLOUD)),
        aims);
  }

  private static TierStage scaling(
      EchashScale size, CodeShape code, int added, TierNetwork network) {
    return new ScalingStage(
        name(code, added),
        shape(size, code, KIB).over(network),
        List.of(TierArm.CCMEMCACHED, TierArm.ECHASH),
        added,
        false,
        size.changes());
  }

  private static TierStage degraded(
      EchashScale size, CodeShape code, int added, TierNetwork network, List<TierArm> arms) {
    return new ScalingStage(
        degradedName(code, added),
        shape(size, code, KIB).over(network),
        arms,
        added,
        true,
        size.changes());
  }

  private static TierStage repair(EchashScale size, CodeShape code, TierNetwork network) {
    return new RepairStage(
        codeName(code),
        shape(size, code, KIB).over(network),
        EchashExperiments.repairing(),
        size.changes());
  }

  private static List<Aim> scalingAims(
      String prefix, double out, String paperOut, double in, String paperIn) {
    List<String> added = List.of(ScalingStage.out(name(CODE_8_6, 1)));
    List<String> removed = List.of(ScalingStage.in(name(CODE_8_6, 1)));
    return List.of(
        ratio(
            prefix + "scaleout_8_6",
            added,
            BlockMeasure.BYTE_THROUGHPUT,
            Bound.atLeast(out),
            paperOut),
        ratio(
            prefix + "scalein_8_6",
            removed,
            BlockMeasure.BYTE_THROUGHPUT,
            Bound.atLeast(in),
            paperIn),
        ratio(
            prefix + "scaleout_bytes_8_6", added, BlockMeasure.TRAFFIC, Bound.atMost(0.2), "0.14"),
        ratio(prefix + "scalein_bytes_8_6", removed, BlockMeasure.TRAFFIC, Bound.atMost(1), ""));
  }

  private static List<Aim> degradedAims(String prefix, double most, String paper) {
    List<String> phases = List.of(ScalingStage.out(degradedName(CODE_5_3, CODE_5_3.n())));
    return List.of(
        new Aim.Ratio(
            prefix + "degraded_5_3_5_paper",
            phases,
            BlockMeasure.DEGRADED_MICROS,
            TierArm.ECHASH_PAPER.name(),
            TierArm.CCMEMCACHED_PAPER.name(),
            Bound.atMost(most),
            paper),
        // without those that went to the database
        new Aim.Ratio(
            prefix + "degraded_5_3_5_decoded",
            phases,
            BlockMeasure.DECODED_MICROS,
            TierArm.ECHASH_PAPER.name(),
            TierArm.CCMEMCACHED_PAPER.name(),
            Bound.atMost(1),
            ""),
        new Aim.Median(
            prefix + "degraded_reads_live",
            phases,
            BlockMeasure.DEGRADED_READS,
            ECHASH,
            Bound.atMost(0),
            ""));
  }

  private static List<Aim> repairAims(String prefix) {
    List<String> phases = List.of(RepairStage.phase(codeName(CODE_8_6)));
    return List.of(
        new Aim.Ratio(
            prefix + "fragment_vs_chunk_k6",
            phases,
            BlockMeasure.BYTE_THROUGHPUT,
            ECHASH,
            TierArm.ECHASH_CHUNK.name(),
            Bound.atLeast(1),
            ""),
        new Aim.Ratio(
            prefix + "repair_vs_cc",
            phases,
            BlockMeasure.BYTE_THROUGHPUT,
            ECHASH,
            CCMEMCACHED,
            Bound.atLeast(0.95),
            "0.92-0.95"));
  }

  private static Aim ratio(
      String id, List<String> phases, BlockMeasure measure, Bound asked, String paper) {
    return new Aim.Ratio(id, phases, measure, ECHASH, CCMEMCACHED, asked, paper);
  }

  private static String codeName(CodeShape code) {
    return "%d_%d".formatted(code.n(), code.k());
  }

  private static String name(CodeShape code, int added) {
    return "%s_%d".formatted(codeName(code), added);
  }

  private static String degradedName(CodeShape code, int added) {
    return name(code, added) + "_read";
  }
}
