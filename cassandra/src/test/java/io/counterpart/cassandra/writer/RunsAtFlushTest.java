package io.counterpart.cassandra.writer;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cassandra.options.SplitTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunsAtFlushTest {

  @ParameterizedTest(
      name = "split={0} min_run={1}MiB most_open={2} redundant={3}MiB groups={4} → {5}")
  @CsvSource({
    "AUTO,       4, 128, 127,  32,  false",
    "AUTO,       4, 128, 128,  32,  true",
    "AUTO,       0, 128, 128,  32,  false",
    "AUTO,       4, 128, 4000, 129, false",
    "AUTO,       4, 128, 0,    0,   false",
    "FLUSH,      4, 128, 1,    128, true",
    "FLUSH,      4, 128, 9999, 129, false",
    "FLUSH,      4, 31,  9999, 32,  false",
    "BACKGROUND, 4, 128, 9999, 32,  false",
  })
  void writes_runs_where_each_group_gets_enough_and_not_too_many_are_open(
      SplitTime split,
      int minRunMebibytes,
      int mostOpen,
      long redundantMebibytes,
      int groups,
      boolean runs) {
    RunsAtFlush policy = new RunsAtFlush(split, (long) minRunMebibytes << 20, mostOpen);

    assertThat(policy.writesRuns((double) (redundantMebibytes << 20), groups)).isEqualTo(runs);
  }

  @Test
  void a_flush_is_judged_by_its_own_partitions() {
    RunsAtFlush auto = new RunsAtFlush(SplitTime.AUTO, 4 << 20, 128);
    double mean = FlushedMemtable.meanBytes(900L << 20, 1_000, 0.5);

    assertThat(auto.writesRuns(1_000 * mean, 32)).isTrue();
    assertThat(auto.writesRuns(100 * mean, 32)).isFalse();
  }

  @Test
  void the_size_of_a_flush_is_unknown_without_partitions_or_a_compressed_sstable() {
    assertThat(FlushedMemtable.meanBytes(100, 0, 0.5)).isZero();
    assertThat(FlushedMemtable.meanBytes(100, 10, -1)).isZero();
    assertThat(FlushedMemtable.meanBytes(100, 10, 1)).isEqualTo(10);
  }

  @Test
  void what_is_flushed_counts_as_it_will_be_on_disk() {
    assertThat(FlushedMemtable.bytesOnDisk(1_000, 0.4)).isEqualTo(400);
    // the ratio is not known before the first sstable
    assertThat(FlushedMemtable.bytesOnDisk(1_000, -1)).isEqualTo(1_000);
  }

  @ParameterizedTest(name = "heap={0}MiB → {1}")
  @CsvSource({"64, 8", "450, 56", "512, 64", "1024, 128", "8192, 128", "31744, 128"})
  void a_heap_allows_so_many_files_at_once(long heapMebibytes, int most) {
    assertThat(OpenWriters.most(heapMebibytes << 20)).isEqualTo(most);
  }
}
