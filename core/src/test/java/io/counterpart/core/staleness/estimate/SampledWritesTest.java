package io.counterpart.core.staleness.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.counterpart.core.staleness.estimate.SampledWrites.GapDraw;
import io.counterpart.core.staleness.estimate.SampledWrites.Prediction;
import io.counterpart.testkit.random.SeededRandom;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SeededRandom.class)
class SampledWritesTest {
  private static final double DELTA = 0.05;

  /** For random samples: with {@link #DELTA} their bounds are wrong in one run of 800. */
  private static final double TINY_DELTA = 1e-6;

  private static final long MILLI = 1_000_000;

  /** The clock's zero is anywhere, below it too. */
  private static final long START = Long.MIN_VALUE + 5;

  private static final long NOW = START + 20_000 * MILLI;

  private final SampledWrites writes = new SampledWrites(3);

  @Test
  void decisions_are_judged_by_the_worst_replicas() {
    for (int i = 0; i < 1_000; i++) {
      // replica 2 is late by 5 ms, by 50 ms every second time
      writes.add(write(-1, 0, i % 2 == 0 ? 5 : 50));
    }

    StaleBounds atOnce = bounds(0);
    assertThat(atOnce.samples()).isEqualTo(1_000);
    assertThat(atOnce.reads(1).mean()).isEqualTo(1);
    assertThat(atOnce.reads(2).mean()).isZero();
    assertThat(bounds(10).reads(1).mean()).isEqualTo(0.5);
    assertThat(bounds(100).reads(1).mean()).isZero();
  }

  /** PBS's mean over any replicas would allow one replica: a third of 2 % is below 1 %. */
  @Test
  void bounds_hold_for_a_snitch_that_always_asks_the_late_replica() {
    int n = 12_000;
    int stale = 0;
    for (int i = 0; i < n; i++) {
      boolean late = i % 50 == 0;
      writes.add(write(-1, 0, late ? 5 : 0));
      stale += late ? 1 : 0;
    }

    double measured = (double) stale / n;
    assertThat(bounds(0).reads(1).high()).isGreaterThanOrEqualTo(measured);
    assertThat(bounds(0).reads(1).mean()).isCloseTo(measured, within(1e-9));
    assertThat(bounds(0).reads(2).mean()).isZero();
    // the prediction shows both, under their names
    Prediction predicted = writes.predicted(2, 4 * MILLI, DELTA, NOW);
    assertThat(predicted.any().reads(1).mean()).isCloseTo(measured / 3, within(1e-9));
    assertThat(predicted.worst().reads(1).mean()).isCloseTo(measured, within(1e-9));
  }

  @Test
  void replicas_that_are_late_together_count_together() {
    for (int i = 0; i < 900; i++) {
      // each alone in a third of the writes, the last two together in a ninth
      writes.add(write(i % 3 == 0 ? 5 : 0, i % 3 == 1 ? 5 : 0, i % 3 == 2 || i % 9 == 1 ? 5 : 0));
    }

    assertThat(bounds(0).reads(1).mean()).isCloseTo(4.0 / 9, within(1e-9));
    assertThat(bounds(0).reads(2).mean()).isCloseTo(1.0 / 9, within(1e-9));
    assertThat(bounds(0).reads(3).mean()).isZero();
  }

  /**
   * At t = 0, R = W = 1, N = 3 two of three replicas lack the write: PBS's C(N − W, R) ÷ C(N, R).
   */
  @Test
  void predicts_by_the_order_of_acknowledgements() {
    for (int i = 0; i < 1_000; i++) {
      writes.add(write(1, 2, 3));
    }

    assertThat(predicted(1, 0).reads(1).mean()).isCloseTo(2.0 / 3, within(1e-9));
    assertThat(predicted(2, 0).reads(1).mean()).isCloseTo(1.0 / 3, within(1e-9));
    assertThat(predicted(2, 0).reads(2).mean()).isZero();
    assertThat(predicted(3, 0).reads(1).mean()).isZero();
    assertThat(predicted(1, 1 * MILLI).reads(1).mean()).isCloseTo(1.0 / 3, within(1e-9));
  }

  @Test
  void a_missing_acknowledgement_is_late_and_a_time_to_come_is_no_evidence() {
    WriteSample missing = new WriteSample(3);
    missing.arrived(0, NOW - 5 * MILLI);
    missing.returned(NOW - 5 * MILLI);
    writes.add(missing);

    assertThat(missing.lateAt(4 * MILLI, NOW)).isEqualTo(0b110);
    assertThat(missing.lateAt(5 * MILLI, NOW)).isEqualTo(WriteSample.UNKNOWN);
    assertThat(bounds(5).samples()).isZero();
    // not even once all have acknowledged: the quick ones would be counted first
    missing.arrived(1, NOW);
    missing.arrived(2, NOW);
    assertThat(missing.lateAt(5 * MILLI, NOW)).isEqualTo(WriteSample.UNKNOWN);
  }

  @Test
  void writes_of_more_than_thirty_seconds_ago_are_forgotten() {
    writes.add(write(0, 0, 0));

    assertThat(writes.size(START + SampledWrites.REMEMBERED.toNanos())).isEqualTo(1);
    assertThat(writes.size(START + SampledWrites.REMEMBERED.toNanos() + 1)).isZero();
  }

  @Test
  void memory_is_bounded() {
    for (int i = 0; i < SampledWrites.CAPACITY + 100; i++) {
      writes.add(write(0, 0, 0));
    }

    assertThat(writes.size(NOW)).isEqualTo(SampledWrites.CAPACITY);
  }

  @Test
  void a_replica_that_owes_three_writes_is_suspect() {
    for (int i = 0; i < SampledWrites.SUSPECT_WRITES; i++) {
      assertThat(writes.suspects(START + 1_001 * MILLI)).isZero();
      WriteSample write = write(0, 0);
      writes.add(write);
    }

    assertThat(writes.suspects(START + 1_000 * MILLI)).isZero();
    assertThat(writes.suspects(START + 1_001 * MILLI)).isEqualTo(0b100);
    assertThat(writes.suspects(START + 5_001 * MILLI)).isZero();
  }

  @Test
  void bounds_cover_what_a_model_of_delays_gives(Random random) {
    double late = 0.05;
    SplittableRandom draws = new SplittableRandom(random.nextLong());
    for (int i = 0; i < 5_000; i++) {
      writes.add(
          write(0, draws.nextDouble() < late ? 5 : -1, draws.nextDouble() < late / 2 ? 5 : -1));
    }

    StaleBounds.Bound worst = bounds(0, TINY_DELTA).reads(1);
    assertThat(worst.low()).isLessThan(late);
    assertThat(worst.high()).isGreaterThan(late);
    assertThat(bounds(0, TINY_DELTA).reads(2).high()).isGreaterThan(late * late / 2);
  }

  @Test
  void refuses_what_is_out_of_range() {
    assertThatThrownBy(() -> new WriteSample(11)).hasMessage("replicas is 11, legal: 1 to 10");
    assertThatThrownBy(() -> writes.add(new WriteSample(2)))
        .hasMessage("a write of 2 replicas, legal: 3");
  }

  private StaleBounds bounds(long gapMillis) {
    return bounds(gapMillis, DELTA);
  }

  private StaleBounds bounds(long gapMillis, double delta) {
    GapDraw draw = new GapDraw(new FixedGap(gapMillis * MILLI), new SplittableRandom(1));
    return writes.bounds(draw, 0, delta, NOW);
  }

  private StaleBounds predicted(int w, long afterNanos) {
    return writes.predicted(w, afterNanos, DELTA, NOW).any();
  }

  /** Acknowledged so many ms after the return; the replicas beyond do not. */
  private static WriteSample write(long... ackMillis) {
    WriteSample write = new WriteSample(3);
    for (int i = 0; i < ackMillis.length; i++) {
      write.arrived(i, START + ackMillis[i] * MILLI);
    }
    write.returned(START);
    return write;
  }
}
