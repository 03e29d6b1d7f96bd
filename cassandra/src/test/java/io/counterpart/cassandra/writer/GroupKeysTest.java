package io.counterpart.cassandra.writer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GroupKeysTest {
  @ParameterizedTest(name = "{0} keys in {1} MiB, closed at {2} MiB → {3}")
  @CsvSource({
    "1000000, 100, 1024, 1000000",
    "20000000, 20480, 1024, 1000000",
    "1500000, 1536, 1024, 1500000",
    "3000000, 3072, 1024, 1000000",
    "0, 0, 1024, 1"
  })
  void a_filter_is_for_the_partitions_of_one_output(long keys, long mib, long limit, long each) {
    assertThat(GroupKeys.inOneOutput(keys, mib << 20, limit << 20)).isEqualTo(each);
  }
}
