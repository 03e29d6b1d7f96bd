package io.counterpart.cache.coded;

import io.counterpart.cache.coded.RecordChange.Decision;
import io.counterpart.cache.format.StoredRecord;
import io.counterpart.cache.index.ObjectIndex;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.ring.KeyHash;
import io.netty.buffer.ByteBuf;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a shard. A read looks the object up in the index and fetches its record from its
 * server; a change holds the key's lock. Belongs to the shard's event loop.
 */
public final class CodedObjects {
  /** Objects up to this are decoded from little beside what any request takes. */
  private static final int DECODED_FREE_BYTES = 4 << 10;

  private final Shard shard;
  private final CombinedChanges changes;
  private final KeyLocks locks;
  private final LongSupplier clockSeconds;
  private final CodedStatistics statistics;

  CodedObjects(
      Shard shard,
      Writes writes,
      ObjectReads reads,
      Expiries expiries,
      CodedStatistics statistics,
      LongSupplier clockSeconds) {
    this.shard = shard;
    this.locks = shard.locks();
    this.changes = new CombinedChanges(shard, writes, reads, expiries, clockSeconds);
    this.statistics = statistics;
    this.clockSeconds = clockSeconds;
  }

  /** Takes what a read has found: one call of one method, but for {@link #missed}. */
  public interface Reader {
    /**
     * The server that should have the object does not give it: the read is a degraded one. Told
     * before the end, once at most.
     */
    default void missed() {}

    /**
     * The object.
     *
     * @param record whose value is a view of the owner
     * @param owner to be released once
     */
    void found(StoredRecord record, ByteBuf owner);

    /** There is no such object. */
    void absent();

    /** There is one, but too many servers are down. */
    void unavailable();
  }

  private static final Reader NOBODY =
      new Reader() {
        @Override
        public void found(StoredRecord record, ByteBuf owner) {
          owner.release();
        }

        @Override
        public void absent() {}

        @Override
        public void unavailable() {}
      };

  /** Takes the end of a change. */
  @FunctionalInterface
  public interface Changed {
    /**
     * Told once.
     *
     * @param written how it ended; what was kept counts as done
     * @param cas token of the object that was written; 0 if none was
     */
    void accept(Written written, long cas);
  }

  /** Reads an object, as the changes before have left it. */
  public void read(Key key, Reader reader) {
    if (shard.loop().isEnded()) {
      reader.unavailable();
      return;
    }
    try {
      readNow(key, reader);
    } catch (RuntimeException fault) {
      shard.loop().faulted(fault);
    }
  }

  private void readNow(Key key, Reader reader) {
    long hash = KeyHash.of(key.bytes());
    if (locks.isLocked(key)) {
      readLocked(key, reader);
      return;
    }
    if (shard.objects().find(hash) == ObjectIndex.NONE) {
      reader.absent(); // now, since a write that comes next may be faster than a server's answer
      return;
    }
    shard
        .items()
        .getRecordToRead(
            key,
            hash,
            item -> {
              StoredRecord record = item == null ? null : shard.records().decode(key.bytes(), item);
              if (record == null || item == null) {
                if (item != null) {
                  item.release();
                }
                reader.missed();
                readLocked(key, reader);
              } else if (record.isExpired(clockSeconds.getAsLong())) {
                item.release();
                reader.absent(); // now, since writes may have come that shall not be seen
                readLocked(key, NOBODY); // which deletes it, if it is still that one
              } else {
                reader.found(record, item);
              }
            });
  }

  private void readLocked(Key key, Reader reader) {
    changes.add(key, new LockedRead(reader));
  }

  /** Deletes an object that nobody asked for, if it has expired. */
  void expire(Key key, Runnable done) {
    boolean isThere = shard.placement().find(key, KeyHash.of(key.bytes())) != null;
    readLocked(
        key,
        new Reader() {
          @Override
          public void found(StoredRecord record, ByteBuf owner) {
            owner.release();
            done.run();
          }

          @Override
          public void absent() {
            if (isThere) {
              statistics.reapedObject();
            }
            done.run();
          }

          @Override
          public void unavailable() {
            done.run();
          }
        });
  }

  /** Whether an object is being changed: then how large it is depends on that. */
  public boolean isChanging(Key key) {
    return locks.isLocked(key);
  }

  /** The most memory that a read takes of an object that is not being changed. */
  public long readBytes(Key key) {
    int slotBytes = largestSlotBytes(key);
    return slotBytes <= DECODED_FREE_BYTES || isWhole()
        ? slotBytes
        : (long) shard.code().n() * slotBytes;
  }

  /**
   * The most memory that a change takes: the old record and the new one, and what goes to the
   * journals and to the server, in buffers that double as they grow.
   */
  public long writeBytes(Key key, int valueBytes) {
    int slotBytes = largestSlotBytes(key);
    long bytes = (long) slotBytes + valueBytes;
    long decoded =
        slotBytes <= DECODED_FREE_BYTES || isWhole() ? 0 : (long) shard.code().n() * slotBytes;
    return (2L * shard.code().parityCount() + 4) * bytes + decoded;
  }

  private boolean isWhole() {
    return shard.placement().ringsDown() == 0;
  }

  /** Bytes of the largest slot that may be the key's; 0 if there is no such object. */
  private int largestSlotBytes(Key key) {
    long hash = KeyHash.of(key.bytes());
    int largest = 0;
    for (long found = shard.objects().find(hash);
        found != ObjectIndex.NONE;
        found = shard.objects().findNext(hash, found)) {
      largest = Math.max(largest, shard.slotBytes(ObjectIndex.stripe(found)));
    }
    return largest;
  }

  /** Changes an object. */
  public void change(Key key, RecordChange change, Changed done) {
    if (shard.loop().isEnded()) {
      done.accept(Written.UNAVAILABLE, 0);
      return;
    }
    try {
      changes.add(key, new Change(change, done));
    } catch (RuntimeException fault) {
      shard.loop().faulted(fault);
    }
  }

  /** Holds changes back; runs once those under way have ended. */
  void pause(Runnable idle) {
    locks.pause(idle);
  }

  /** Whether changes are held back that came after the last {@link #pause}. */
  boolean hasHeldMore() {
    return locks.hasHeldMore();
  }

  boolean isPaused() {
    return locks.isPaused();
  }

  void resume() {
    locks.resume();
  }

  /** What is counted of degraded reads. */
  public CodedStatistics statistics() {
    return statistics;
  }

  /** Number of objects, those that have expired but are still there included. */
  public long size() {
    return shard.objects().size();
  }

  /** A change as others have it. */
  private record Change(RecordChange change, Changed done) implements CombinedChanges.Operation {
    @Override
    public Decision decide(@Nullable StoredRecord old, long nowSeconds) {
      return change.decide(old, nowSeconds);
    }

    @Override
    public boolean isRead() {
      return false;
    }

    @Override
    public void end(Written written, long cas) {
      done.accept(written, cas);
    }
  }

  /** A read that waits for changes before it, or decodes. */
  private static final class LockedRead implements CombinedChanges.Operation {
    private final Reader reader;
    private @Nullable StoredRecord found;

    LockedRead(Reader reader) {
      this.reader = reader;
    }

    @Override
    public Decision decide(@Nullable StoredRecord old, long nowSeconds) {
      found = old;
      return new RecordChange.Keep();
    }

    @Override
    public boolean isRead() {
      return true;
    }

    @Override
    public void end(Written written, long cas) {
      StoredRecord record = found;
      if (written != Written.DONE) {
        reader.unavailable();
      } else if (record == null) {
        reader.absent();
      } else {
        reader.found(
            new StoredRecord(
                record.flags(), record.expirySeconds(), record.marks(), cas, record.value()),
            record.value());
      }
    }
  }
}
