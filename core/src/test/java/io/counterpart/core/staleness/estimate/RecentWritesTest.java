package io.counterpart.core.staleness.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.testkit.random.SeededRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SeededRandom.class)
class RecentWritesTest {
  private static final long HORIZON = 1_000;

  private final RecentWrites writes = new RecentWrites(64, Duration.ofNanos(HORIZON));

  @Test
  void a_session_has_written_its_own_keys_until_the_horizon() {
    writes.written(7, 1, 100);

    assertThat(writes.mayHaveWritten(7, 1, 100 + HORIZON)).isTrue();
    assertThat(writes.mayHaveWritten(7, 1, 101 + HORIZON)).isFalse();
    assertThat(writes.mayHaveWritten(7, 2, 100)).isFalse();
    assertThat(writes.mayHaveWritten(8, 1, 100)).isFalse();
  }

  @Test
  void the_time_since_a_write_is_known_until_the_horizon() {
    writes.written(7, 1, 100);

    assertThat(writes.sinceWrittenNanos(7, 130)).hasValue(30);
    assertThat(writes.sinceWrittenNanos(7, 101 + HORIZON)).isEmpty();
    assertThat(writes.sinceWrittenNanos(8, 130)).isEmpty();
  }

  /** Against a map that forgets nothing; a false yes costs freshness nothing, a false no does. */
  @Test
  void no_write_of_a_session_is_overlooked(Random random) {
    Map<Long, Long> model = new HashMap<>();
    for (int step = 0; step < 20_000; step++) {
      long key = random.nextInt(200);
      long session = random.nextInt(4);
      long now = step;
      if (random.nextInt(3) == 0) {
        writes.written(key, session, now);
        model.put(key * 10 + session, now);
      } else {
        Long written = model.get(key * 10 + session);
        if (written != null && now - written <= HORIZON) {
          assertThat(writes.mayHaveWritten(key, session, now)).isTrue();
        }
      }
    }
  }

  @Test
  void few_gaps_count_as_none() {
    ObservedGaps gaps = new ObservedGaps();
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < ObservedGaps.LEAST - 1; i++) {
      gaps.add(5);
    }
    assertThat(gaps.drawNanos(random)).isZero();

    gaps.add(5);
    assertThat(gaps.drawNanos(random)).isEqualTo(5);

    for (int i = 0; i < ObservedGaps.CAPACITY; i++) {
      gaps.add(9);
    }
    assertThat(gaps.drawNanos(random)).isEqualTo(9);
  }

  @Test
  void refuses_what_is_out_of_range() {
    assertThatThrownBy(() -> new RecentWrites(3, Duration.ZERO))
        .hasMessage("slots is 3, legal: a power of 2");
    assertThatThrownBy(() -> new FixedGap(-1)).hasMessageContaining("gap is -1 ns");
  }
}
