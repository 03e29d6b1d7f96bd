package io.counterpart.cassandra.engine.direct;

import io.counterpart.core.engine.WriteMode;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.EncodingStats;
import org.apache.cassandra.index.transactions.UpdateTransaction;

/**
 * The writes of one memtable that go to the store and not to the memtable. The commit log has them
 * too, until the memtable is flushed: so it is due for that when there are many. Thread-safe.
 */
public final class DirectPuts {
  /** Bounds what a restart replays. */
  private static final long MOST_LOGGED_BYTES = 64L << 20;

  private final DirectWrites table;
  private final WriteMode mode;
  private final Runnable flush;
  private final LongAccumulator oldest = new LongAccumulator(Math::min, Long.MAX_VALUE);
  private final LongAdder bytes = new LongAdder();
  private final AtomicBoolean due = new AtomicBoolean();

  DirectPuts(DirectWrites table, WriteMode mode, Runnable flush) {
    this.table = table;
    this.mode = mode;
    this.flush = flush;
  }

  /**
   * Whether a write goes to the store.
   *
   * @param indexer of the write
   */
  public boolean takes(UpdateTransaction indexer) {
    return isDirect() && indexer == UpdateTransaction.NO_OP && table.decision(mode).isDirect();
  }

  /**
   * Returns when the write is durable in the store.
   *
   * @return as {@code Memtable.put}: the time between the write and what it replaces is not known
   * @throws io.counterpart.engine.StoreException if it is not, or not soon
   */
  public long put(PartitionUpdate update) {
    // before the store has it: what hides it must not be purged from then on
    oldest.accumulate(
        EncodingStats.Collector.collect(
                update.staticRow(), update.iterator(), update.deletionInfo())
            .minTimestamp);
    table.put(update);
    bytes.add(update.dataSize());
    if (bytes.sum() >= MOST_LOGGED_BYTES && due.compareAndSet(false, true)) {
      flush.run();
    }
    return Long.MAX_VALUE;
  }

  /**
   * At most the lowest timestamp of all, microseconds; {@code Long.MAX_VALUE} if there are none.
   */
  long oldestTimestamp() {
    return oldest.get();
  }

  /** Whether writes go to the store, unless something forbids it. */
  public boolean isDirect() {
    return mode == WriteMode.DIRECT;
  }
}
