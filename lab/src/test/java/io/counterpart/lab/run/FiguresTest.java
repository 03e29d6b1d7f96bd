package io.counterpart.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.lab.plan.Aim;
import io.counterpart.lab.plan.BlockMeasure;
import io.counterpart.lab.plan.Bound;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.Counters;
import io.counterpart.lab.result.LabFigure;
import io.counterpart.lab.result.LatencySummary;
import io.counterpart.lab.result.NodeCost;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class FiguresTest {
  private static final Aim AIM =
      new Aim.Throughput("x.reads", "read", "ours", "stock", 2.5, "2.43");

  @Test
  void divides_throughput_pair_by_pair() {
    List<BlockResult> blocks = new ArrayList<>();
    // the machine halves its speed: only pairs tell
    for (int repeat = 0; repeat < 5; repeat++) {
      double seconds = 1 << repeat;
      blocks.add(block("ours", "read", repeat, seconds));
      blocks.add(block("stock", "read", repeat, 3 * seconds));
    }

    LabFigure figure = Figures.of(List.of(AIM), blocks, "small", 1).get(0);

    assertThat(figure.measured()).isEqualTo(3);
    assertThat(figure.low()).isEqualTo(3);
    assertThat(figure.reached()).isTrue();
    assertThat(figure.verdict()).isEqualTo("more");
  }

  @Test
  void says_that_noise_is_no_difference() {
    List<BlockResult> blocks =
        List.of(
            block("ours", "read", 0, 1),
            block("stock", "read", 0, 2),
            block("stock", "read", 1, 1),
            block("ours", "read", 1, 2));

    LabFigure figure = Figures.of(List.of(AIM), blocks, "small", 1).get(0);

    assertThat(figure.verdict()).isEqualTo("no difference");
    assertThat(figure.reached()).isFalse();
  }

  @Test
  void leaves_out_what_was_not_measured_on_both_sides() {
    List<BlockResult> blocks = List.of(block("ours", "read", 0, 1), block("stock", "update", 0, 1));

    assertThat(Figures.of(List.of(AIM), blocks, "small", 1)).isEmpty();
  }

  @Test
  void finds_an_order_that_noise_does_not_contradict() {
    Aim aim = new Aim.Monotone("x.monotone", "load", "read", List.of("s1", "s10", "s20"), "");
    List<BlockResult> blocks = new ArrayList<>();
    for (int repeat = 0; repeat < 5; repeat++) {
      double noise = 1 + 0.1 * (repeat % 2);
      add(blocks, repeat, "s1", 4, 1);
      add(blocks, repeat, "s10", 2, 3);
      add(blocks, repeat, "s20", 2 * noise, 3 / noise);
    }

    LabFigure figure = Figures.of(List.of(aim), blocks, "small", 1).get(0);

    assertThat(figure.measured()).isEqualTo(1);
    assertThat(figure.reached()).isTrue();
  }

  @Test
  void a_step_against_the_order_breaks_it() {
    Aim aim = new Aim.Monotone("x.monotone", "load", "read", List.of("s1", "s10", "s20"), "");
    List<BlockResult> blocks = new ArrayList<>();
    for (int repeat = 0; repeat < 5; repeat++) {
      add(blocks, repeat, "s1", 4, 1);
      add(blocks, repeat, "s10", 2, 3);
      add(blocks, repeat, "s20", 1, 2);
    }

    assertThat(Figures.of(List.of(aim), blocks, "small", 1).get(0).measured()).isZero();
  }

  @Test
  void less_is_better_where_the_aim_says_at_most() {
    List<BlockResult> blocks = new ArrayList<>();
    for (String phase : List.of("small", "large")) {
      blocks.add(recovery("ours", phase, 0, 1, 9, 100));
      blocks.add(recovery("stock", phase, 0, 5, 0, 0));
    }

    LabFigure figure = recoveryFigure(blocks, Bound.atMost(0.25));

    assertThat(figure.measured()).isEqualTo(0.2);
    assertThat(figure.reached()).isTrue();
    assertThat(figure.atMost()).isTrue();
    assertThat(figure.asked()).isEqualTo("<= 0.25");
    assertThat(figure.verdict()).isEqualTo("less");
    assertThat(recoveryFigure(blocks, Bound.atMost(0.1)).reached()).isFalse();
    assertThat(recoveryFigure(blocks, Bound.atLeast(0.25)).reached()).isFalse();
  }

  @Test
  void pairs_recoveries_of_all_phases() {
    List<BlockResult> blocks = new ArrayList<>();
    blocks.add(recovery("ours", "small", 0, 1, 0, 0));
    blocks.add(recovery("stock", "small", 0, 2, 0, 0));
    blocks.add(recovery("ours", "large", 0, 6, 0, 0));
    blocks.add(recovery("stock", "large", 0, 8, 0, 0));

    LabFigure figure = recoveryFigure(blocks, Bound.atMost(1));

    assertThat(figure.low()).isEqualTo(0.5);
    assertThat(figure.high()).isEqualTo(0.75);
    assertThat(figure.measured()).isEqualTo(0.625);
  }

  @Test
  void leaves_out_a_ratio_of_recoveries_that_have_no_pair() {
    List<BlockResult> blocks =
        List.of(recovery("ours", "small", 0, 1, 0, 0), recovery("stock", "large", 0, 2, 0, 0));

    assertThat(Figures.of(List.of(recoveryAim(Bound.atMost(1))), blocks, "small", 1)).isEmpty();
  }

  @Test
  void a_median_is_the_measure_itself() {
    Aim aim =
        new Aim.Median(
            "x.share",
            List.of("small", "large"),
            BlockMeasure.WHOLE_SHARE,
            "ours",
            Bound.atLeast(0.9),
            "");
    List<BlockResult> blocks =
        List.of(
            recovery("ours", "small", 0, 1, 80, 20),
            recovery("ours", "small", 1, 1, 95, 5),
            recovery("ours", "large", 0, 1, 100, 0));

    LabFigure figure = Figures.of(List.of(aim), blocks, "small", 1).get(0);

    assertThat(figure.measured()).isEqualTo(0.95);
    assertThat(figure.low()).isEqualTo(0.8);
    assertThat(figure.high()).isEqualTo(1);
    assertThat(figure.reached()).isTrue();
    assertThat(figure.atMost()).isFalse();
    assertThat(figure.arms()).containsExactly("ours");
    assertThat(Figures.of(List.of(aim), List.of(), "small", 1)).isEmpty();
  }

  @Test
  void a_figure_of_what_some_block_has_not_met_is_left_out() {
    List<BlockResult> blocks = new ArrayList<>();
    for (int repeat = 0; repeat < 2; repeat++) {
      blocks.add(degraded("ours", repeat, 100 + repeat));
      blocks.add(degraded("stock", repeat, 400));
    }
    Aim aim =
        new Aim.Ratio(
            "x.degraded",
            List.of("scale"),
            BlockMeasure.DEGRADED_MICROS,
            "ours",
            "stock",
            Bound.atMost(0.5),
            "");

    assertThat(Figures.of(List.of(aim), blocks, "small", 1).get(0).measured())
        .isCloseTo(0.25, Offset.offset(0.01));

    blocks.add(block("ours", "scale", 2, 1));
    blocks.add(degraded("stock", 2, 400));
    assertThat(Figures.of(List.of(aim), blocks, "small", 1)).isEmpty();
  }

  @Test
  void compares_slow_reads_and_counts_switches_of_an_endpoint_in_a_minute() {
    List<BlockResult> blocks = new ArrayList<>();
    for (int repeat = 0; repeat < 3; repeat++) {
      blocks.add(slowReads("stock", repeat, 30_000));
      blocks.add(
          slowReads("ours", repeat, 12_000)
              .withCounters(Map.of(Counters.SWITCHES, 4L, Counters.SWITCH_SECONDS, 300L)));
    }
    Aim p99 =
        new Aim.Ratio(
            "x.p99",
            List.of("slow"),
            BlockMeasure.READ_P99_MICROS,
            "ours",
            "stock",
            Bound.atMost(0.5),
            "");
    Aim ours = switches("ours");

    List<LabFigure> figures = Figures.of(List.of(p99, ours, switches("stock")), blocks, "small", 1);

    assertThat(figures).extracting(LabFigure::id).containsExactly("x.p99", "x.switches_ours");
    assertThat(figures.get(0).measured()).isEqualTo(0.4);
    assertThat(figures.get(1).measured()).isEqualTo(0.8);
    assertThat(figures.get(1).reached()).isTrue();
  }

  private static Aim switches(String arm) {
    return new Aim.Median(
        "x.switches_" + arm,
        List.of("slow"),
        BlockMeasure.SWITCHES_PER_MINUTE,
        arm,
        Bound.atMost(1),
        "");
  }

  private static BlockResult slowReads(String arm, int repeat, long p99Micros) {
    return new BlockResult(
        arm,
        "slow",
        repeat,
        1000,
        0,
        1,
        Map.of("read", new LatencySummary(1000, 1, p99Micros, p99Micros, p99Micros, "")),
        new NodeCost(0, 0, 0, 0, 0, 0, 0, Map.of(), 0));
  }

  private static BlockResult degraded(String arm, int repeat, long micros) {
    Histogram latencies = new Histogram(3);
    latencies.recordValue(micros);
    return new BlockResult(
        arm,
        "scale",
        repeat,
        1000,
        0,
        1,
        Map.of(BlockMeasure.DEGRADED_READ, LatencySummary.of(latencies)),
        new NodeCost(0, 0, 0, 0, 0, 0, 0, Map.of(), 0));
  }

  private static Aim recoveryAim(Bound asked) {
    return new Aim.Ratio(
        "x.recovery",
        List.of("small", "large"),
        BlockMeasure.RECOVERY_SECONDS,
        "ours",
        "stock",
        asked,
        "");
  }

  private static LabFigure recoveryFigure(List<BlockResult> blocks, Bound asked) {
    return Figures.of(List.of(recoveryAim(asked)), blocks, "small", 1).get(0);
  }

  /** Its comparison at the end, which is not part of its time, takes 100 s. */
  private static BlockResult recovery(
      String arm, String phase, int repeat, double seconds, long whole, long sections) {
    return block(arm, phase, repeat, seconds)
        .withParts(
            Map.of(BlockResult.STREAM, seconds, BlockResult.VERIFY, 100.0),
            Map.of(BlockResult.WHOLE, whole, BlockResult.SECTIONS, sections));
  }

  private static void add(
      List<BlockResult> blocks, int repeat, String arm, double writeSeconds, double readSeconds) {
    blocks.add(block(arm, "load", repeat, writeSeconds));
    blocks.add(block(arm, "read", repeat, readSeconds));
  }

  private static BlockResult block(String arm, String phase, int repeat, double seconds) {
    return new BlockResult(
        arm,
        phase,
        repeat,
        1000,
        0,
        seconds,
        Map.of(),
        new NodeCost(0, 0, 0, 0, 0, 0, 0, Map.of(), 0));
  }
}
