package io.counterpart.cache.coding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DecodePatternsTest {

  private final AtomicInteger prepared = new AtomicInteger();
  private final DecodePatterns<String> patterns =
      new DecodePatterns<>(
          (used, wanted) -> {
            prepared.incrementAndGet();
            return used + "→" + wanted;
          });

  @Test
  void a_pattern_is_prepared_once() {
    String first = patterns.get(0b0111, 0b1000);

    assertThat(patterns.get(0b0111, 0b1000)).isSameAs(first).isEqualTo("7→8");
    assertThat(prepared).hasValue(1);
  }

  @Test
  void more_patterns_than_places_are_all_answered_rightly() {
    for (int round = 0; round < 2; round++) {
      for (int used = 0; used < 1 << 6; used++) {
        for (int wanted = 0; wanted < 1 << 6; wanted++) {
          assertThat(patterns.get(used, wanted)).isEqualTo(used + "→" + wanted);
        }
      }
    }
  }

  @Test
  void most_patterns_of_four_erasures_in_fourteen_keep_their_places() {
    for (int round = 0; round < 2; round++) {
      for (int wanted = 0; wanted < 1 << 14; wanted++) {
        if (Integer.bitCount(wanted) == 4) {
          patterns.get((1 << 14) - 1 ^ wanted, wanted);
        }
      }
    }

    // of 1001 patterns in 1024 places chance leaves about 37 % without a rival
    assertThat(prepared.get()).isLessThan(1001 + 1001 * 3 / 4);
  }
}
