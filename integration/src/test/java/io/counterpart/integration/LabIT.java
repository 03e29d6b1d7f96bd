package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.counterpart.cluster.Installation;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.ResultJson;
import io.counterpart.lab.run.Aim;
import io.counterpart.lab.run.Experiment;
import io.counterpart.lab.run.ExperimentArm;
import io.counterpart.lab.run.Lab;
import io.counterpart.lab.run.Routing;
import io.counterpart.lab.run.RunListener;
import io.counterpart.lab.run.Step;
import io.counterpart.lab.setup.Arm;
import io.counterpart.lab.setup.LabCluster;
import io.counterpart.lab.setup.Progress;
import io.counterpart.lab.workload.ConsistencyLevels;
import io.counterpart.lab.workload.OperationMix;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lab's engine on real nodes: every mix, both routings, every value checked. */
class LabIT {
  private static final int ROWS = 1000;
  private static final int OPERATIONS = 100;
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
        new Lab(experiment(), "it", 1, cluster, Progress.silent(), RunListener.DEAF).run();

    assertThat(result.clean()).isTrue();
    assertThat(result.checked()).isGreaterThanOrEqualTo(2 * ROWS);
    assertThat(result.blocks()).hasSize(2 * 2 + OperationMix.all().size() * 3);
    assertThat(result.blocks()).allSatisfy(LabIT::assertMeasured);
    assertThat(result.figures()).hasSize(1);
    assertThat(kinds(result, "ycsb_f")).containsExactlyInAnyOrder("read", "read_modify_write");
    assertThat(kinds(result, "ycsb_e")).contains("scan");

    Path file = directory.resolve("result.json");
    new ResultJson().write(file, result);
    LabResult read = new ResultJson().read(file, LabResult.class);
    assertThat(read.blocks()).isEqualTo(result.blocks());
    assertThat(read.figures()).isEqualTo(result.figures());
  }

  private static void assertMeasured(BlockResult block) {
    assertThat(block.failed()).isZero();
    assertThat(block.operationsPerSecond()).isPositive();
    assertThat(block.server().cpuSeconds()).isPositive();
    if (block.phase().equals("read")) {
      assertThat(block.operations()).isEqualTo(OPERATIONS);
      assertThat(block.server().sstablesPerRead()).isBetween(0.5, 20.0);
    }
  }

  private static List<String> kinds(LabResult result, String phase) {
    return result.blocks().stream()
        .filter(block -> block.phase().equals(phase))
        .flatMap(block -> block.latencies().keySet().stream())
        .distinct()
        .toList();
  }

  private static Experiment experiment() {
    Arm stock = Arm.named(Arm.LCS).orElseThrow();
    Arm decoupled = Arm.named(Arm.DECOUPLED_T4).orElseThrow();
    List<Step> steps = new ArrayList<>(List.of(new Step.Load(2), new Step.Drain()));
    OperationMix.all()
        .forEach(mix -> steps.add(new Step.Blocks(mix.name(), mix, QUORUM, OPERATIONS, 1)));
    return new Experiment(
        "it",
        "none",
        "every mix",
        ROWS,
        ROWS * 2,
        List.of(
            new ExperimentArm(stock, Routing.STOCK),
            new ExperimentArm(decoupled, Routing.STOCK),
            new ExperimentArm(decoupled, Routing.PRIMARY_FIRST)),
        steps,
        List.of(new Aim("it.reads", "read", "decoupled_t4+pf", "lcs", 1, "")));
  }
}
