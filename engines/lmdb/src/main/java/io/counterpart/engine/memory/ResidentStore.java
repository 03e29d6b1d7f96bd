package io.counterpart.engine.memory;

import io.counterpart.engine.KvBatch;
import io.counterpart.engine.KvSnapshot;
import io.counterpart.engine.KvStore;
import io.counterpart.engine.StoreStats;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A store whose hot entries are in memory too. Reads of single keys ask memory first; scans and
 * writes go to the store behind, and writes are as durable as there.
 *
 * <p>Versions count writes. An entry in memory has the version as of which it was read; a snapshot
 * takes it if it is not newer than itself. A write removes its keys from memory before it begins,
 * and a reader puts an entry only if no write has begun since its snapshot. So no entry in memory
 * is older than what a snapshot behind shows, but for one that a reader puts while all are removed:
 * what was read before the last clearing does not count.
 */
final class ResidentStore implements KvStore {
  private final KvStore behind;
  private final ResidentEntries.Share entries;
  private final Object writer = new Object();
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();

  /** Writes that have begun; changes while the writer's lock is held. */
  private volatile long begun;

  /** Writes that have ended. */
  private volatile long ended;

  /** The write that cleared the store last; changes before that write has ended. */
  private volatile long cleared;

  ResidentStore(KvStore behind, ResidentEntries.Share entries) {
    this.behind = behind;
    this.entries = entries;
  }

  @Override
  public KvSnapshot snapshot() {
    // first the version: what is behind is then at least as new
    long version = ended;
    return new ResidentSnapshot(this, behind.snapshot(), version);
  }

  @Override
  public void write(KvBatch batch) {
    synchronized (writer) {
      long version = begun + 1;
      begun = version;
      if (batch.clears()) {
        // the walk through the entries may miss one that is just being put
        cleared = version;
        entries.clear();
      }
      batch.operations().forEach(operation -> entries.remove(operation.key()));
      try {
        behind.write(batch);
      } finally {
        // a write that failed may have happened, and its keys are not in memory
        ended = version;
      }
    }
  }

  /** The value of a key in memory, as a snapshot of a version may take it. */
  byte @Nullable [] resident(byte[] key, long version) {
    ResidentEntries.Entry entry = entries.get(key);
    if (entry == null || entry.version() > version || entry.version() < cleared) {
      misses.increment();
      return null;
    }
    hits.increment();
    return entry.value();
  }

  /** Keeps what a snapshot of a version has read behind. */
  void keep(byte[] key, byte[] value, long version) {
    if (begun == version) {
      entries.putIf(key, new ResidentEntries.Entry(value, version), () -> begun == version);
    }
  }

  @Override
  public StoreStats stats() {
    long found = hits.sum();
    long all = found + misses.sum();
    StoreStats stats = behind.stats();
    return all == 0 ? stats : stats.withHitRatio((double) found / all);
  }

  @Override
  public void close() {
    behind.close();
    entries.clear();
  }

  @Override
  public String toString() {
    return behind + " with entries in memory";
  }
}
