package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cluster.Installation;
import io.counterpart.lab.experiment.Demo;
import io.counterpart.lab.experiment.DemoPlan;
import io.counterpart.lab.experiment.LabCluster;
import io.counterpart.lab.experiment.Progress;
import io.counterpart.lab.result.ArmFigures;
import io.counterpart.lab.result.DemoSummary;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The demonstration at a size that shows only that it works: nothing lost, every figure measured.
 */
class DemoIT {
  private static final int ROWS = 4_000;
  private static final int UPDATES = 1_000;

  @Test
  @Timeout(600)
  void measures_and_checks_every_arm_through_a_wipe() throws Exception {
    Installation installation = Installation.locate();
    LabCluster lab =
        new LabCluster(
            Path.of("target/demo-it").toAbsolutePath(),
            installation.serverLib(),
            installation.pluginJar());

    DemoSummary summary =
        new Demo(new DemoPlan(ROWS, UPDATES, 11, Demo.arms()), lab, Progress.silent()).run();

    assertThat(summary.clean()).isTrue();
    // before and after the wipe
    assertThat(summary.checked()).isEqualTo(2L * ROWS * Demo.arms().size());
    assertThat(summary.arms().keySet()).containsExactly("decoupled_t4", "lcs", "ucs_t4");
    for (ArmFigures arm : summary.arms().values()) {
      assertThat(arm.bytesFlushed()).isGreaterThan(3.0 * ROWS * 1024);
      assertThat(arm.diskBytes()).isGreaterThan(2.9 * ROWS * 1024);
      assertThat(arm.cpuSeconds()).isPositive();
      assertThat(arm.failedWrites()).isZero();
      assertThat(arm.recoveredBytes()).isGreaterThan(1e6);
      assertThat(arm.disagreeingReads()).isZero();
    }
  }
}
