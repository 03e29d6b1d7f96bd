package io.counterpart.core.selection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HedgeBudgetTest {
  private static final int LOOKS_IN_TEN_SECONDS = 100;
  private static final long WAIT_MICROS = 1_000;

  private final HedgeBudget budget = new HedgeBudget(0.05);
  private long reads;
  private long hedges;

  @Test
  void few_hedges_are_allowed_for_ever() {
    look(100, 0);
    for (int i = 0; i < 1_000; i++) {
      boolean allowed = look(100, 3);
      if (i > 50) {
        assertThat(allowed).as("look %d", i).isTrue();
      }
    }
  }

  @Test
  void hedging_of_all_reads_stays_within_the_share_of_each_ten_seconds() {
    for (int i = 0; i < LOOKS_IN_TEN_SECONDS; i++) {
      look(100, 0);
    }
    Deque<Integer> window = new ArrayDeque<>();
    boolean allowed = true;
    long inAll = 0;
    for (int i = 0; i < 1_000; i++) {
      int hedged = allowed ? 100 : 0;
      inAll += hedged;
      window.add(hedged);
      if (window.size() > LOOKS_IN_TEN_SECONDS) {
        window.remove();
      }
      allowed = look(100, hedged);
      assertThat(window.stream().mapToInt(Integer::intValue).sum()).isLessThanOrEqualTo(500);
    }
    assertThat(inAll).as("it hedges what it may").isGreaterThan(1_000 * 100 * 3 / 100);
  }

  @Test
  void load_that_changes_exceeds_the_share_by_one_look_at_most() {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    long[] readsOf = new long[2_000];
    long[] hedgesOf = new long[readsOf.length];
    boolean allowed = false;
    for (int i = 0; i < readsOf.length; i++) {
      int now = random.nextInt(0, 200);
      readsOf[i] = now;
      hedgesOf[i] = allowed ? now : 0;
      allowed = look(now, (int) hedgesOf[i]);
      long readsInAll = 0;
      long hedgesInAll = 0;
      for (int j = Math.max(0, i - LOOKS_IN_TEN_SECONDS + 1); j <= i; j++) {
        readsInAll += readsOf[j];
        hedgesInAll += hedgesOf[j];
      }
      assertThat((double) hedgesInAll)
          .as("look %d of seed %d", i, seed)
          .isLessThanOrEqualTo(0.05 * readsInAll + 200);
    }
  }

  @Test
  void counts_that_begin_anew_are_no_negative_reads() {
    look(1_000, 10);
    look(1_000, 10);
    reads = 0;
    hedges = 0;

    assertThat(look(10, 0)).as("1,000 reads with 10 hedges").isTrue();
    assertThat(look(100, 0))
        .as("1,100 reads, and 100 may be hedged before the next look")
        .isFalse();
    assertThat(look(10, 0)).isTrue();
  }

  @Test
  void nothing_is_allowed_before_reads_were_counted() {
    assertThat(look(0, 0)).isFalse();
    assertThat(look(0, 0)).isFalse();
    assertThat(look(19, 0)).as("all of 19 reads are more than a twentieth").isFalse();
  }

  @Test
  void reads_that_wait_already_are_kept_in_reserve() {
    HedgeBudget patient = new HedgeBudget(0.05);
    for (int i = 1; i <= LOOKS_IN_TEN_SECONDS + 1; i++) {
      patient.allows(100L * i, 0, 300_000);
    }
    assertThat(patient.allows(10_200, 100, 300_000)).as("four looks and 100 of 500").isTrue();
    assertThat(patient.allows(10_300, 101, 300_000)).isFalse();
  }

  @Test
  void shares_out_of_range_are_refused() {
    for (double bad : new double[] {0, 0.019, 0.51, -1, Double.NaN}) {
      assertThatThrownBy(() -> new HedgeBudget(bad))
          .hasMessage("share is " + bad + ", legal: 0.02 to 0.5");
    }
  }

  private boolean look(int moreReads, int moreHedges) {
    reads += moreReads;
    hedges += moreHedges;
    return budget.allows(reads, hedges, WAIT_MICROS);
  }
}
