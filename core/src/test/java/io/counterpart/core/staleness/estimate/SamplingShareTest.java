package io.counterpart.core.staleness.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.counterpart.testkit.random.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Seconds of writes, each taken or not; a write is late or not, as its second says. */
@ExtendWith(SeededRandom.class)
class SamplingShareTest {
  private static final long SECOND = 1_000_000_000;
  private static final double EPSILON = 0.01;

  private final SamplingShare share = new SamplingShare(ErrorBudget.HOURLY, 0);
  private final List<WriteSample> samples = new ArrayList<>();
  private Random random;
  private long now;
  private SamplingShare.Even even;

  @BeforeEach
  void start(Random seeded) {
    random = seeded;
  }

  @Test
  void every_write_is_a_sample_while_they_are_not_more_than_enough() {
    for (int second = 0; second < 30; second++) {
      assertThat(second(260, EPSILON, false)).isEqualTo(260);
    }
    assertThat(counted()).hasSize(30 * 260);
  }

  @Test
  void of_1055_writes_a_second_a_quarter_bounds_one_percent() {
    seconds(10, 1_055, EPSILON);

    assertThat(second(20_000, EPSILON, false)).isCloseTo(5_000, within(1_500));
  }

  @Test
  void a_smaller_bound_takes_a_little_more_than_is_remembered() {
    seconds(20, 20_000, 0.0001);

    // 1.1 times 20,480 in 30 s
    assertThat(second(20_000, 0.0001, false)).isCloseTo(751, within(200));
  }

  @Test
  void some_are_always_drawn_so_that_a_replica_that_owes_them_is_found() {
    seconds(30, 20_000, 0.99);

    assertThat(second(200_000, 0.99, false)).isBetween(10, 1_000);
  }

  @Test
  void the_share_rises_at_once_and_falls_slowly() {
    second(20_000, EPSILON, false);
    assertThat(second(10_000, EPSILON, false)).isCloseTo(8_000, within(300));
    seconds(20, 20_000, EPSILON);
    assertThat(second(10_000, EPSILON, false)).isLessThan(300);

    second(10, EPSILON, false);
    assertThat(second(1_000, EPSILON, false)).isEqualTo(1_000);
  }

  @Test
  void a_second_look_at_the_same_moment_changes_nothing() {
    seconds(20, 20_000, EPSILON);
    share.adapt(EPSILON, now);
    share.adapt(EPSILON, now);

    assertThat(second(20_000, EPSILON, false)).isCloseTo(263, within(150));
  }

  @Test
  void writes_that_become_no_samples_do_not_lower_the_share() {
    for (int second = 0; second < 20; second++) {
      for (int i = 0; i < 20_000; i++) {
        share.takes(random.nextDouble());
      }
      second(100, EPSILON, false);
    }
    assertThat(second(100, EPSILON, false)).isEqualTo(100);
  }

  /** Of all 30 s some 2 % were late, and of the samples without more ado a quarter of that. */
  @Test
  void lateness_that_goes_with_the_load_counts_as_often_as_it_happens() {
    seconds(25, 500, EPSILON);
    for (int rate = 1_000; rate <= 16_000; rate *= 2) {
      second(rate, EPSILON, rate == 16_000);
    }
    for (int second = 0; second < 5; second++) {
      second(16_000, EPSILON, true);
    }
    double lateOfAll = 6.0 * 16_000 / (25 * 500 + 1_000 + 2_000 + 4_000 + 8_000 + 6 * 16_000);

    List<WriteSample> counted = counted();
    long late = counted.stream().filter(write -> !write.hasArrived(0)).count();

    assertThat((double) late / counted.size()).isGreaterThan(0.9 * lateOfAll);
    // and still enough of them for a bound
    assertThat(counted.size()).isGreaterThan(1_979);
  }

  @Test
  void enough_are_left_for_a_bound_at_every_rate() {
    int[] rates = {100, 500, 16_000, 16_000, 300, 300, 5_000, 80, 80, 9_000};
    seconds(30, 300, EPSILON);
    for (int rate : rates) {
      for (int second = 0; second < 10; second++) {
        second(rate, EPSILON, false);
        assertThat(counted().size()).as("%d/s, after %d s", rate, second).isGreaterThan(1_979);
      }
    }
  }

  private void seconds(int seconds, int writes, double epsilon) {
    for (int second = 0; second < seconds; second++) {
      second(writes, epsilon, false);
    }
  }

  /** Returns how many were taken. */
  private int second(int writes, double epsilon, boolean late) {
    int taken = 0;
    for (int i = 0; i < writes; i++) {
      double unit = random.nextDouble();
      if (share.takes(unit)) {
        taken++;
        share.added();
        WriteSample sample = new WriteSample(1, unit, now + i * (SECOND / writes));
        sample.returned(sample.beganNanos());
        if (!late) {
          sample.arrived(0, sample.beganNanos());
        }
        samples.add(sample);
      }
    }
    now += SECOND;
    even = share.adapt(epsilon, now);
    return taken;
  }

  private List<WriteSample> counted() {
    return samples.stream()
        .filter(write -> now - write.returnedNanos() <= SampledWrites.REMEMBERED.toNanos())
        .filter(even::has)
        .toList();
  }
}
