package io.counterpart.lab.report.html;

import static io.counterpart.lab.report.html.SyntheticResult.atMost;
import static io.counterpart.lab.report.html.SyntheticResult.block;
import static io.counterpart.lab.report.html.SyntheticResult.cost;
import static io.counterpart.lab.report.html.SyntheticResult.figure;
import static io.counterpart.lab.report.html.SyntheticResult.latencies;
import static io.counterpart.lab.report.html.SyntheticResult.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LatencySummary;
import io.counterpart.lab.result.Sample;
import io.counterpart.lab.result.SampledMeasure;
import io.counterpart.lab.stats.Interval;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ReportDataTest {
  @Test
  void arms_of_a_table_share_a_hue_and_stand_together() {
    List<ArmStyle> arms =
        ArmStyle.of(
            result(
                List.of(
                    block("lcs", "load", 0, 1),
                    block("ours+pf", "read", 0, 1),
                    block("lcs+pf", "read", 0, 1),
                    block("ours", "read", 0, 1)),
                List.of(),
                List.of()));

    assertThat(arms)
        .containsExactly(
            new ArmStyle("lcs", 0, 0),
            new ArmStyle("lcs+pf", 0, 1),
            new ArmStyle("ours", 1, 0),
            new ArmStyle("ours+pf", 1, 1));
  }

  @Test
  void throughput_is_the_median_of_repeats_with_its_interval() {
    ThroughputChart chart =
        data(block("a", "read", 0, 100), block("a", "read", 1, 400), block("a", "read", 2, 200))
            .throughput()
            .get(0);

    assertThat(chart.bars()).hasSize(1);
    Interval throughput = chart.bars().get(0).throughput();
    assertThat(throughput.median()).isEqualTo(200, within(1e-6));
    assertThat(throughput.low()).isEqualTo(100, within(1e-6));
    assertThat(throughput.high()).isEqualTo(400, within(1e-6));
    assertThat(chart.bars().get(0).repeats()).isEqualTo(3);
  }

  @Test
  void percentiles_are_those_of_merged_histograms_and_not_means_of_percentiles() {
    // 90 fast answers in one block, 10 slow ones in the other: the median is fast, p99 slow
    long[] fast = LongStream.generate(() -> 1_000).limit(90).toArray();
    long[] slow = LongStream.generate(() -> 50_000).limit(10).toArray();

    LatencyChart chart =
        data(read("a", 0, latencies(fast)), read("a", 1, latencies(slow))).latencies().get(0);

    LatencyChart.Curve curve = chart.curves().get(0);
    assertThat(curve.count()).isEqualTo(100);
    assertThat(curve.p50()).isEqualTo(1.0, within(0.01));
    assertThat(curve.p99()).isEqualTo(50.0, within(0.1));
    assertThat(curve.max()).isEqualTo(50.0, within(0.1));
    assertThat(at(chart, 0.5)).isEqualTo(1.0, within(0.01));
    assertThat(at(chart, 1.5)).isEqualTo(50.0, within(0.1));
  }

  @Test
  void a_curve_ends_where_fewer_than_one_answer_is_slower() {
    long[] ten = LongStream.rangeClosed(1, 10).map(i -> i * 1000).toArray();
    long[] thousand = LongStream.rangeClosed(1, 1000).toArray();

    LatencyChart chart =
        data(read("few", 0, latencies(ten)), read("many", 0, latencies(thousand)))
            .latencies()
            .get(0);

    LatencyChart.Curve few = chart.curves().get(0);
    assertThat(few.p90()).isNotNull();
    assertThat(few.p99()).isNull();
    assertThat(chart.nines().get(chart.nines().size() - 1)).isEqualTo(3);
    assertThat(few.millis().subList(21, 61)).containsOnlyNulls();
    assertThat(chart.curves().get(1).millis()).doesNotContainNull();
  }

  @Test
  void figures_know_their_direction_and_the_numbers_of_the_paper() {
    assertThat(FigureRow.of(figure(2.7, 2.5, true, "2.43")).atMost()).isFalse();
    assertThat(FigureRow.of(figure(1.0, 1.3, false, "")).atMost()).isFalse();
    assertThat(FigureRow.of(atMost(0.2, 0.25, true)).atMost()).isTrue();
    assertThat(FigureRow.of(atMost(0.25, 0.25, true)).atMost()).isTrue();
    assertThat(FigureRow.of(atMost(0.4, 0.25, false)).atMost()).isTrue();

    assertThat(paper("2.43")).containsExactly(2.43, 2.43);
    assertThat(paper("2.43×")).containsExactly(2.43, 2.43);
    assertThat(paper("1.4-2.4")).containsExactly(1.4, 2.4);
    assertThat(paper("0.46–0.62")).containsExactly(0.46, 0.62);
    assertThat(paper("")).containsExactly(null, null);
    assertThat(paper("the same monotone trade-off")).containsExactly(null, null);
  }

  @Test
  void write_amplification_counts_loads_and_drains_by_role() {
    long user = 2 * 1000 * SyntheticResult.VALUE_BYTES * SyntheticResult.REPLICAS;
    Map<String, Long> roles =
        Map.of("flushedPrimary", user / 4, "flushedRedundant", user / 2, "split", user / 4);

    WriteAmplification chart =
        data(
                load("lcs", "load", 0, 1000, user, user),
                load("lcs", "load", 1, 1000, 0, 0),
                load("lcs", "drain", 0, 0, 0, 2 * user),
                load("lcs", "update", 0, 1000, user, user),
                new BlockResult("ours", "load", 0, 2000, 0, 1, Map.of(), cost(user, user, roles)))
            .amplification();

    assertThat(chart).isNotNull();
    assertThat(chart.unit()).isEqualTo("× user bytes");
    assertThat(chart.rows().get(0).parts()).isEqualTo(Map.of("flushed", 1.0, "compacted", 3.0));
    assertThat(chart.rows().get(0).total()).isEqualTo(4);
    // a quarter was split, the rest of the compacted bytes is the tree's own
    assertThat(chart.rows().get(1).parts())
        .containsEntry("flushedPrimary", 0.25)
        .containsEntry("flushedRedundant", 0.5)
        .containsEntry("split", 0.25)
        .containsEntry("primaryTree", 0.75);
  }

  @Test
  void lines_over_time_break_between_phases_and_pauses() {
    Timeline timeline =
        ReportData.of(
                result(
                    List.of(),
                    List.of(
                        sample(2, "a", "load"),
                        sample(1, "a", "load"),
                        sample(3, "b", "load"),
                        sample(20, "b", "load"),
                        sample(21, "b", "read")),
                    List.of()))
            .timeline();

    assertThat(timeline.seconds()).containsExactly(1.0, 2.0, 3.0, 11.5, 20.0, 20.5, 21.0);
    assertThat(timeline.charts())
        .extracting(Timeline.MeasureChart::title)
        .containsExactly("Throughput", "Compaction backlog", "Memtables");
    assertThat(values(timeline, "Throughput", "a"))
        .isEqualTo(Arrays.asList(10.0, 20.0, null, null, null, null, null));
    assertThat(values(timeline, "Memtables", "b"))
        .isEqualTo(Arrays.asList(null, null, 3.0, null, 20.0, null, 21.0));
    assertThat(timeline.spans())
        .containsExactly(new Timeline.Span("load", 1, 20), new Timeline.Span("read", 21, 21));
  }

  @Test
  void charts_over_time_are_those_of_the_measures_that_a_tier_has() {
    Map<String, Double> quiet =
        Map.of(SampledMeasure.SERVER_BYTES, 3.0 * (1 << 20), SampledMeasure.STRIPES_TO_MOVE, 0.0);
    Map<String, Double> slow =
        Map.of(SampledMeasure.SERVER_BYTES, 5.0 * (1 << 20), SampledMeasure.P99_MICROS, 1500.0);

    Timeline timeline =
        ReportData.of(
                result(
                    List.of(),
                    List.of(
                        Sample.ofTier(1, "a", "read", 7, quiet),
                        Sample.ofTier(2, "b", "read", 9, slow)),
                    List.of()))
            .timeline();

    assertThat(timeline.charts())
        .extracting(Timeline.MeasureChart::title)
        .containsExactly("Throughput", "Latency", "Memory of servers");
    assertThat(values(timeline, "Memory of servers", "a")).isEqualTo(Arrays.asList(3.0, null));
    assertThat(values(timeline, "Latency", "b")).isEqualTo(Arrays.asList(null, 1.5));
    assertThat(timeline.charts().get(1).tracks())
        .as("arms without the measure")
        .extracting(Timeline.Track::arm)
        .containsExactly("b");
  }

  private static List<Double> values(Timeline timeline, String title, String arm) {
    return timeline.charts().stream()
        .filter(chart -> chart.title().equals(title))
        .flatMap(chart -> chart.tracks().stream())
        .filter(track -> track.arm().equals(arm))
        .findFirst()
        .orElseThrow()
        .values();
  }

  @Test
  void trade_off_pairs_reads_with_writes_of_the_same_levels_and_orders_runs() {
    ReportData data = ReportData.of(SyntheticResult.whole());

    assertThat(data.tradeOffs()).hasSize(1);
    TradeOff tradeOff = data.tradeOffs().get(0);
    assertThat(tradeOff.readPhase()).isEqualTo("read_22");
    assertThat(tradeOff.writePhase()).isEqualTo("update_22");
    assertThat(tradeOff.curves())
        .containsExactly(
            List.of("decoupled_s1", "decoupled_s10", "decoupled_s20"),
            List.of("decoupled_s1+pf", "decoupled_s10+pf", "decoupled_s20+pf"));
  }

  @Test
  void trade_off_takes_the_load_of_the_arms_table_where_no_phase_writes() {
    TradeOff tradeOff =
        data(
                block("lcs", "load", 0, 50, Map.of("insert", latencies(1)), cost(0, 0, Map.of())),
                read("lcs+pf", 0, latencies(1)))
            .tradeOffs()
            .get(0);

    assertThat(tradeOff.writePhase()).isEqualTo("load");
    assertThat(tradeOff.points().get(0).arm()).isEqualTo("lcs+pf");
    assertThat(tradeOff.points().get(0).write().median()).isEqualTo(50, within(1e-6));
    assertThat(tradeOff.curves()).isEmpty();
  }

  private static ReportData data(BlockResult... blocks) {
    return ReportData.of(result(List.of(blocks), List.of(), List.of()));
  }

  private static BlockResult read(String arm, int repeat, LatencySummary latencies) {
    return block(arm, "read", repeat, 100, Map.of("read", latencies), cost(0, 0, Map.of()));
  }

  private static BlockResult load(
      String arm, String phase, int repeat, int operations, long flushed, long compacted) {
    return new BlockResult(
        arm, phase, repeat, operations, 0, 1, Map.of(), cost(flushed, compacted, Map.of()));
  }

  private static Sample sample(double second, String arm, String phase) {
    return new Sample(second, arm, phase, 10 * second, 1, 0, (long) second << 20, Map.of());
  }

  private static Double at(LatencyChart chart, double nines) {
    return chart.curves().get(0).millis().get(chart.nines().indexOf(nines));
  }

  private static List<Double> paper(String text) {
    FigureRow row = FigureRow.of(figure(1, 1, true, text));
    List<Double> ends = new ArrayList<>();
    ends.add(row.paperLow());
    ends.add(row.paperHigh());
    return ends;
  }
}
