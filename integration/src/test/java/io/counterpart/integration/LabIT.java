package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.counterpart.cluster.Installation;
import io.counterpart.cluster.cgroup.ControlGroups;
import io.counterpart.lab.failure.RecoveryMethod;
import io.counterpart.lab.plan.Aim;
import io.counterpart.lab.plan.BlockMeasure;
import io.counterpart.lab.plan.Bound;
import io.counterpart.lab.plan.Experiment;
import io.counterpart.lab.plan.ExperimentArm;
import io.counterpart.lab.plan.LabPlan;
import io.counterpart.lab.plan.RecoveryArm;
import io.counterpart.lab.plan.Regime;
import io.counterpart.lab.plan.Repetition;
import io.counterpart.lab.plan.Routing;
import io.counterpart.lab.plan.Stage;
import io.counterpart.lab.plan.Step;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.ResultJson;
import io.counterpart.lab.run.Lab;
import io.counterpart.lab.run.RunListener;
import io.counterpart.lab.setup.Arm;
import io.counterpart.lab.setup.LabCluster;
import io.counterpart.lab.setup.LabTable;
import io.counterpart.lab.setup.Progress;
import io.counterpart.lab.workload.ConsistencyLevels;
import io.counterpart.lab.workload.OperationMix;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lab's engine on real nodes: every mix, both routings, time taken apart, values checked. */
@OnUsualPorts
class LabIT {
  private static final int NODES = 3;
  private static final int ROWS = 1000;
  private static final int OPERATIONS = 100;

  /** Enough for the sampler to see servers at them. */
  private static final int UPDATES = 2_000;

  private static final int SCARCE_READS = 500;

  private static final String SCARCE = "read_scarce";
  private static final String UPDATE = "update_once";
  private static final String RECOVERY = "recovery";
  private static final RecoveryArm REPAIR =
      new RecoveryArm(LabTable.of(Arm.named(Arm.LCS).orElseThrow()), RecoveryMethod.REPAIR);

  /** Splits each flush, so that a drain has nothing to wait for. */
  private static final RecoveryArm RECOVER =
      new RecoveryArm(LabTable.of(Arm.decoupledRuns("20")), RecoveryMethod.RECOVER);

  private static final ConsistencyLevels QUORUM =
      new ConsistencyLevels(DefaultConsistencyLevel.QUORUM, DefaultConsistencyLevel.QUORUM);

  @Test
  void runs_every_mix_on_every_arm_and_loses_nothing(@TempDir Path directory) throws Exception {
    Installation installation = Installation.locate();
    LabCluster cluster =
        new LabCluster(
            Path.of("target/lab-it").toAbsolutePath(),
            installation.serverLib(),
            installation.pluginJar());

    LabResult result =
        new Lab(LabPlan.of(experiment(), "it", 1), cluster, Progress.silent(), RunListener.DEAF)
            .run();

    assertThat(result.clean()).isTrue();
    assertThat(result.checked()).isGreaterThanOrEqualTo(2 * ROWS);
    assertThat(result.blocks()).hasSize(2 * 2 + 2 + (OperationMix.all().size() + 1) * 2 + 2 + 2);
    assertThat(result.blocks()).allSatisfy(LabIT::assertMeasured);
    assertThat(result.figures()).hasSize(2);
    assertRecovered(result, REPAIR.name());
    assertRecovered(result, RECOVER.name());
    assertThat(kinds(result, UPDATE)).containsExactly("update");
    assertThat(kinds(result, "ycsb_f")).containsExactlyInAnyOrder("read", "read_modify_write");
    assertThat(kinds(result, "ycsb_e")).contains("scan");

    assertTimeIsTakenApart(result);

    assertThat(result.samples()).isNotEmpty();
    boolean limits = ControlGroups.writable().isPresent();
    assertThat(result.config().get("regimes").toString())
        .contains(
            limits
                ? "page cache 0.10 (32 MiB or more) of the data"
                : "not limited: control groups");
    long fromDisk =
        result.blocks().stream()
            .filter(block -> block.phase().equals(SCARCE))
            .mapToLong(block -> block.server().diskReadBytes())
            .sum();
    if (limits) {
      assertThat(fromDisk).as("bytes that did not fit the cache").isPositive();
    } else {
      System.out.println("LabIT: skipped, since control groups are not writable: disk reads");
    }

    Path file = directory.resolve("result.json");
    new ResultJson().write(file, result);
    LabResult read = new ResultJson().read(file, LabResult.class);
    assertThat(read.blocks()).isEqualTo(result.blocks());
    assertThat(read.figures()).isEqualTo(result.figures());
  }

  private static void assertMeasured(BlockResult block) {
    assertThat(block.failed()).isZero();
    if (block.phase().equals("drain") || block.phase().equals(RECOVERY)) {
      assertThat(block.operations()).isZero();
      return;
    }
    assertThat(block.operationsPerSecond()).isPositive();
    assertThat(block.server().cpuSeconds()).isPositive();
    if (block.phase().equals("read")) {
      assertThat(block.operations()).isEqualTo(OPERATIONS);
      assertThat(block.server().sstablesPerRead()).isBetween(0.5, 20.0);
    }
  }

  /** From the step on that asks for it. */
  private static void assertTimeIsTakenApart(LabResult result) {
    assertThat(result.config()).containsKey("breakdown");
    for (BlockResult block : result.blocks()) {
      if (block.phase().equals(SCARCE) || block.phase().equals(UPDATE)) {
        assertThat(block.breakdown().get("messages")).isPositive();
        double seconds = block.breakdown().values().stream().mapToDouble(Double::doubleValue).sum();
        // each node has four threads that read, and some more
        assertThat(seconds).isBetween(0.01, NODES * 20 * (block.seconds() + 2));
      } else {
        assertThat(block.breakdown()).isEmpty();
      }
    }
  }

  private static void assertRecovered(LabResult result, String arm) {
    BlockResult recovery =
        result.blocks().stream().filter(block -> block.arm().equals(arm)).findFirst().orElseThrow();
    assertThat(recovery.recoverySeconds()).as(arm).isPositive();
    // every node keeps every row
    assertThat(recovery.bytesReceived().values().stream().mapToLong(Long::longValue).sum())
        .as(arm)
        .isGreaterThan(ROWS * 1000L);
    assertThat(recovery.server().cpuSeconds()).as(arm).isPositive();
  }

  private static List<String> kinds(LabResult result, String phase) {
    return result.blocks().stream()
        .filter(block -> block.phase().equals(phase))
        .flatMap(block -> block.latencies().keySet().stream())
        .distinct()
        .toList();
  }

  private static Experiment experiment() {
    LabTable stock = REPAIR.table();
    LabTable decoupled = RECOVER.table();
    List<Step> steps = new ArrayList<>();
    steps.add(new Step.Load("load", ROWS, 2));
    steps.add(new Step.Drain("drain"));
    for (OperationMix mix : OperationMix.all()) {
      steps.add(
          new Step.Blocks(
              mix.name(), mix, QUORUM, new Repetition(OPERATIONS, 0, 0, 1), Regime.UNLIMITED));
    }
    // before limits: they must hold for the restarted node too
    steps.add(new Step.Recover(RECOVERY, List.of(REPAIR, RECOVER), 1, Regime.HEADLINE));
    steps.add(new Step.Profile());
    steps.add(
        new Step.Blocks(
            SCARCE,
            OperationMix.READS,
            QUORUM,
            new Repetition(SCARCE_READS, OPERATIONS, 1, 1),
            new Regime(0.1, 50)));
    steps.add(new Step.Update(UPDATE, UPDATES, QUORUM, Regime.UNLIMITED));
    List<ExperimentArm> arms =
        List.of(
            new ExperimentArm(stock, Routing.STOCK),
            new ExperimentArm(decoupled, Routing.PRIMARY_FIRST));
    return new Experiment(
        "it",
        "none",
        "every mix",
        List.of(new Stage(NODES, ROWS * 4, arms, steps)),
        List.of(
            new Aim.Throughput("it.reads", "read", "decoupled_s20+pf", "lcs", 1, ""),
            new Aim.Ratio(
                "it.recovery",
                List.of(RECOVERY),
                BlockMeasure.RECOVERY_SECONDS,
                RECOVER.name(),
                REPAIR.name(),
                Bound.atMost(1),
                "")));
  }
}
