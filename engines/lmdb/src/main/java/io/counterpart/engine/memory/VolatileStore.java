package io.counterpart.engine.memory;

import io.counterpart.engine.KvBatch;
import io.counterpart.engine.KvSnapshot;
import io.counterpart.engine.KvStore;
import io.counterpart.engine.StoreClosedException;
import io.counterpart.engine.StoreStats;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory: a skip list whose values keep their older versions while a snapshot may ask
 * for them. One writer at a time; readers never wait for it.
 *
 * <p>Versions count writes. A write adds its values with the next version, which no snapshot shows
 * until all are there. Then, and with each later write, the values that no snapshot can ask for any
 * more are forgotten. So a snapshot that stays open keeps all that was written since.
 */
final class VolatileStore implements KvStore {
  /** Of a value beside its key and bytes: objects, arrays, the list's nodes. */
  private static final int OVERHEAD_BYTES = 160;

  private final String name;
  private final AtomicLong takenBytes;
  private final long mostBytes;
  private final Object writer = new Object();

  /** Values that hide others, and deletions, oldest first. Guarded by the writer's lock. */
  private final Queue<Replaced> replaced = new ArrayDeque<>();

  /** Guards the step from one state to the next, and the open versions. */
  private final Object versions = new Object();

  private final OpenVersions open = new OpenVersions();
  private volatile @Nullable State state = State.empty(0);

  // guarded by the writer's lock
  private long entries;
  private long usedBytes;
  private long ownTakenBytes;

  /** What snapshots show that begin now. */
  record State(ConcurrentNavigableMap<byte[], VersionedValue> values, long version) {
    static State empty(long version) {
      return new State(new ConcurrentSkipListMap<>(Arrays::compareUnsigned), version);
    }
  }

  /** A key whose value of a version is not alone. */
  private record Replaced(byte[] key, long version) {}

  /**
   * @param takenBytes of all stores that share a memory
   * @param mostBytes of these
   */
  VolatileStore(String name, AtomicLong takenBytes, long mostBytes) {
    this.name = name;
    this.takenBytes = takenBytes;
    this.mostBytes = mostBytes;
  }

  private State state() {
    State now = state;
    if (now == null) {
      throw new StoreClosedException(name);
    }
    return now;
  }

  @Override
  public KvSnapshot snapshot() {
    synchronized (versions) {
      State now = state();
      open.add(now.version());
      return new VolatileSnapshot(now, () -> end(now.version()));
    }
  }

  private void end(long version) {
    synchronized (versions) {
      open.remove(version);
    }
  }

  @Override
  public void write(KvBatch batch) {
    synchronized (writer) {
      State now = state();
      long version = now.version() + 1;
      State next = batch.clears() ? State.empty(version) : new State(now.values(), version);
      if (batch.clears()) {
        replaced.clear();
        entries = 0;
        usedBytes = 0;
        take(-ownTakenBytes);
      }
      for (KvBatch.Operation operation : batch.operations()) {
        put(next, operation.key(), operation.value());
      }
      long oldest;
      synchronized (versions) {
        state = next;
        oldest = open.oldest(version);
      }
      forgetBefore(next, oldest);
    }
  }

  private void put(State next, byte[] key, byte @Nullable [] value) {
    VersionedValue before = next.values().get(key);
    if (before == null && value == null) {
      return;
    }
    if (before != null) {
      count(key, before, -1);
      replaced.add(new Replaced(key, next.version()));
      if (before.version() == next.version()) {
        // the second operation of the batch with this key
        take(-taken(key, before));
        before = before.before();
      }
    }
    VersionedValue after = new VersionedValue(next.version(), value, before);
    next.values().put(key, after);
    take(taken(key, after));
    count(key, after, 1);
  }

  private void count(byte[] key, VersionedValue value, int sign) {
    byte[] bytes = value.value();
    if (bytes != null) {
      entries += sign;
      usedBytes += (long) sign * (key.length + bytes.length);
    }
  }

  private static long taken(byte[] key, VersionedValue value) {
    byte[] bytes = value.value();
    return (long) OVERHEAD_BYTES + key.length + (bytes == null ? 0 : bytes.length);
  }

  private void take(long bytes) {
    ownTakenBytes += bytes;
    takenBytes.addAndGet(bytes);
  }

  private void forgetBefore(State now, long oldest) {
    for (Replaced next = replaced.peek();
        next != null && next.version() <= oldest;
        next = replaced.peek()) {
      replaced.remove();
      VersionedValue value = now.values().get(next.key());
      if (value == null) {
        continue;
      }
      for (VersionedValue forgotten = value.forgetBefore(oldest);
          forgotten != null;
          forgotten = forgotten.before()) {
        take(-taken(next.key(), forgotten));
      }
      if (value.value() == null && value.version() <= oldest) {
        now.values().remove(next.key());
        take(-taken(next.key(), value));
      }
    }
  }

  @Override
  public boolean hasRoomFor(long bytes) {
    return takenBytes.get() + bytes <= mostBytes;
  }

  @Override
  public StoreStats stats() {
    synchronized (writer) {
      state();
      return new StoreStats(entries, usedBytes, ownTakenBytes, 1);
    }
  }

  @Override
  public void close() {
    synchronized (writer) {
      synchronized (versions) {
        state = null;
      }
      replaced.clear();
      take(-ownTakenBytes);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
