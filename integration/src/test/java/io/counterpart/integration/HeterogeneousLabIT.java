package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cluster.Installation;
import io.counterpart.cluster.cgroup.ControlGroups;
import io.counterpart.lab.experiment.Experiments;
import io.counterpart.lab.experiment.LabScale;
import io.counterpart.lab.plan.LabPlan;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabFigure;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.run.Lab;
import io.counterpart.lab.run.RunListener;
import io.counterpart.lab.setup.EngineJars;
import io.counterpart.lab.setup.LabCluster;
import io.counterpart.lab.setup.Progress;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The experiment on the heterogeneous cluster at smoke scale, beside LCS on as many servers. */
@OnManyNodes
class HeterogeneousLabIT {
  private static final String LCS = "lcs";
  private static final String HETEROGENEOUS = "heterogeneous+classes";

  @Test
  void a_heterogeneous_cluster_is_measured_side_by_side_with_stock() throws Exception {
    LabResult result = run();

    assertThat(result.clean()).isTrue();
    assertThat(result.checked()).as("rows of both tables").isEqualTo(2 * 3_000L);
    assertThat(result.blocks())
        .allSatisfy(block -> assertThat(block.failed()).as(block.phase()).isZero());
    assertThat(result.figures())
        .extracting(LabFigure::id)
        .containsExactly(
            "het.readonly_vs_lcs",
            "het.readlat_writeheavy",
            "het.readlat_readonly",
            "het.p99_readonly",
            "het.writeonly_vs_stock",
            "het.readonly_vs_page_cache");
    assertThat(of(result, LCS, "read_only"))
        .as("each read meets sstables")
        .allSatisfy(block -> assertThat(block.server().sstablesPerRead()).isPositive());
    assertThat(of(result, HETEROGENEOUS, "read_only"))
        .as("reads at QUORUM meet sstables on nodes of class write alone, which are asked last")
        .isNotEmpty()
        .allSatisfy(block -> assertThat(block.server().sstablesPerRead()).isLessThan(0.5));
    assertThat(of(result, HETEROGENEOUS, "write_only"))
        .as("nodes of class write have sstables, the others have none")
        .isNotEmpty()
        .allSatisfy(
            block ->
                assertThat(block.server().bytesFlushed())
                    .isPositive()
                    .isLessThan(of(result, LCS, "write_only").get(0).server().bytesFlushed()));
    if (ControlGroups.writable().isPresent()) {
      assertThat(result.config().get("regimes").toString())
          .contains("classes, read_only=page cache 32 MiB, 100 disk reads/s a server")
          .contains("stock, read_only=page cache 32 MiB, 100 disk reads/s a server");
    } else {
      System.out.println(
          "HeterogeneousLabIT: skipped, since control groups are not writable: limits of servers");
    }
  }

  private static List<BlockResult> of(LabResult result, String arm, String phase) {
    Stream<BlockResult> found = result.blocks().stream();
    return found.filter(block -> block.arm().equals(arm) && block.phase().equals(phase)).toList();
  }

  private static LabResult run() throws Exception {
    Installation installation = Installation.locate();
    LabPlan plan =
        LabPlan.of(
            Experiments.named("mycassandra-fig11-16", LabScale.SMOKE)
                .withArms(List.of(LCS, HETEROGENEOUS)),
            LabScale.SMOKE.label(),
            1);
    LabCluster cluster =
        new LabCluster(
                Path.of("target/heterogeneous-lab-it").toAbsolutePath(),
                installation.serverLib(),
                installation.pluginJar())
            .with(EngineJars.of(installation))
            .forDemonstration(3);
    return new Lab(plan, cluster, Progress.silent(), RunListener.DEAF).run();
  }
}
