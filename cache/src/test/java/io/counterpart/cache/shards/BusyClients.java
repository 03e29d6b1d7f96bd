package io.counterpart.cache.shards;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.proxy.MemoryAccount;
import io.counterpart.cache.proxy.MemoryBudget;
import io.counterpart.cache.tier.GetOptions;
import io.counterpart.cache.tier.GetOutcome;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Clients of one loop whose requests all concern a shard of another loop. Each holds memory of its
 * own loop until its request is answered. Belongs to that loop.
 */
final class BusyClients {
  private static final int CLIENTS = 4;
  private static final int REQUESTS = 30;
  private static final byte[] VALUE = new byte[1 << 20];

  private final List<MemoryAccount> accounts = new ArrayList<>();
  private final CountDownLatch left = new CountDownLatch(CLIENTS * REQUESTS);
  private final MemoryBudget own;
  private final LoopCrossing crossing;
  private final long bytes;

  BusyClients(MemoryBudget own, LoopCrossing crossing) {
    this.own = own;
    this.crossing = crossing;
    bytes = own.limits().totalBytes() / CLIENTS;
  }

  /** Takes all memory for the first requests. */
  void takeAll() {
    for (int i = 0; i < CLIENTS; i++) {
      MemoryAccount account = own.openForLoop();
      assertThat(account.take(bytes)).isTrue();
      accounts.add(account);
    }
  }

  /** Sends the first requests; each is followed by the next. */
  void send() {
    accounts.forEach(account -> send(account, REQUESTS));
  }

  /** Waits until all requests are answered. Thread-safe. */
  boolean awaitEnd(long limit, TimeUnit unit) throws InterruptedException {
    return left.await(limit, unit);
  }

  private void send(MemoryAccount account, int requests) {
    if (requests % 2 == 0) {
      crossing.store(
          CrossingFixture.set("k", Unpooled.wrappedBuffer(VALUE)),
          outcome -> end(account, requests));
    } else {
      crossing.get(
          Key.of("k"),
          GetOptions.PLAIN,
          outcome -> {
            ((GetOutcome.Found) outcome).value().release();
            end(account, requests);
          });
    }
  }

  private void end(MemoryAccount account, int requests) {
    account.change(-bytes);
    left.countDown();
    if (requests > 1) {
      next(account, requests - 1);
    }
  }

  private void next(MemoryAccount account, int requests) {
    if (account.take(bytes)) {
      send(account, requests);
    } else {
      account.awaitWork(bytes, () -> next(account, requests));
    }
  }
}
