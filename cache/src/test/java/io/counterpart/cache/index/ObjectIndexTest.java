package io.counterpart.cache.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.counterpart.testkit.random.SeededRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SeededRandom.class)
class ObjectIndexTest {
  private static final int LAST = (1 << ObjectIndex.FINGERPRINT_BITS) - 1;

  private final ObjectIndex index = new ObjectIndex();

  /** The naive index: fingerprint → places. */
  private final Map<Integer, TreeSet<Long>> model = new HashMap<>();

  @Test
  void agrees_with_a_map_under_random_operations(Random random) {
    List<long[]> present = new ArrayList<>();

    for (int i = 0; i < 160_000; i++) {
      // grows to tens of thousands, shrinks, grows again
      boolean growing = i % 80_000 < 55_000;
      if (present.isEmpty() || random.nextInt(10) < (growing ? 9 : 1)) {
        present.add(addRandom(random));
      } else {
        int which = random.nextInt(present.size());
        long[] object = present.set(which, present.get(present.size() - 1));
        present.remove(present.size() - 1);
        if (random.nextInt(4) == 0) {
          present.add(replaceRandom(object, random));
        } else {
          assertThat(index.remove(object[0], (int) object[1], (int) object[2])).isTrue();
          forget(object);
        }
      }
      if (i % 20_000 == 0) {
        assertEqualsModel();
      }
    }

    assertEqualsModel();
    assertThat(index.size()).isEqualTo(present.size());
  }

  private long[] addRandom(Random random) {
    // one in 64 has a fingerprint that many share
    long hash =
        random.nextInt(64) == 0 ? (long) random.nextInt(50) << 40 | 5L << 61 : random.nextLong();
    while (true) {
      long[] object = {hash, random.nextInt(ObjectIndex.MAX_STRIPE + 1), random.nextInt(128)};
      if (places(object).add(place(object))) {
        index.add(hash, (int) object[1], (int) object[2]);
        return object;
      }
    }
  }

  private long[] replaceRandom(long[] object, Random random) {
    long[] moved = {object[0], random.nextInt(1000), random.nextInt(128)};
    if (places(moved).contains(place(moved))) {
      return object;
    }
    index.add(moved[0], (int) moved[1], (int) moved[2]);
    assertThat(index.remove(object[0], (int) object[1], (int) object[2])).isTrue();
    forget(object);
    places(moved).add(place(moved));
    return moved;
  }

  private TreeSet<Long> places(long[] object) {
    return model.computeIfAbsent(ObjectIndex.fingerprint(object[0]), f -> new TreeSet<>());
  }

  private void forget(long[] object) {
    places(object).remove(place(object));
  }

  private static long place(long[] object) {
    return object[1] << 7 | object[2];
  }

  private void assertEqualsModel() {
    model.forEach(
        (fingerprint, places) -> {
          long hash = (long) fingerprint << 35 | 12345;
          List<Long> found = new ArrayList<>();
          for (long at = index.find(hash); at != ObjectIndex.NONE; at = index.findNext(hash, at)) {
            found.add(at);
          }
          if (!found.equals(List.copyOf(places))) {
            throw new AssertionError(fingerprint + ": " + found + ", expected " + places);
          }
        });
    long[] last = {-1, 0};
    index.forEach(
        0,
        LAST,
        (fingerprint, stripe, slot) -> {
          boolean known = model.get(fingerprint).contains((long) stripe << 7 | slot);
          if (fingerprint < last[0] || !known) {
            throw new AssertionError(fingerprint + " " + stripe + " " + slot);
          }
          last[0] = fingerprint;
          last[1]++;
        });
    assertThat(last[1]).isEqualTo(index.size());
  }

  @Test
  void takes_at_most_9_6_bytes_an_object_from_100_000_up() {
    SplittableRandom random = new SplittableRandom(11);
    double most = 0;
    double sum = 0;
    int samples = 0;

    for (int i = 1; i <= 600_000; i++) {
      index.add(random.nextLong(), i >>> 6, i & 63);
      if (i >= 100_000 && i % 1_000 == 0) {
        double bytes = (double) index.bytesUsed() / i;
        most = Math.max(most, bytes);
        sum += bytes;
        samples++;
        assertThat(index.fill()).isBetween(0.83, 0.94);
      }
    }

    assertThat(most).isLessThanOrEqualTo(9.6);
    assertThat(sum / samples).isLessThan(9.2);
  }

  @Test
  void gives_candidates_of_other_keys_as_seldom_as_29_bits_promise() {
    SplittableRandom random = new SplittableRandom(12);
    int objects = 300_000;
    for (int i = 0; i < objects; i++) {
      index.add(random.nextLong(), i >>> 6, i & 63);
    }
    int falseMatches = 0;
    int lookUps = 1_000_000;

    for (int i = 0; i < lookUps; i++) {
      if (index.find(random.nextLong()) != ObjectIndex.NONE) {
        falseMatches++;
      }
    }

    double expected = (double) lookUps * objects / (1 << 29);
    assertThat((double) falseMatches).isCloseTo(expected, within(5 * Math.sqrt(expected)));
  }

  @Test
  void holds_any_number_of_objects_of_one_fingerprint() {
    for (int i = 0; i < 4_000; i++) {
      index.add(-1L, 3_999 - i, 127);
    }

    assertThat(index.size()).isEqualTo(4_000);
    assertThat(index.find(-1L)).isEqualTo(127);
    assertThat(ObjectIndex.stripe(index.findNext(-1L, 777L << 7 | 127))).isEqualTo(778);
    assertThat(index.find(-1L - (1L << 35))).isEqualTo(ObjectIndex.NONE);
    for (int i = 0; i < 4_000; i++) {
      assertThat(index.remove(-1L, i, 127)).isTrue();
    }
    assertThat(index.find(-1L)).isEqualTo(ObjectIndex.NONE);
  }

  @Test
  void visits_the_fingerprints_of_a_range_only(Random random) {
    TreeSet<Integer> fingerprints = new TreeSet<>();
    for (int i = 0; i < 60_000; i++) {
      long hash = random.nextLong();
      index.add(hash, i, 0);
      fingerprints.add(ObjectIndex.fingerprint(hash));
    }

    assertVisitsRanges(20, fingerprints, random);
  }

  @Test
  void visits_ranges_of_unevenly_spread_fingerprints(Random random) {
    TreeSet<Integer> fingerprints = new TreeSet<>();
    for (int i = 0; i < 200_000; i++) {
      // two thirds of them in the upper half, whose segments are cut earlier
      long hash = i % 3 == 0 ? random.nextLong() >>> 1 : random.nextLong() | Long.MIN_VALUE;
      index.add(hash, i, 0);
      fingerprints.add(ObjectIndex.fingerprint(hash));
    }

    assertVisitsRanges(100, fingerprints, random);
  }

  private void assertVisitsRanges(int ranges, TreeSet<Integer> fingerprints, Random random) {
    int[] all = fingerprints.stream().mapToInt(Integer::intValue).toArray();
    for (int i = 0; i < ranges; i++) {
      int first = random.nextInt(LAST);
      int last = first + random.nextInt(LAST - first);
      int[] seen = new int[all.length];
      int[] count = new int[1];
      index.forEach(
          first,
          last,
          (fingerprint, stripe, slot) -> {
            if (count[0] == 0 || seen[count[0] - 1] != fingerprint) {
              seen[count[0]++] = fingerprint;
            }
          });
      assertThat(Arrays.copyOf(seen, count[0]))
          .isEqualTo(Arrays.stream(all).filter(one -> one >= first && one <= last).toArray());
    }
  }

  @Test
  void refuses_illegal_places() {
    index.add(99, 5, 7);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> index.add(99, ObjectIndex.MAX_STRIPE + 1, 0))
        .withMessage("stripe 268435455, legal: 0 to 268435454");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> index.add(99, 0, 128))
        .withMessage("slot 128, legal: 0 to 127");
    assertThat(index.remove(99, 5, 8)).isFalse();
    assertThat(index.size()).isEqualTo(1);
  }

  @Test
  void keys_of_one_column_may_share_a_fingerprint() {
    index.add(99, 5, 7);
    index.add(98, 5, 7);
    assertThat(index.size()).isEqualTo(2);
    assertThat(index.findNext(99, index.find(99))).isEqualTo(ObjectIndex.NONE);

    assertThat(index.remove(98, 5, 7)).isTrue();
    assertThat(ObjectIndex.stripe(index.find(99))).isEqualTo(5);
    assertThat(ObjectIndex.slot(index.find(99))).isEqualTo(7);

    assertThat(index.remove(99, 5, 7)).isTrue();
    assertThat(index.find(99)).isEqualTo(ObjectIndex.NONE);
    assertThat(index.remove(99, 5, 7)).isFalse();
  }
}
