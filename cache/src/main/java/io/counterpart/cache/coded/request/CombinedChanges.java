package io.counterpart.cache.coded.request;

import io.counterpart.cache.coded.parity.ClientReads;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.Expiries;
import io.counterpart.cache.coded.stripe.KeyLocks;
import io.counterpart.cache.coded.stripe.NewRecord;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.coded.stripe.RecordChange;
import io.counterpart.cache.coded.stripe.RecordChange.Decision;
import io.counterpart.cache.coded.stripe.RecordChange.Remove;
import io.counterpart.cache.coded.stripe.RecordChange.Write;
import io.counterpart.cache.coded.stripe.Version;
import io.counterpart.cache.coded.write.Changed;
import io.counterpart.cache.coded.write.Written;
import io.counterpart.cache.format.StoredRecord;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.ring.KeyHash;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Combines operations that need exclusive use of a key. Operations that queue behind another one
 * run as a group: each decides on the result of the one before, the group writes once, and that
 * write acknowledges all of them. So no client sees a state that was not written. Belongs to the
 * shard's event loop.
 */
final class CombinedChanges {
  private static final int MOST_TOGETHER = 128;

  private final Shard shard;
  private final Writes writes;
  private final ClientReads reads;
  private final Expiries expiries;
  private final KeyLocks locks;
  private final LongSupplier clockSeconds;

  /** The operations that will run under the next lock of each key. */
  private final Map<Key, List<Operation>> waiting = new HashMap<>();

  CombinedChanges(
      Shard shard, Writes writes, ClientReads reads, Expiries expiries, LongSupplier clockSeconds) {
    this.shard = shard;
    this.locks = shard.locks();
    this.writes = writes;
    this.reads = reads;
    this.expiries = expiries;
    this.clockSeconds = clockSeconds;
  }

  /**
   * An operation on an object.
   *
   * @param isRead whether it never changes the object
   * @param done gets the outcome, with the token of the resulting object; 0 if there is none
   */
  record Operation(RecordChange change, boolean isRead, Changed done) {}

  /** Adds an operation, to run after all earlier ones on the key. */
  void add(Key key, Operation operation) {
    // an operation after a pause must not run before it
    List<Operation> together = locks.isPaused() ? null : waiting.get(key);
    if (together != null && together.size() < MOST_TOGETHER) {
      together.add(operation);
      return;
    }
    List<Operation> begun = new ArrayList<>(1);
    begun.add(operation);
    if (!locks.isPaused()) {
      waiting.put(key, begun);
    }
    locks.lock(
        key,
        () -> {
          if (waiting.get(key) == begun) {
            waiting.remove(key);
          }
          load(key, begun);
        });
  }

  private void load(Key key, List<Operation> operations) {
    long hash = KeyHash.of(key.bytes());
    Place place = shard.placement().find(key, hash);
    if (place == null) {
      decide(key, null, operations);
      return;
    }
    shard.noteUse(place);
    if (operations.stream().allMatch(Operation::isRead)) {
      reads.loadToRead(key, place, version -> loaded(key, version, operations));
    } else {
      Version recent = shard.recent().get(key);
      if (recent != null && recent.place().equals(place)) {
        decide(key, recent, operations);
      } else {
        reads.load(key, place, version -> loaded(key, version, operations));
      }
    }
  }

  private void loaded(Key key, @Nullable Version version, List<Operation> operations) {
    // an object without a place was dropped, because nothing can decode it
    if (version != null || shard.placement().find(key, KeyHash.of(key.bytes())) == null) {
      decide(key, version, operations);
    } else {
      locks.unlock(key);
      operations.forEach(operation -> operation.done().accept(Written.UNAVAILABLE, 0));
    }
  }

  private void decide(Key key, @Nullable Version old, List<Operation> operations) {
    long now = clockSeconds.getAsLong();
    StoredRecord object = old == null ? null : visible(key, old, now);
    List<Decided> decided = new ArrayList<>(operations.size());
    Write last = null;
    boolean isChanged = false;
    for (Operation operation : operations) {
      Decision decision = operation.change().decide(own(object, now), now);
      if (decision instanceof Write write) {
        last = write;
        boolean isLookedAt = decided.size() + 1 < operations.size();
        long cas = write.cas() == Write.NEW_CAS ? shard.sequences().next() : write.cas();
        object = record(write, isLookedAt, cas);
        isChanged = true;
      } else if (decision instanceof Remove && object != null) {
        last = null;
        object = null;
        isChanged = true;
      }
      decided.add(new Decided(operation.done(), object == null ? 0 : object.cas(), isChanged));
    }
    long provisional = object == null ? 0 : object.cas();
    boolean isWritten = last != null;
    Changed end =
        (written, cas) -> {
          locks.unlock(key);
          for (Decided one : decided) {
            boolean isLast = isWritten && one.sawChange() && one.cas() == provisional;
            one.done().accept(one.sawChange() ? written : Written.DONE, isLast ? cas : one.cas());
          }
        };
    if (last != null) {
      write(key, old, last, end);
    } else if (old != null && object == null) {
      writes.remove(key, old, end);
    } else {
      end.accept(Written.DONE, 0);
    }
  }

  /** The object with a buffer that its reader may release; null if it has expired. */
  private static @Nullable StoredRecord own(@Nullable StoredRecord object, long now) {
    if (object == null || object.isExpired(now)) {
      return null;
    }
    ByteBuf value = object.value();
    return new StoredRecord(
        object.flags(),
        object.expirySeconds(),
        object.marks(),
        object.sequence(),
        object.cas(),
        Unpooled.wrappedBuffer(
            value.array(), value.arrayOffset() + value.readerIndex(), value.readableBytes()));
  }

  private @Nullable StoredRecord visible(Key key, Version version, long now) {
    StoredRecord record =
        shard.records().decode(key.bytes(), Unpooled.wrappedBuffer(version.bytes()));
    return record == null || record.isExpired(now) ? null : record;
  }

  /**
   * The object after a write, on which the next operation decides.
   *
   * @param isLookedAt whether there is a next operation: its buffers may outlive those of the write
   */
  private static StoredRecord record(Write write, boolean isLookedAt, long cas) {
    ByteBuf value =
        isLookedAt
            ? Unpooled.wrappedBuffer(ByteBufUtil.getBytes(write.value()))
            : Unpooled.EMPTY_BUFFER;
    return new StoredRecord(write.flags(), write.expirySeconds(), write.marks(), cas, value);
  }

  private void write(Key key, @Nullable Version old, Write write, Changed done) {
    expiries.add(KeyHash.of(key.bytes()), write.expirySeconds());
    NewRecord record = new NewRecord(key, write, shard.records());
    if (old == null) {
      writes.insert(record, done);
    } else {
      writes.update(record, old, done);
    }
  }

  /**
   * The result of an operation.
   *
   * @param done of the operation
   * @param cas the object's token; only the last write may get another one; 0 if there is no object
   * @param sawChange whether this operation or an earlier one has changed the object
   */
  private record Decided(Changed done, long cas, boolean sawChange) {}
}
