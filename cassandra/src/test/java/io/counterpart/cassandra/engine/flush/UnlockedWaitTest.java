package io.counterpart.cassandra.engine.flush;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.engine.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class UnlockedWaitTest {
  private final Object lock = new Object();
  private final CompletableFuture<Void> done = new CompletableFuture<>();

  @Test
  void others_get_the_lock_while_its_holder_waits() throws Exception {
    CompletableFuture<Boolean> holder =
        CompletableFuture.supplyAsync(
            () -> {
              synchronized (lock) {
                // as one of Cassandra's methods within another
                synchronized (lock) {
                  UnlockedWait.on(done, lock);
                  return Thread.holdsLock(lock);
                }
              }
            });

    CompletableFuture<Void> other =
        CompletableFuture.runAsync(
            () -> {
              synchronized (lock) {
                done.complete(null);
              }
            });

    other.get(10, TimeUnit.SECONDS);
    assertThat(holder.get(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void who_has_no_lock_waits_as_well() throws Exception {
    CompletableFuture<Void> waits = CompletableFuture.runAsync(() -> UnlockedWait.on(done, lock));
    Thread.sleep(100);
    assertThat(waits).isNotDone();

    done.complete(null);

    waits.get(10, TimeUnit.SECONDS);
  }

  @Test
  void a_failure_is_told_as_it_is() {
    done.completeExceptionally(new StoreException("away"));

    assertThatThrownBy(() -> UnlockedWait.on(done, lock))
        .isInstanceOf(StoreException.class)
        .hasMessage("away");
    synchronized (lock) {
      assertThatThrownBy(() -> UnlockedWait.on(done, lock)).isInstanceOf(StoreException.class);
    }
  }
}
