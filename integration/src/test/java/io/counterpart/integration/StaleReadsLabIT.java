package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cluster.Installation;
import io.counterpart.lab.report.html.HtmlReport;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabFigure;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.setup.Progress;
import io.counterpart.lab.staleness.BoundStage;
import io.counterpart.lab.staleness.NodeSetup;
import io.counterpart.lab.staleness.OverheadStage;
import io.counterpart.lab.staleness.StaleRateStage;
import io.counterpart.lab.staleness.StaleTable;
import io.counterpart.lab.staleness.StalenessExperiment;
import io.counterpart.lab.staleness.StalenessLab;
import io.counterpart.lab.staleness.StalenessPlan;
import io.counterpart.lab.staleness.WarmUpStage;
import io.counterpart.lab.staleness.client.PairPace;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Each kind of experiment on stale reads, tiny, on one cluster whose writes are late. */
@Timeout(240)
@OnUsualPorts
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StaleReadsLabIT {
  private static final double LATE_MILLIS = 500;
  private static final int GAP_MILLIS = 100;
  private static final double EPSILON = 0.05;
  private static final PairPace PACE = new PairPace(250, 512);

  private LabResult result;

  @BeforeAll
  void run() throws Exception {
    Installation installation = Installation.locate();
    StalenessExperiment experiment =
        new StalenessExperiment(
            "it",
            "none",
            "tiny",
            new NodeSetup(5, 384, true, 2),
            List.of(
                new WarmUpStage(5, 1_500),
                new StaleRateStage(
                    StaleTable.DECOUPLED,
                    3,
                    new StaleRateStage.Lateness(LATE_MILLIS, List.of(GAP_MILLIS)),
                    900,
                    PACE),
                new BoundStage(
                    StaleTable.STOCK,
                    5,
                    List.of(EPSILON),
                    new BoundStage.Window(100, 400),
                    new BoundStage.Load(2_000, 250, 2, PACE)),
                new OverheadStage(new BoundStage.Load(300, 150, 2, new PairPace(0, 6)))));
    result =
        new StalenessLab(
                new StalenessPlan(experiment, "it", 1),
                new StalenessLab.Places(
                    Path.of("target/stale-reads-it").toAbsolutePath(),
                    installation.serverLib(),
                    installation.pluginJar(),
                    "5.0"),
                Progress.silent())
            .run();
  }

  @Test
  void every_row_is_read_back_intact_and_no_read_is_impossible() {
    assertThat(result.clean()).as("%s", result.config()).isTrue();
    assertThat(result.checked()).isGreaterThan(1_000);
    // per W: the writes and the cells; per repeat: the bound, and the handler off and on
    assertThat(result.blocks()).hasSize(2 + 3 + 1 + 2 + 2 * 2);
    assertThat(result.blocks())
        .allSatisfy(
            block -> {
              assertThat(block.failed()).as(block.phase()).isZero();
              assertThat(block.counter("impossibleReads")).as(block.phase()).isZero();
            });
  }

  @Test
  void late_writes_are_missed_as_often_as_the_delays_say() {
    BlockResult one = block("n3_w1_decoupled_after100ms", "r1");
    double stale = one.counter("stalePpm") / 1e6;
    double predicted = one.counter("predictedPpm") / 1e6;

    // the coordinator has no copy: after the first acknowledgement two of three still lack it, and
    // an exponential delay leaves e^-0.2 of these after the gap, 55 % of all reads. On a busy
    // machine acknowledgements and reads are later than that, and some reads are not in time to
    // count; without delays nothing would be stale
    assertThat(predicted).as("%s", one).isBetween(0.1, 0.85);
    assertThat(stale).as("%s", one).isBetween(0.1, 0.85);
    assertThat(one.counter("samples")).isBetween(100L, 900L);
    assertThat(block("n3_w1_decoupled_after100ms", "r2").counter("stalePpm"))
        .isLessThan(one.counter("stalePpm"));
  }

  @Test
  void decoupled_tables_keep_copies_of_both_roles_in_their_structures() {
    List<BlockResult> writes =
        result.blocks().stream().filter(block -> block.arm().equals("writes")).toList();

    // in the background, so in one block or another
    assertThat(writes).anyMatch(block -> block.counter("flushedPrimary") > 0);
    assertThat(writes).anyMatch(block -> block.counter("flushedRedundant") > 0);
    assertThat(result.blocks())
        .anyMatch(block -> block.counters().getOrDefault("split", 0L).longValue() > 0);
    assertThat(block("rf5", "epsilon_" + EPSILON).counters()).doesNotContainKey("split");
  }

  @Test
  void overlapping_quorums_are_never_stale() {
    BlockResult control = block("n3_w2_decoupled_after100ms", "r2");

    assertThat(control.counter("control")).isEqualTo(1);
    assertThat(control.operations()).isGreaterThan(300);
    assertThat(control.counter("staleReads")).isZero();
    assertThat(block("n3_w2_decoupled_after100ms", "r1").counter("staleReads")).isPositive();
  }

  @Test
  void reads_under_a_bound_contact_a_quorum_at_most() {
    List<BlockResult> blocks =
        result.blocks().stream().filter(block -> block.phase().equals("rf5")).toList();

    assertThat(blocks).hasSize(2);
    assertThat(blocks)
        .allSatisfy(
            block -> {
              assertThat(block.arm()).isEqualTo("epsilon_0.05");
              assertThat(block.counter("quorumReplicas")).isEqualTo(3 * block.operations());
              assertThat(block.counter("replicasContacted"))
                  .isBetween(block.operations(), 3 * block.operations());
            });
    // that levels fall is shown by ConsistencyIT, which waits for it: here a busy machine has few
    // samples and late ones
    assertThat(blocks).allSatisfy(block -> assertThat(decided(block)).isPositive());
  }

  @Test
  void the_handler_decides_only_where_it_is_on() {
    for (int repeat = 0; repeat < 2; repeat++) {
      int number = repeat;
      assertThat(overhead("handler_off", number).counters().keySet())
          .noneMatch(name -> name.startsWith("reads."));
      BlockResult on = overhead("handler_on", number);
      assertThat(decided(on)).as("%s", on.counters()).isEqualTo(on.operations() / 2);
      assertThat(on.counters()).doesNotContainKeys("reads.mode_off", "reads.raised");
      assertThat(on.counter("staleReads")).isZero();
    }
  }

  @Test
  void figures_and_charts_are_made_of_it() {
    assertThat(result.figures())
        .extracting(LabFigure::id)
        .containsExactly(
            "crs.stale_cells_within",
            "crs.stale_cells_within_bound",
            "crs.overhead_p50",
            "crs.overhead_cpu");
    assertThat(result.series()).hasSize(2 * 3 + 2);
    assertThat(HtmlReport.render(result)).contains("predictedHighPpm");
  }

  private BlockResult block(String phase, String arm) {
    return result.blocks().stream()
        .filter(block -> block.phase().equals(phase) && block.arm().equals(arm))
        .findFirst()
        .orElseThrow();
  }

  private static long decided(BlockResult block) {
    return block.counters().entrySet().stream()
        .filter(counter -> counter.getKey().startsWith("reads."))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  private BlockResult overhead(String arm, int repeat) {
    return result.blocks().stream()
        .filter(block -> block.arm().equals(arm) && block.repeat() == repeat)
        .findFirst()
        .orElseThrow();
  }
}
