package io.counterpart.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabFigure;
import io.counterpart.lab.result.ServerCost;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
        new ServerCost(0, 0, 0, 0, 0, 0, 0, Map.of(), 0));
  }
}
