package io.counterpart.cache.coded.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.testkit.random.SeededRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Copies of an entry on their way, with servers that are late, answer in any order, or are lost.
 */
@ExtendWith(SeededRandom.class)
class EntryRingsTest {
  private static final int ENTRIES = 5_000;
  private static final int EVENTS = 60;

  /** A copy on its way. */
  private static final class Copy {
    private final List<Integer> sentTo = new ArrayList<>();

    long bits() {
      return sentTo.stream().mapToLong(ring -> 1L << ring).reduce(0, (a, b) -> a | b);
    }
  }

  @Test
  void copies_outlive_any_rings_that_a_code_may_lose(Random random) {
    for (int i = 0; i < ENTRIES; i++) {
      follow(random);
    }
  }

  private static void follow(Random random) {
    int parity = 1 + random.nextInt(4);
    int rings = parity + 1 + random.nextInt(6);
    List<Copy> underWay = new ArrayList<>();
    for (int ring = 0; ring <= parity; ring++) {
      Copy copy = new Copy();
      copy.sentTo.add(ring);
      underWay.add(copy);
    }
    EntryRings entry = new EntryRings((1L << parity + 1) - 1);
    List<Integer> counting = new ArrayList<>();
    Set<Integer> lost = new HashSet<>();
    for (int event = 0; event < EVENTS && !underWay.isEmpty(); event++) {
      Copy copy = underWay.get(random.nextInt(underWay.size()));
      int ring = random.nextInt(rings);
      switch (random.nextInt(4)) {
        case 0 -> {
          underWay.remove(copy);
          int stored = copy.sentTo.get(random.nextInt(copy.sentTo.size()));
          entry.stored(copy.bits(), 1L << stored);
          counting.add(stored);
        }
        case 1 -> {
          if (lost.size() + copy.sentTo.size() <= parity) {
            underWay.remove(copy);
            entry.failed(copy.bits());
            lost.addAll(copy.sentTo);
          }
        }
        default -> {
          if ((entry.taken() >>> ring & 1) == 0) {
            entry.take(1L << ring);
            copy.sentTo.add(ring);
          }
        }
      }

      assertThat(counting).doesNotHaveDuplicates();
      assertThat(Collections.disjoint(counting, lost)).as("%s, %s", counting, lost).isTrue();
    }
    if (underWay.isEmpty()) {
      assertThat(counting).hasSizeGreaterThanOrEqualTo(parity + 1 - lost.size());
    }
  }
}
