package io.counterpart.cache.coding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
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
    List<String> wrong = new ArrayList<>();
    for (int round = 0; round < 2; round++) {
      for (int bits = 0; bits < 1 << 14; bits++) {
        // of patterns that share a place, some differ only in what is used, some in what is wanted
        String byUsed = patterns.get(bits, 1);
        String byWanted = patterns.get(7, bits);
        if (!byUsed.equals(bits + "→1") || !byWanted.equals("7→" + bits)) {
          wrong.add(bits + ": " + byUsed + ", " + byWanted);
        }
      }
    }

    assertThat(wrong).isEmpty();
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
