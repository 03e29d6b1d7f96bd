package io.counterpart.cassandra.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.Uninterruptibles;
import io.counterpart.cassandra.compaction.OfflineTable.Rows;
import java.io.IOException;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.SimpleSnitch;
import org.junit.jupiter.api.Test;

/** Work that runs outside of the lock that flushes wait for. */
class StrategyLockTest {
  @Test
  void a_changed_ring_is_computed_without_the_lock_when_sstables_are_added() throws IOException {
    try (OfflineTable table = OfflineTable.create(Map.of())) {
      List<SSTableReader> added = table.write(Rows.of(10, 10));
      Set<Boolean> locked = Collections.synchronizedSet(new HashSet<>());
      DatabaseDescriptor.setEndpointSnitch(
          new SimpleSnitch() {
            @Override
            public String getDatacenter(InetAddressAndPort endpoint) {
              locked.add(Thread.holdsLock(table.strategy()));
              return super.getDatacenter(endpoint);
            }
          });
      OfflineTable.useRing(true);

      table.strategy().addSSTables(added);

      assertThat(locked).containsExactly(false);
    }
  }

  @Test
  void a_flush_does_not_wait_for_the_lock() throws Exception {
    try (OfflineTable table = OfflineTable.create(Map.of());
        Holder holder = new Holder(table.strategy())) {
      holder.begin();

      List<SSTableReader> flushed =
          CompletableFuture.supplyAsync(() -> table.write(Rows.of(10, 10)))
              .get(30, TimeUnit.SECONDS);

      assertThat(flushed).isNotEmpty();
      assertThat(holder.isHolding()).isTrue();
    }
  }

  /** A thread that holds the lock until it is told to give it back. */
  private static final class Holder implements AutoCloseable {
    private final CountDownLatch holds = new CountDownLatch(1);
    private final CountDownLatch ends = new CountDownLatch(1);
    private final Thread thread;

    Holder(Object lock) {
      thread =
          new Thread(
              () -> {
                synchronized (lock) {
                  holds.countDown();
                  Uninterruptibles.awaitUninterruptibly(ends);
                }
              });
    }

    void begin() throws InterruptedException {
      thread.start();
      holds.await();
    }

    boolean isHolding() {
      return thread.isAlive();
    }

    @Override
    public void close() throws InterruptedException {
      ends.countDown();
      thread.join();
    }
  }
}
