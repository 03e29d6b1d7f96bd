package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cluster.Installation;
import io.counterpart.cluster.cgroup.ControlGroups;
import io.counterpart.lab.experiment.Experiments;
import io.counterpart.lab.experiment.LabScale;
import io.counterpart.lab.plan.LabPlan;
import io.counterpart.lab.report.RequestTable;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.Counters;
import io.counterpart.lab.result.LabFigure;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.run.Lab;
import io.counterpart.lab.run.RunListener;
import io.counterpart.lab.setup.EngineJars;
import io.counterpart.lab.setup.LabCluster;
import io.counterpart.lab.setup.Progress;
import io.counterpart.lab.workload.ClientShape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The experiments on storage engines at smoke scale; engines whose servers are missing aside. */
@OnUsualPorts
class EngineLabIT {
  private static final String STOCK = "ucs_t4_rf1";
  private static final String UNCOMPACTED = "uncompacted_rf1";
  private static final String LMDB = "lmdb_rf1";
  private static final String TREE = "decoupled_t4+pf";
  private static final String BY_RANK = "by_rank+pf";
  private static final int LOADED_BYTES = 3_000 * 1_024;

  @Test
  void workloads_are_measured_on_an_engine_beside_stock() throws Exception {
    List<String> arms = new ArrayList<>(List.of(STOCK, LMDB));
    // one of those with a server: it is the lab that is tested here
    EngineServers.SERVERS.stream()
        .reduce((first, second) -> second)
        .ifPresent(engine -> arms.add(engine + "_rf1"));
    LabResult result = run("mycassandra-fig4-6", arms);

    assertThat(result.blocks())
        .extracting(BlockResult::phase)
        .contains("write_only", "write_heavy", "read_heavy", "read_only", "write_only_unlimited");
    assertThat(result.blocks())
        .allSatisfy(block -> assertThat(block.failed()).as(block.phase()).isZero());
    assertThat(result.blocks().stream().filter(block -> !block.arm().equals(STOCK)))
        .allSatisfy(
            block -> {
              assertThat(block.server().bytesFlushed()).as("bytes of sstables").isZero();
              assertThat(block.server().sstablesPerRead()).isZero();
            });
    assertThat(result.figures()).extracting(LabFigure::id).containsExactly("eng.lmdb_updates");
    assertThat(result.config())
        .containsEntry(
            LabResult.ENGINES, arms.stream().skip(1).map(arm -> arm.replace("_rf1", "")).toList());
    assertThat(RequestTable.text(result)).contains("write_only " + LMDB, "read_heavy " + STOCK);
  }

  @Test
  void reads_are_measured_on_an_engine_beside_four_sstables() throws Exception {
    LabResult result = run("mycassandra-reads", List.of(UNCOMPACTED, LMDB));

    assertThat(last(result, UNCOMPACTED, "write").counter(Counters.SSTABLES))
        .as("four flushes on each of two nodes")
        .isEqualTo(2 * 4);
    assertThat(last(result, LMDB, "write").counter(Counters.SSTABLES)).isZero();
    assertThat(last(result, LMDB, "write").counter(Counters.DISK_BYTES))
        .isGreaterThan(LOADED_BYTES);
    assertThat(last(result, LMDB, "read_local").counter(Counters.LOCAL_READ_MICROS)).isPositive();
    assertThat(result.figures())
        .extracting(LabFigure::id)
        .containsExactly(
            "eng.lmdb_read_time",
            "eng.lmdb_read_bytes",
            "eng.lmdb_read_time_newest",
            "eng.lmdb_read_bytes_newest");
    assertThat(last(result, UNCOMPACTED, "read_local").server().sstablesPerRead())
        .as("the newest sstable with the key")
        .isLessThan(1.1);
    assertThat(last(result, UNCOMPACTED, "read_local_merged").server().sstablesPerRead())
        .as("all sstables with the key")
        .isGreaterThan(1.5);
    if (ControlGroups.writable().isPresent()) {
      assertThat(last(result, LMDB, "read_cold").server().diskReadBytes())
          .as("bytes that came by page faults")
          .isPositive();
    } else {
      System.out.println("EngineLabIT: skipped, since control groups are not writable: cold reads");
    }
  }

  @Test
  void primary_copies_in_an_engine_are_measured_beside_those_in_a_tree() throws Exception {
    LabResult result = run("engine-by-rank", List.of(TREE, BY_RANK));

    assertThat(last(result, BY_RANK, "read").failed()).isZero();
    // a node that counts as slow for a moment has its third of the reads elsewhere
    assertThat(last(result, BY_RANK, "read").server().sstablesPerRead())
        .as("primary copies are in the store")
        .isLessThan(0.5);
    assertThat(last(result, TREE, "read").server().sstablesPerRead()).isGreaterThan(0.9);
    assertThat(result.figures())
        .extracting(LabFigure::id)
        .contains("rank.reads_vs_decoupled", "rank.write_bytes_vs_decoupled");
  }

  private static BlockResult last(LabResult result, String arm, String phase) {
    BlockResult last = null;
    for (BlockResult block : result.blocks()) {
      last = block.arm().equals(arm) && block.phase().equals(phase) ? block : last;
    }
    return Objects.requireNonNull(last, phase + " " + arm);
  }

  private static LabResult run(String name, List<String> arms) throws Exception {
    Installation installation = Installation.locate();
    LabPlan plan =
        new LabPlan(
            Experiments.named(name, LabScale.SMOKE).withArms(arms),
            LabScale.SMOKE.label(),
            1,
            ClientShape.PAPER,
            Experiments.settingsOf(name),
            Map.of());
    LabCluster cluster =
        new LabCluster(
                Path.of("target/engine-lab-it").toAbsolutePath(),
                installation.serverLib(),
                installation.pluginJar())
            .with(EngineJars.of(installation))
            .forDemonstration(2);
    LabResult result = new Lab(plan, cluster, Progress.silent(), RunListener.DEAF).run();

    assertThat(result.clean()).isTrue();
    assertThat(result.checked()).isPositive();
    return result;
  }
}
