package io.counterpart.engine.server;

import io.counterpart.engine.KvBatch;
import io.counterpart.engine.KvSnapshot;
import io.counterpart.engine.KvStore;
import io.counterpart.engine.StoreBusyException;
import io.counterpart.engine.StoreClosedException;
import io.counterpart.engine.StoreException;
import io.counterpart.engine.StoreStats;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A store on a server, with snapshots that hold no connection. This process alone writes to it, so
 * it remembers what a write replaces for as long as a snapshot is open that is older: multi-version
 * concurrency control on the client's side.
 *
 * <p>Versions count writes. A snapshot has the version of the last write that had ended when it was
 * opened. It reads the server first and then the {@link Undo}s of all later writes: of a write that
 * the server showed, the undo was there before.
 *
 * <p>Undos take at most a bound of memory: at the bound, and when a batch clears the store or
 * replaces more than the bound, the oldest snapshots are cut off and fail from then on.
 */
public final class ServerStore implements KvStore {
  private static final long MOST_UNDO_BYTES = 128L << 20;

  /** From its begin: who waits for it keeps a thread that could read other tables. */
  private static final long LONGEST_CLEARING_WAIT_MILLIS = 250;

  private final String name;
  private final ServerTable table;
  private final long mostUndoBytes;
  private final Object writer = new Object();

  // guarded by this
  private final NavigableMap<Long, Integer> snapshots = new TreeMap<>();
  private final NavigableMap<Long, Undo> undos = new TreeMap<>();
  private long undoBytes;
  private long version;
  private long cutOff;
  private boolean clearing;
  private long clearingSinceNanos;
  private boolean writing;
  private boolean closed;

  /**
   * @param name for messages
   */
  public ServerStore(String name, ServerTable table) {
    this(name, table, MOST_UNDO_BYTES);
  }

  ServerStore(String name, ServerTable table, long mostUndoBytes) {
    this.name = name;
    this.table = table;
    this.mostUndoBytes = mostUndoBytes;
  }

  @Override
  public KvSnapshot snapshot() {
    return snapshot(table, LONGEST_CLEARING_WAIT_MILLIS);
  }

  @Override
  public KvSnapshot writersSnapshot() {
    return snapshot(table.patient(), Long.MAX_VALUE);
  }

  private synchronized KvSnapshot snapshot(ServerTable readFrom, long longestWaitMillis) {
    checkOpen();
    awaitCleared(longestWaitMillis);
    return opened(readFrom);
  }

  private synchronized KvSnapshot opened(ServerTable readFrom) {
    checkOpen();
    snapshots.merge(version, 1, Integer::sum);
    return new ServerSnapshot(this, readFrom, version);
  }

  /** A snapshot of before the end of a clearing would be cut off. */
  private void awaitCleared(long longestWaitMillis) {
    boolean interrupted = false;
    try {
      while (clearing) {
        long waited = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - clearingSinceNanos);
        if (waited >= longestWaitMillis) {
          throw new StoreBusyException(name + " is being emptied: no reader begins meanwhile");
        }
        try {
          wait(longestWaitMillis - waited);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new StoreClosedException(name);
    }
  }

  @Override
  public void write(KvBatch batch) {
    asWriter(
        () -> {
          if (!batch.isEmpty()) {
            long written = begin(batch);
            try {
              table.write(batch);
            } finally {
              // a write that failed may have happened
              end(written);
            }
          }
        });
  }

  @Override
  public void settle() {
    asWriter(table::settle);
  }

  private void asWriter(Runnable work) {
    synchronized (writer) {
      synchronized (this) {
        checkOpen();
        writing = true;
      }
      try {
        work.run();
      } finally {
        closeIfLast(() -> writing = false);
      }
    }
  }

  /** Somebody leaves; the last one of a closed store closes the table. */
  private void closeIfLast(Runnable leaves) {
    boolean isLast;
    synchronized (this) {
      leaves.run();
      isLast = isReleased();
    }
    if (isLast) {
      table.close();
    }
  }

  private long begin(KvBatch batch) {
    // what is too large to be remembered cuts readers off, as a clearing does
    @Nullable Undo undo = batch.clears() ? null : Undo.of(batch, table.patient(), mostUndoBytes);
    synchronized (this) {
      long next = version + 1;
      if (undo == null) {
        cutOff = next;
        clearing = true;
        clearingSinceNanos = System.nanoTime();
      } else {
        undos.put(next, undo);
        undoBytes += undo.bytes();
      }
      return next;
    }
  }

  private synchronized void end(long written) {
    version = written;
    clearing = false;
    notifyAll();
    trim();
    while (undoBytes > mostUndoBytes && !undos.isEmpty()) {
      cutOff = undos.firstKey();
      trim();
    }
  }

  /** Forgets what no snapshot can need. */
  private void trim() {
    NavigableMap<Long, Integer> needing = snapshots.tailMap(cutOff, true);
    long oldest = needing.isEmpty() ? version : needing.firstKey();
    NavigableMap<Long, Undo> needless = undos.headMap(oldest, true);
    needless.values().forEach(undo -> undoBytes -= undo.bytes());
    needless.clear();
  }

  /**
   * The undos of writes after a version, oldest first.
   *
   * @throws StoreException if the version was cut off
   */
  synchronized List<Undo> since(long snapshot) {
    if (snapshot < cutOff) {
      throw new StoreException(
          "a reader of %s is older than the store's memory of changes, or than its last clearing"
              .formatted(name));
    }
    return new ArrayList<>(undos.tailMap(snapshot, false).values());
  }

  /** A snapshot is closed. */
  void leave(long snapshot) {
    closeIfLast(
        () -> {
          snapshots.computeIfPresent(snapshot, (at, count) -> count == 1 ? null : count - 1);
          trim();
        });
  }

  /** As a reader's snapshot, which keeps the table open; of what is read none needs a version. */
  @Override
  public void check() {
    try (KvSnapshot ignored = opened(table)) {
      table.check();
    }
  }

  @Override
  public StoreStats stats() {
    synchronized (this) {
      checkOpen();
    }
    return table.stats();
  }

  /** Bytes kept for snapshots. */
  synchronized long undoBytes() {
    return undoBytes;
  }

  @Override
  public synchronized boolean isReleased() {
    return closed && snapshots.isEmpty() && !writing;
  }

  /** Does not wait for a writer, whose server may hang. */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
    }
    closeIfLast(() -> closed = true);
  }

  @Override
  public String toString() {
    return name;
  }
}
