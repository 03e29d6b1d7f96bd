package io.counterpart.core.staleness.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class LooksTest {
  private static final long SECOND = 1_000_000_000;

  private final Looks looks =
      new Looks(new ErrorBudget(0.05, Duration.ofHours(1), Duration.ofSeconds(30)), 0);

  @Test
  void nothing_is_published_before_the_first_look() {
    assertThat(looks.publish(bounds(0.001), 29 * SECOND)).isEmpty();
    assertThat(looks.publish(bounds(0.001), 30 * SECOND)).contains(bounds(0.001));
  }

  @Test
  void bounds_rise_at_once_and_fall_at_the_next_look() {
    looks.publish(bounds(0.005), 30 * SECOND);

    assertThat(looks.publish(bounds(0.004), 31 * SECOND)).contains(bounds(0.005));
    assertThat(looks.publish(bounds(0.02), 32 * SECOND)).contains(bounds(0.02));
    assertThat(looks.publish(bounds(0.001), 59 * SECOND)).contains(bounds(0.02));
    assertThat(looks.publish(bounds(0.001), 60 * SECOND)).contains(bounds(0.001));
  }

  @Test
  void samples_that_run_out_are_noticed_before_the_next_look() {
    looks.publish(bounds(0.005), 30 * SECOND);

    StaleBounds few = new StaleBounds(10, 0.05, List.of(new StaleBounds.Bound(0, 0, 1)));
    StaleBounds published = looks.publish(few, 31 * SECOND).orElseThrow();
    assertThat(published.suffices(0.02)).isFalse();
  }

  @Test
  void a_missed_look_is_made_up_once() {
    looks.publish(bounds(0.005), 100 * SECOND);

    assertThat(looks.publish(bounds(0.001), 101 * SECOND)).contains(bounds(0.005));
    assertThat(looks.publish(bounds(0.001), 120 * SECOND)).contains(bounds(0.001));
  }

  private static StaleBounds bounds(double high) {
    return new StaleBounds(1_000, 0.05, List.of(new StaleBounds.Bound(0, 0, high)));
  }
}
