package io.counterpart.lab.workload.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SeededZipfianTest {
  private static final int ITEMS = 1_000;

  @Test
  void repeats_its_keys_for_the_same_seed_only() {
    assertThat(draw(5, 10_000)).isEqualTo(draw(5, 10_000));
    assertThat(draw(6, 10_000)).isNotEqualTo(draw(5, 10_000));
  }

  @Test
  void stays_in_range_and_reaches_most_keys() {
    long[] keys = draw(5, 200_000);

    assertThat(Arrays.stream(keys).min().orElseThrow()).isNotNegative();
    assertThat(Arrays.stream(keys).max().orElseThrow()).isLessThan(ITEMS);
    assertThat(Arrays.stream(keys).distinct().count()).isGreaterThan(ITEMS / 2);
  }

  @Test
  void gives_the_hottest_key_its_zipfian_share() {
    long[] counts = new long[ITEMS];
    Arrays.stream(draw(5, 200_000)).forEach(key -> counts[(int) key]++);
    double zeta = LongStream.rangeClosed(1, ITEMS).mapToDouble(i -> Math.pow(i, -0.99)).sum();

    double share = Arrays.stream(counts).max().orElseThrow() / 200_000.0;

    // at least its own share; scrambling may put a cold key on the same place
    assertThat(share).isCloseTo(1 / zeta, within(0.02));
  }

  @Test
  void names_the_legal_skew() {
    assertThatThrownBy(() -> new SeededZipfian(10, 1.0, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("theta 1.0");
  }

  private static long[] draw(long seed, int count) {
    SeededZipfian zipfian = new SeededZipfian(ITEMS, 0.99, seed);
    return LongStream.range(0, count).map(i -> zipfian.nextValue()).toArray();
  }
}
