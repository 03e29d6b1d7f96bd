package io.counterpart.cassandra.engine.flush;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import org.apache.cassandra.utils.concurrent.AsyncPromise;
import org.junit.jupiter.api.Test;

class KeyspaceSpillsTest {
  private final KeyspaceSpills spills = new KeyspaceSpills();

  @Test
  void who_waits_for_flushes_before_it_reads_sstables_counts_until_these_have_ended()
      throws Exception {
    AsyncPromise<Void> flushes = new AsyncPromise<>();
    spills.touch(() -> flushes);
    Thread.sleep(500);
    assertThat(spills.running()).isOne();

    long endNanos = System.nanoTime();
    flushes.setSuccess(null);

    assertThat(spills.running()).isZero();
    Duration quiet = spills.quiet();
    assertThat(quiet).isLessThanOrEqualTo(Duration.ofNanos(System.nanoTime() - endNanos));
  }

  @Test
  void flushes_that_failed_have_ended_too() {
    AsyncPromise<Void> flushes = new AsyncPromise<>();
    spills.touch(() -> flushes);

    flushes.setFailure(new IllegalStateException("disk full"));

    assertThat(spills.running()).isZero();
  }

  @Test
  void a_node_that_has_been_drained_waits_for_nothing() {
    spills.touch(
        () -> {
          throw new RejectedExecutionException("shut down");
        });

    assertThat(spills.running()).isZero();
  }
}
