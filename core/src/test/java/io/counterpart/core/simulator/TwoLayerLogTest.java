package io.counterpart.core.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.counterpart.core.runs.BatchPolicy;
import io.counterpart.core.runs.MergeAll;
import io.counterpart.core.runs.RunPolicy;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The log counted by hand; one segment is one unit, a split takes two. */
class TwoLayerLogTest {
  private static final double UNIT = 1 << 20;
  private static final int GROUPS = 8;

  @Test
  void merges_everything_when_a_run_meets_s_runs() {
    TwoLayerLog log = log(2);

    Map<Compaction.Cause, Double> written = write(log, 11);

    // five splits of two units; the third run merges 6 units, the fifth 6 + 2 + 2
    assertThat(written.get(Compaction.Cause.SPLIT)).isCloseTo(10 * UNIT, within(1.0));
    assertThat(written.get(Compaction.Cause.MERGE)).isCloseTo(16 * UNIT, within(1.0));
    assertThat(log.tables()).isEqualTo(GROUPS + 1);
    assertThat(log.covering(0.5)).hasSize(2);
  }

  @Test
  void s_of_one_keeps_a_group_in_one_run() {
    TwoLayerLog log = log(1);

    Map<Compaction.Cause, Double> written = write(log, 8);

    assertThat(written.get(Compaction.Cause.MERGE)).isCloseTo((4 + 6 + 8) * UNIT, within(1.0));
    assertThat(log.covering(0.5)).hasSize(1);
  }

  @Test
  void unlimited_s_never_merges() {
    TwoLayerLog log = log(RunPolicy.UNLIMITED);

    Map<Compaction.Cause, Double> written = write(log, 8);

    assertThat(written).doesNotContainKey(Compaction.Cause.MERGE);
    assertThat(log.covering(0.5)).hasSize(4);
  }

  private static TwoLayerLog log(int runs) {
    Population population = new Population(20 * UNIT / 1024, 1024, Popularity.none());
    BatchPolicy splits = new BatchPolicy(2, 2, 0, Duration.ofDays(1));
    return new TwoLayerLog(population, splits, new MergeAll(runs), GROUPS);
  }

  private static Map<Compaction.Cause, Double> write(TwoLayerLog log, int segments) {
    Map<Compaction.Cause, Double> written = new EnumMap<>(Compaction.Cause.class);
    for (int i = 0; i < segments; i++) {
      log.add(Density.inserts(1.0 / 20, Popularity.none()));
      Optional<Compaction> done = log.compact();
      while (done.isPresent()) {
        written.merge(done.get().cause(), done.get().writtenBytes(), Double::sum);
        done = log.compact();
      }
    }
    return written;
  }
}
