package io.counterpart.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SstablesPerReadTest {
  @Test
  void has_the_servers_bucket_bounds() {
    long[] bounds = IntStream.range(0, 18).mapToLong(SstablesPerRead::upperBound).toArray();

    assertThat(bounds)
        .containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 17, 20, 24, 29, 35, 42);
  }

  @Test
  void takes_the_mean_of_one_phase_only() {
    SstablesPerRead before = new SstablesPerRead(new long[] {5, 100, 0, 0});
    SstablesPerRead after = new SstablesPerRead(new long[] {6, 101, 1, 1});

    SstablesPerRead phase = after.since(before);

    assertThat(phase.reads()).isEqualTo(4);
    assertThat(phase.mean()).isCloseTo((0 + 1 + 2 + 3) / 4.0, within(1e-9));
  }

  @Test
  void adds_nodes_whose_histograms_differ_in_length() {
    SstablesPerRead sum =
        SstablesPerRead.none()
            .plus(new SstablesPerRead(new long[] {0, 2}))
            .plus(new SstablesPerRead(new long[] {0, 0, 2}));

    assertThat(sum.mean()).isCloseTo(1.5, within(1e-9));
    assertThat(SstablesPerRead.none().mean()).isZero();
  }
}
