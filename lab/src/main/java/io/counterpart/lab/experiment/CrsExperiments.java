package io.counterpart.lab.experiment;

import io.counterpart.cluster.layout.Placement;
import io.counterpart.lab.plan.Aim;
import io.counterpart.lab.plan.BlockMeasure;
import io.counterpart.lab.plan.Bound;
import io.counterpart.lab.plan.Disturbance;
import io.counterpart.lab.plan.Experiment;
import io.counterpart.lab.plan.ExperimentArm;
import io.counterpart.lab.plan.Repetition;
import io.counterpart.lab.plan.Routing;
import io.counterpart.lab.plan.Stage;
import io.counterpart.lab.plan.Step;
import io.counterpart.lab.setup.Arm;
import io.counterpart.lab.setup.LabCluster;
import io.counterpart.lab.setup.LabTable;
import io.counterpart.lab.workload.OperationMix;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Placement and selection of replicas together: the latency and the throughput of the CRS paper.
 *
 * <p>Tokens belong to a cluster, so random and ordered ones have a stage each. A pair of arms of
 * both has the same operations in the same order, but some minutes between its blocks. Decoupled
 * tables and those by replica rank have stages of their own: a second table would take the page
 * cache of the first one, which the table with random tokens has for itself.
 */
final class CrsExperiments {
  /** Name of the experiment on latency. */
  static final String LATENCY = "crs-fig3";

  /** Name of the experiment on throughput. */
  static final String THROUGHPUT = "crs-fig4";

  /**
   * The lab's usual four threads would let a few reads from a slow disk stop a whole coordinator,
   * and four others a whole replica, its cache too. Cassandra's default is 32 threads for reads.
   */
  static final Map<String, Object> SETTINGS =
      Map.of("native_transport_max_threads", 32, "concurrent_reads", 32);

  private static final String HEALTHY = "healthy_b";
  private static final String SLOW = "slow_";
  private static final String READ_HEAVY = "b";
  private static final List<String> WORKLOADS = List.of("c", "b", "a");

  // with warm caches healthy disks of 100 reads/s are busy for less than half of the time; at 600
  // those of shuffled reads were near saturation until then
  private static final int OPERATIONS_PER_SECOND = 400;
  private static final int LEAD_IN_SECONDS = 3;
  // filling a cache saturates the slow disk; rows go back to it within 8 s
  private static final int SLOW_LEAD_IN_SECONDS = 10;
  // two or three pauses
  private static final int BLOCK_SECONDS = 12;
  // with the random tokens, too, it keeps nearly the mean share of copies
  private static final int SLOW_NODE = 1;
  // a fifth of the others'
  private static final int SLOW_READS_PER_SECOND = 20;
  // reads that come during a pause stay below one in a hundred
  private static final Disturbance TROUBLE =
      new Disturbance(SLOW_NODE, SLOW_READS_PER_SECOND, 5_000, 150);

  // the least page cache of a node then holds two fifths of its copies
  private static final int SMALL_ROWS = 120_000;
  private static final int REPEATS = 3;
  // of the read-heavy phases, where figures come from: a block has four dozen reads above its p99
  private static final int AIMED_REPEATS = 6;

  /** Unmeasured blocks, each with a fill before it, of the first phase at saturation. */
  private static final int FILLING_BLOCKS = 4;

  private CrsExperiments() {}

  static Experiment latency(LabScale scale) {
    LabTable stock = stock();
    LabTable decoupled = decoupled(scale);
    ExperimentArm dynamic = new ExperimentArm(stock, Routing.DYNAMIC_01, Placement.RANDOM);
    ExperimentArm nearest = new ExperimentArm(stock, Routing.PRIMARY_FIRST, Placement.POR);
    List<ExperimentArm> random =
        List.of(new ExperimentArm(stock, Routing.DYNAMIC_10, Placement.RANDOM), dynamic);
    List<ExperimentArm> ordered =
        List.of(
            new ExperimentArm(stock, Routing.DYNAMIC_01, Placement.POR),
            nearest,
            new ExperimentArm(stock, Routing.PRIMARY_FIRST_CONSISTENT, Placement.POR));
    List<ExperimentArm> orderedDecoupled =
        List.of(
            new ExperimentArm(decoupled, Routing.DYNAMIC_01, Placement.POR),
            new ExperimentArm(decoupled, Routing.PRIMARY_FIRST, Placement.POR));
    List<Stage> stages = new ArrayList<>();
    stages.add(stage(scale, random, latencySteps(scale, WORKLOADS)));
    stages.add(stage(scale, ordered, latencySteps(scale, WORKLOADS)));
    // all workloads would take a quarter of an hour more
    List<Step> readHeavy = latencySteps(scale, List.of(READ_HEAVY));
    stages.add(stage(scale, orderedDecoupled, readHeavy));
    byRank(scale).forEach(arm -> stages.add(stage(scale, List.of(arm), readHeavy)));
    return new Experiment(
        LATENCY,
        "CRS §5.1, Figure 3",
        "p99 of reads at a rate below saturation, with and without a slow node and pauses",
        stages,
        List.of(
            new Aim.Ratio(
                "crs.p99_slow_node",
                List.of(SLOW + READ_HEAVY),
                BlockMeasure.READ_P99_MICROS,
                nearest.name(),
                dynamic.name(),
                Bound.atMost(0.5),
                "0.64"),
            new Aim.Ratio(
                "crs.p99_healthy",
                List.of(HEALTHY),
                BlockMeasure.READ_P99_MICROS,
                nearest.name(),
                dynamic.name(),
                Bound.atMost(1),
                ""),
            new Aim.Median(
                "crs.switches_per_minute",
                List.of(HEALTHY),
                BlockMeasure.SWITCHES_PER_MINUTE,
                nearest.name(),
                Bound.atMost(1),
                "oscillates")));
  }

  static Experiment throughput(LabScale scale) {
    LabTable stock = stock();
    ExperimentArm shuffled = new ExperimentArm(stock, Routing.DYNAMIC_10, Placement.RANDOM);
    ExperimentArm nearest = new ExperimentArm(stock, Routing.PRIMARY_FIRST, Placement.POR);
    ExperimentArm orderedShuffled = new ExperimentArm(stock, Routing.DYNAMIC_10, Placement.POR);
    ExperimentArm decoupled =
        new ExperimentArm(decoupled(scale), Routing.PRIMARY_FIRST, Placement.POR);
    return new Experiment(
        THROUGHPUT,
        "CRS §5.1, Figure 4",
        "Throughput at saturation where the disk is the limit",
        // arms read other replicas, so each fills other rows into the caches of its nodes
        Stream.concat(
                Stream.of(shuffled, orderedShuffled, nearest, decoupled), byRank(scale).stream())
            .map(arm -> stage(scale, List.of(arm), throughputSteps(scale)))
            .toList(),
        List.of(
            new Aim.Ratio(
                "crs.throughput_vs_random",
                WORKLOADS.stream().map(CrsExperiments::mix).map(OperationMix::name).toList(),
                BlockMeasure.THROUGHPUT,
                nearest.name(),
                shuffled.name(),
                Bound.atLeast(1.75),
                "1.75")));
  }

  private static List<Step> latencySteps(LabScale scale, List<String> workloads) {
    List<Step> steps = Plans.loaded(scale, rows(scale));
    steps.add(belowSaturation(scale, HEALTHY, READ_HEAVY));
    steps.add(new Step.Disturb(TROUBLE));
    for (String workload : workloads) {
      steps.add(belowSaturation(scale, SLOW + workload, workload));
    }
    steps.add(new Step.Disturb(Disturbance.NONE));
    return steps;
  }

  private static Step.Blocks belowSaturation(LabScale scale, String phase, String workload) {
    boolean smoke = scale == LabScale.SMOKE;
    int operations = smoke ? OPERATIONS_PER_SECOND : BLOCK_SECONDS * OPERATIONS_PER_SECOND;
    int leadInSeconds = phase.equals(HEALTHY) ? LEAD_IN_SECONDS : SLOW_LEAD_IN_SECONDS;
    int leadIn = smoke ? OPERATIONS_PER_SECOND / 2 : leadInSeconds * OPERATIONS_PER_SECOND;
    // the first phase finds caches that one fill has not warmed
    int warmUps = !smoke && phase.equals(HEALTHY) ? 1 : 0;
    int repeats = !smoke && workload.equals(READ_HEAVY) ? AIMED_REPEATS : repeats(scale);
    return new Step.Blocks(
            phase,
            mix(workload),
            Plans.ONE_ONE,
            new Repetition(operations, fill(scale), warmUps, repeats, leadIn),
            Plans.SLOW_DISK)
        .at(OPERATIONS_PER_SECOND);
  }

  private static List<Step> throughputSteps(LabScale scale) {
    List<Step> steps = Plans.loaded(scale, rows(scale));
    for (String workload : WORKLOADS) {
      OperationMix mix = mix(workload);
      // caches that hold all rows between them take longer to fill than those that never do
      boolean isFirst = workload.equals(WORKLOADS.get(0));
      int warmUps = isFirst && scale != LabScale.SMOKE ? FILLING_BLOCKS : 0;
      steps.add(
          new Step.Blocks(
              mix.name(),
              mix,
              Plans.ONE_ONE,
              new Repetition(scale.operations() / 2, fill(scale), warmUps, repeats(scale)),
              Plans.SLOW_DISK));
    }
    return steps;
  }

  private static Stage stage(LabScale scale, List<ExperimentArm> arms, List<Step> steps) {
    return new Stage(LabCluster.NODES, rows(scale), arms, steps);
  }

  private static OperationMix mix(String workload) {
    return OperationMix.named("ycsb_" + workload);
  }

  private static LabTable stock() {
    return LabTable.of(Arm.known(Arm.UCS_T4));
  }

  /** With the replica that is read first in a B+tree; as everywhere, not at smoke scale. */
  private static List<ExperimentArm> byRank(LabScale scale) {
    return Plans.withRank(scale, List.of(), LabCluster.REPLICATION_FACTOR, rows(scale)).stream()
        .map(arm -> new ExperimentArm(arm.table(), arm.routing(), Placement.POR))
        .toList();
  }

  private static LabTable decoupled(LabScale scale) {
    return LabTable.of(Plans.arm(Arm.DECOUPLED_T4, rows(scale)));
  }

  private static int rows(LabScale scale) {
    return scale == LabScale.SMALL ? SMALL_ROWS : scale.rows();
  }

  private static int fill(LabScale scale) {
    return scale.operations();
  }

  private static int repeats(LabScale scale) {
    return scale == LabScale.SMOKE ? 1 : REPEATS;
  }
}
