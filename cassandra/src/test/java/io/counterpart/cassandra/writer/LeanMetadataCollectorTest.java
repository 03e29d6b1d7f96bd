package io.counterpart.cassandra.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ClusteringComparator;
import org.apache.cassandra.io.sstable.metadata.MetadataCollector;
import org.apache.cassandra.utils.streamhist.StreamingTombstoneHistogramBuilder;
import org.apache.cassandra.utils.streamhist.TombstoneHistogram;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class LeanMetadataCollectorTest {
  private static final int WRITERS = 128;

  @BeforeAll
  static void cassandra_needs_its_defaults() {
    DatabaseDescriptor.clientInitialization();
  }

  @Test
  void statistics_of_all_outputs_of_a_rewrite_fit_into_16_mebibytes() {
    List<MetadataCollector> open = new ArrayList<>();
    long before = usedBytes();

    for (int i = 0; i < WRITERS; i++) {
      open.add(new LeanMetadataCollector(new ClusteringComparator(), new UUID(0, 1)));
    }

    assertThat(usedBytes() - before).isLessThan(16 << 20);
    assertThat(open).hasSize(WRITERS);
  }

  private static long usedBytes() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  @Test
  void droppable_tombstones_are_estimated_as_well_as_by_the_stock_collector() {
    long seed = Long.getLong("seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    StreamingTombstoneHistogramBuilder lean = LeanMetadataCollector.lean();
    List<Long> times = new ArrayList<>();
    for (int i = 0; i < 200_000; i++) {
      times.add(1_700_000_000L + (long) (30 * 86_400 * Math.pow(random.nextDouble(), 2)));
    }

    times.forEach(lean::update);

    TombstoneHistogram histogram = lean.build();
    for (int day = 1; day <= 30; day++) {
      long time = 1_700_000_000L + day * 86_400L;
      double exact = times.stream().filter(written -> written <= time).count();
      assertThat(histogram.sum(time) / times.size())
          .as("seed %d, day %d", seed, day)
          .isCloseTo(exact / times.size(), within(0.02));
    }
  }
}
