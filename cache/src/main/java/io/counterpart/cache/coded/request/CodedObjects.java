package io.counterpart.cache.coded.request;

import io.counterpart.cache.coded.parity.ClientReads;
import io.counterpart.cache.coded.parity.CodedStatistics;
import io.counterpart.cache.coded.request.CombinedChanges.Operation;
import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.Expiries;
import io.counterpart.cache.coded.stripe.RecordChange;
import io.counterpart.cache.coded.stripe.RecordChange.Decision;
import io.counterpart.cache.coded.write.Changed;
import io.counterpart.cache.coded.write.Written;
import io.counterpart.cache.format.StoredRecord;
import io.counterpart.cache.index.ObjectIndex;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.ring.KeyHash;
import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a shard. A read looks the object up in the index and fetches its record from its
 * server; a change holds the key's lock. Belongs to the shard's event loop.
 */
public final class CodedObjects {
  /** Decoding objects up to this size takes little memory beside that of any request. */
  private static final int DECODED_FREE_BYTES = 4 << 10;

  private final Shard shard;
  private final ClientReads reads;
  private final CombinedChanges changes;
  private final LongSupplier clockSeconds;
  private final CodedStatistics statistics;

  public CodedObjects(
      Shard shard,
      Writes writes,
      ClientReads reads,
      Expiries expiries,
      CodedStatistics statistics,
      LongSupplier clockSeconds) {
    this.shard = shard;
    this.reads = reads;
    this.changes = new CombinedChanges(shard, writes, reads, expiries, clockSeconds);
    this.statistics = statistics;
    this.clockSeconds = clockSeconds;
  }

  /** Takes the result of a read: one call of one method, apart from {@link #missed}. */
  public interface Reader {
    /**
     * The object's server did not return it, so the read is a degraded one. Called at most once,
     * before the end.
     */
    default void missed() {}

    /**
     * The object.
     *
     * @param record with a value that is a view of the owner
     * @param owner buffer to release once
     */
    void found(StoredRecord record, ByteBuf owner);

    /** There is no such object. */
    void absent();

    /** The object exists, but too many servers are down. */
    void unavailable();
  }

  /** Deletes an object that has expired, as any operation does. */
  private static final Operation LOOK =
      new Operation((old, now) -> new RecordChange.Keep(), true, (written, cas) -> {});

  /** Reads an object, after the changes that came before. */
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
    if (shard.locks().isLocked(key)) {
      readLocked(key, reader);
      return;
    }
    long candidate = shard.objects().find(hash);
    if (candidate == ObjectIndex.NONE) {
      reader.absent(); // now: a later write may be faster than a server's answer
      return;
    }
    shard.noteUse(hash, candidate);
    reads.ask(
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
            reader.absent(); // now: writes may have come that this read must not see
            changes.add(key, LOOK); // which deletes the object, if it is still the expired one
          } else {
            reader.found(record, item);
          }
        });
  }

  private void readLocked(Key key, Reader reader) {
    LockedRead read = new LockedRead(reader);
    changes.add(key, new Operation(read::decide, true, read::end));
  }

  /**
   * Deletes an object if it has expired, though no client asked for it.
   *
   * @param done gets whether that could be told
   */
  void expire(Key key, Consumer<Boolean> done) {
    boolean isThere = shard.placement().find(key, KeyHash.of(key.bytes())) != null;
    readLocked(
        key,
        new Reader() {
          @Override
          public void found(StoredRecord record, ByteBuf owner) {
            owner.release();
            done.accept(true);
          }

          @Override
          public void absent() {
            if (isThere) {
              statistics.reapedObjects().increment();
            }
            done.accept(true);
          }

          @Override
          public void unavailable() {
            done.accept(false);
          }
        });
  }

  /** Whether an object is being changed, so that its size is not known. */
  public boolean isChanging(Key key) {
    return shard.locks().isLocked(key);
  }

  /** Upper bound on the memory of reading an object that is not being changed. */
  public long readBytes(Key key) {
    int slotBytes = largestSlotBytes(key);
    return slotBytes <= DECODED_FREE_BYTES || isWhole()
        ? slotBytes
        : (long) shard.code().n() * slotBytes;
  }

  /**
   * Upper bound on the memory of a change: the old and the new record, and the journal entries and
   * items, in buffers that double as they grow.
   */
  public long writeBytes(Key key, int valueBytes) {
    int slotBytes = largestSlotBytes(key);
    long bytes = (long) slotBytes + valueBytes;
    long decoded =
        slotBytes <= DECODED_FREE_BYTES || isWhole() ? 0 : (long) shard.code().n() * slotBytes;
    return (2L * CodedSettings.logCopies(shard.code()) + 4) * bytes + decoded;
  }

  private boolean isWhole() {
    return shard.placement().ringsDown() == 0;
  }

  /** Bytes of the largest slot that may hold the key; 0 if there is no such object. */
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
      changes.add(key, new Operation(change, false, done));
    } catch (RuntimeException fault) {
      shard.loop().faulted(fault);
    }
  }

  /** Number of objects, including expired ones that are not yet deleted. */
  public long size() {
    return shard.objects().size();
  }

  /** A read that waits for earlier changes, or decodes. */
  private static final class LockedRead {
    private final Reader reader;
    private @Nullable StoredRecord found;

    LockedRead(Reader reader) {
      this.reader = reader;
    }

    Decision decide(@Nullable StoredRecord old, long nowSeconds) {
      found = old;
      return new RecordChange.Keep();
    }

    void end(Written written, long cas) {
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
