package io.counterpart.core.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DensityTest {
  @Test
  void inserts_of_two_sstables_never_overlap() {
    Popularity popularity = Popularity.none();

    Density both = Density.inserts(0.25, popularity).union(Density.inserts(0.5, popularity));

    assertThat(both.present(popularity)).isEqualTo(0.75);
  }

  @Test
  void expected_distinct_keys_agree_with_drawn_keys() {
    int keys = 20_000;
    double perKey = 0.7;
    double exponent = 0.99;
    Popularity popularity = Popularity.zipfian(keys, exponent);

    Density once = Density.updates(perKey, popularity);
    Density twice = once.union(Density.updates(perKey, popularity));

    Random random = new Random(7);
    BitSet drawn = new BitSet();
    draw(random, keys, exponent, perKey, drawn);
    assertThat(once.present(popularity) * keys)
        .isCloseTo(drawn.cardinality(), within(0.05 * drawn.cardinality()));
    draw(random, keys, exponent, perKey, drawn);
    assertThat(twice.present(popularity) * keys)
        .isCloseTo(drawn.cardinality(), within(0.05 * drawn.cardinality()));
  }

  private static void draw(Random random, int keys, double exponent, double perKey, BitSet drawn) {
    double[] cumulated = new double[keys];
    double sum = 0;
    for (int rank = 1; rank <= keys; rank++) {
      sum += Math.pow(rank, -exponent);
      cumulated[rank - 1] = sum;
    }
    for (int i = 0; i < perKey * keys; i++) {
      int at = java.util.Arrays.binarySearch(cumulated, random.nextDouble() * sum);
      drawn.set(at >= 0 ? at : -at - 1);
    }
  }
}
