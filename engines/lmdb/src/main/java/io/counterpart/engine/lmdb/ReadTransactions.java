package io.counterpart.engine.lmdb;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.lmdbjava.Env;
import org.lmdbjava.Txn;

/**
 * Read transactions of one environment. Those that are given back are reset and kept, since LMDB
 * renews one without the lock and the allocations that a new one takes. Thread-safe.
 */
final class ReadTransactions {
  private static final int MOST_KEPT = 64;

  private final Env<byte[]> env;
  private final Queue<Txn<byte[]>> kept = new ConcurrentLinkedQueue<>();
  private final AtomicInteger count = new AtomicInteger();

  ReadTransactions(Env<byte[]> env) {
    this.env = env;
  }

  /** A transaction on the newest state. */
  Txn<byte[]> take() {
    Txn<byte[]> transaction = kept.poll();
    if (transaction == null) {
      return env.txnRead();
    }
    count.decrementAndGet();
    try {
      transaction.renew();
      return transaction;
    } catch (RuntimeException e) {
      transaction.close();
      throw e;
    }
  }

  /** Takes back a transaction whose cursors are closed. */
  void give(Txn<byte[]> transaction) {
    if (count.incrementAndGet() > MOST_KEPT) {
      count.decrementAndGet();
      transaction.close();
      return;
    }
    transaction.reset();
    kept.add(transaction);
  }

  /** Closes those that are kept; more may be taken and given afterwards. */
  void close() {
    for (Txn<byte[]> each = kept.poll(); each != null; each = kept.poll()) {
      count.decrementAndGet();
      try {
        // lmdbjava frees one that is active alone
        each.renew();
      } finally {
        each.close();
      }
    }
  }
}
