package io.counterpart.core.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RunPolicyTest {

  @Test
  void unlimited_never_merges() {
    List<Long> many = Collections.nCopies(5000, 1L);

    assertThat(new MergeAll(RunPolicy.UNLIMITED).pick(many)).isEmpty();
    assertThat(new Tiered(RunPolicy.UNLIMITED).pick(many)).isEmpty();
  }

  @Test
  void both_keep_the_bound_and_tiered_writes_less() {
    long seed = Long.getLong("seed", System.nanoTime());
    for (int s : new int[] {1, 2, 3, 10, 20}) {
      long mergeAll = bytesWritten(new MergeAll(s), 1000, new Random(seed));
      long tiered = bytesWritten(new Tiered(s), 1000, new Random(seed));

      assertThat(tiered).as("S %d, seed %d", s, seed).isLessThanOrEqualTo(mergeAll);
    }
  }

  @Test
  void rejects_s_below_1() {
    assertThatThrownBy(() -> new Tiered(0)).hasMessage("runs 0, legal: 1 and above");
    assertThatThrownBy(() -> new MergeAll(-1)).hasMessage("runs -1, legal: 1 and above");
  }

  private static long bytesWritten(RunPolicy policy, int arrivals, Random random) {
    List<Long> runs = new ArrayList<>();
    long written = 0;
    for (int i = 0; i < arrivals; i++) {
      runs.add(50L + random.nextInt(100));
      List<Integer> picked = policy.pick(runs);
      if (!picked.isEmpty()) {
        long merged = picked.stream().mapToLong(runs::get).sum();
        written += merged;
        List<Long> left = new ArrayList<>();
        for (int index = 0; index < runs.size(); index++) {
          if (!picked.contains(index)) {
            left.add(runs.get(index));
          }
        }
        left.add(merged);
        runs = left;
      }
      assertThat(runs).hasSizeLessThanOrEqualTo(policy.maxRuns());
    }
    return written;
  }
}
