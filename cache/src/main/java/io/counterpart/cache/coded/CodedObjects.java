package io.counterpart.cache.coded;

import io.counterpart.cache.format.StoredRecord;
import io.counterpart.cache.index.ObjectIndex;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.ring.KeyHash;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a shard: a read asks the index whether there is one, and takes the record from its
 * server; a change has the key to itself. Belongs to the shard's event loop.
 */
public final class CodedObjects {
  private final Shard shard;
  private final Writes writes;
  private final ObjectReads reads;
  private final Expiries expiries;
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
    this.writes = writes;
    this.reads = reads;
    this.expiries = expiries;
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
     * @param sequence of the object that was written; 0 if none was
     */
    void accept(Written written, long sequence);
  }

  /** Reads an object, as the changes before have left it. */
  public void read(Key key, Reader reader) {
    long hash = KeyHash.of(key.bytes());
    if (locks.isLocked(key)) {
      readLocked(key, hash, reader);
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
                readLocked(key, hash, reader);
              } else if (record.isExpired(clockSeconds.getAsLong())) {
                item.release();
                reader.absent(); // now, since writes may have come that shall not be seen
                readLocked(key, hash, NOBODY); // which deletes it, if it is still that one
              } else {
                reader.found(record, item);
              }
            });
  }

  private @Nullable StoredRecord visible(Key key, ByteBuf item) {
    StoredRecord record = shard.records().decode(key.bytes(), item);
    return record == null || record.isExpired(clockSeconds.getAsLong()) ? null : record;
  }

  private void readLocked(Key key, long hash, Reader reader) {
    locks.lock(
        key,
        () -> {
          Place place = shard.placement().find(key, hash);
          if (place == null) {
            locks.unlock(key);
            reader.absent();
          } else {
            reads.loadToRead(key, hash, place, version -> tell(key, version, reader));
          }
        });
  }

  private void tell(Key key, @Nullable Version version, Reader reader) {
    if (version == null) {
      boolean lost = isLost(key);
      locks.unlock(key);
      if (lost) {
        reader.absent();
      } else {
        reader.unavailable();
      }
      return;
    }
    ByteBuf owner = Unpooled.wrappedBuffer(version.bytes());
    StoredRecord record = visible(key, owner);
    if (record == null) {
      remove(key, version, () -> reader.absent());
    } else {
      locks.unlock(key);
      reader.found(record, owner);
    }
  }

  private void remove(Key key, Version expired, Runnable done) {
    writes.remove(
        key,
        expired,
        (written, none) -> {
          locks.unlock(key);
          done.run();
        });
  }

  /** Deletes an object that nobody asked for, if it has expired. */
  void expire(Key key, Runnable done) {
    locks.lock(
        key,
        () -> {
          Runnable unlock =
              () -> {
                locks.unlock(key);
                done.run();
              };
          Place place = shard.placement().find(key, KeyHash.of(key.bytes()));
          if (place == null) {
            unlock.run();
          } else {
            reads.load(key, place, version -> expire(key, version, unlock, done));
          }
        });
  }

  private void expire(Key key, @Nullable Version version, Runnable unlock, Runnable done) {
    if (version == null || visible(key, Unpooled.wrappedBuffer(version.bytes())) != null) {
      unlock.run();
    } else {
      statistics.reapedObject();
      remove(key, version, done);
    }
  }

  /** Changes an object. */
  public void change(Key key, RecordChange change, Changed done) {
    locks.lock(
        key,
        () -> {
          Place place = shard.placement().find(key, KeyHash.of(key.bytes()));
          Changed unlocking =
              (written, sequence) -> {
                locks.unlock(key);
                done.accept(written, sequence);
              };
          if (place == null) {
            change(key, null, change, unlocking);
          } else {
            reads.load(
                key,
                place,
                version -> {
                  if (version != null || isLost(key)) {
                    change(key, version, change, unlocking);
                  } else {
                    unlocking.accept(Written.UNAVAILABLE, 0);
                  }
                });
          }
        });
  }

  /** Whether it was found that nothing can decode the object any more. */
  private boolean isLost(Key key) {
    return shard.placement().find(key, KeyHash.of(key.bytes())) == null;
  }

  private void change(Key key, @Nullable Version old, RecordChange change, Changed done) {
    long now = clockSeconds.getAsLong();
    StoredRecord record = old == null ? null : visible(key, Unpooled.wrappedBuffer(old.bytes()));
    RecordChange.Decision decision = change.decide(record, now);
    if (decision instanceof RecordChange.Write write) {
      write(key, old, write, done);
    } else if (old != null && (record == null || decision instanceof RecordChange.Remove)) {
      writes.remove(key, old, done);
    } else {
      done.accept(Written.DONE, record == null ? 0 : record.sequence());
    }
  }

  private void write(Key key, @Nullable Version old, RecordChange.Write write, Changed done) {
    expiries.add(KeyHash.of(key.bytes()), write.expirySeconds());
    NewRecord record = new NewRecord(key, write, shard.records());
    if (old == null) {
      writes.insert(record, done);
    } else if (record.slotClass() == shard.stripes().slotClass(old.place().stripe())) {
      writes.update(record, old, done);
    } else {
      writes.move(record, old, done);
    }
  }

  /** Holds changes back; runs once those under way have ended. */
  void pause(Runnable idle) {
    locks.pause(idle);
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
}
