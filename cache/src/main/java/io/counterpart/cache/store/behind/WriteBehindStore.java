package io.counterpart.cache.store.behind;

import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.store.MessagePause;
import io.counterpart.cache.store.PersistentRecord;
import io.counterpart.cache.store.PersistentStore;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A write-behind store in front of a slower one. A change is done when it is in a log on this disk
 * and in this process' memory; the last change of each key reaches the slower store later. Above
 * the bounds of its settings, changes wait and are then refused. Reads see pending changes.
 *
 * <p>A kill of the process loses nothing: the next process writes the pending changes before it
 * serves. A loss of power loses pending changes of the last tenth of a second, a loss of the disk
 * all pending ones.
 *
 * <p>Its methods belong to the event loop, but for {@link #close}, the counters and opening.
 */
public final class WriteBehindStore implements PersistentStore {
  private static final Logger logger = LoggerFactory.getLogger(WriteBehindStore.class);
  private static final int FILE_BYTES = 8 << 20;

  /** Files of the log beside those that pending changes can fill twice. */
  private static final int SPARE_FILES = 4;

  private static final int CLOSE_SECONDS = 30;

  private final PersistentStore store;
  private final WriteBehindSettings settings;
  private final GuardedLoop loop;
  private final ChangeLog log;
  private final ChangeSync sync;

  /** Changes by key, in the order in which keys became dirty, or the store did not take them. */
  private final Map<Key, Dirty> dirty = new LinkedHashMap<>();

  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private final CompletableFuture<Void> drained = new CompletableFuture<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private int underWay;

  /** Changes that the store has not taken since it took one. */
  private int failuresInARow;

  private final MessagePause pause = new MessagePause();

  /** The log's file of the last change. */
  private int newestFile;

  private boolean scheduled;
  private boolean resting;
  private boolean closing;
  private long dirtyBytes;
  private volatile int entries;
  private volatile long bytes;

  WriteBehindStore(
      PersistentStore store, WriteBehindSettings settings, EventLoop loop, ChangeLog log) {
    this.store = store;
    this.settings = settings;
    this.loop = new GuardedLoop(loop, ended::completeExceptionally);
    this.log = log;
    this.sync = new ChangeSync(this.loop, log, this::renewLog);
  }

  /** A pending change. */
  private static final class Dirty {
    private final Change change;
    private long sinceNanos;
    private int file;
    private boolean isUnderWay;

    Dirty(Change change, int file, long sinceNanos) {
      this.change = change;
      this.file = file;
      this.sinceNanos = sinceNanos;
    }
  }

  private record Waiting(Change change, CompletableFuture<Void> done) {}

  /**
   * Puts the log of a directory before a store. Changes that an earlier process has left there are
   * written first. Blocks until then.
   *
   * @param store closed with this one
   * @param loop the event loop of the store's user
   * @throws IOException if the directory cannot be used, or the store does not take the changes
   *     found, which then stay there
   */
  public static WriteBehindStore open(
      PersistentStore store, WriteBehindSettings settings, EventLoop loop) throws IOException {
    Map<Key, Change> left = new LinkedHashMap<>();
    ChangeLog log = ChangeLog.open(settings.directory(), FILE_BYTES, new LastOfKeys(left));
    try {
      if (!left.isEmpty()) {
        logger.info(
            "writing {} changes to the store that an earlier process left in {}",
            left.size(),
            settings.directory());
        Writing.all(store, List.copyOf(left.values()), settings.writesAtOnce());
      }
      log.releaseFound();
      return new WriteBehindStore(store, settings, loop, log);
    } catch (IOException | RuntimeException e) {
      log.close();
      throw e;
    }
  }

  /** Collects the last change of each key that the store may lack. */
  private record LastOfKeys(Map<Key, Change> changes) implements ChangeLog.Found {
    @Override
    public void change(Change change) {
      changes.put(change.key(), change);
    }

    @Override
    public void allWritten() {
      changes.clear();
    }
  }

  @Override
  public CompletionStage<Optional<PersistentRecord>> read(Key key) {
    Dirty newer = dirty.get(key);
    return newer == null
        ? store.read(key)
        : CompletableFuture.completedFuture(Optional.ofNullable(newer.change.record()));
  }

  @Override
  public CompletionStage<Void> write(Key key, PersistentRecord record) {
    return take(new Change(key, record, record.timestamp()));
  }

  @Override
  public CompletionStage<Void> delete(Key key, long timestamp) {
    return take(new Change(key, null, timestamp));
  }

  private CompletionStage<Void> take(Change change) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    Waiting request = new Waiting(change, done);
    if (closing || loop.isEnded()) {
      done.completeExceptionally(new IOException("the store is being closed"));
    } else if (waiting.isEmpty() && fits(change)) {
      keep(request);
    } else {
      waiting.add(request);
      loop.schedule(
          () -> refuse(request), settings.longestWait().toMillis(), TimeUnit.MILLISECONDS);
    }
    send();
    return done;
  }

  private boolean fits(Change change) {
    Dirty old = dirty.get(change.key());
    long before = old == null ? 0 : old.change.sizeBytes();
    return dirtyBytes - before + change.sizeBytes() <= settings.maxBytes()
        && (old != null || dirty.size() < settings.maxEntries());
  }

  private void refuse(Waiting request) {
    if (waiting.remove(request)) {
      request
          .done()
          .completeExceptionally(
              new IOException(
                  "%d keys and %d bytes wait to be written to the store"
                      .formatted(entries, bytes)));
    }
  }

  /** Appends a change to the log; from here on the next process knows it too. */
  private void keep(Waiting request) {
    Change change = request.change();
    try {
      int file = log.append(change);
      Dirty old = dirty.get(change.key());
      long since = old == null || old.isUnderWay ? System.nanoTime() : old.sinceNanos;
      if (old != null && old.isUnderWay) {
        dirty.remove(change.key()); // newly dirty, behind the others
      }
      dirty.put(change.key(), new Dirty(change, file, since));
      count(change.sizeBytes() - (old == null ? 0 : old.change.sizeBytes()));
      if (old != null) {
        log.release(old.file);
      }
      if (file != newestFile) {
        newestFile = file;
        shortenLog();
      }
    } catch (IOException e) {
      request.done().completeExceptionally(e);
      sync.renewIfFailed();
      return;
    }
    sync.appended();
    request.done().complete(null);
  }

  /**
   * Appends the pending changes of the log's oldest file anew if there are many files: one that the
   * store does not take would keep all later ones, whose changes are replaced again and again.
   */
  private void shortenLog() {
    OptionalInt oldest =
        log.oldestBeyond(2 * (int) (settings.maxBytes() / FILE_BYTES) + SPARE_FILES);
    if (oldest.isEmpty()) {
      return;
    }
    try {
      for (Dirty pending : dirty.values()) {
        if (pending.file == oldest.getAsInt()) {
          int before = pending.file;
          pending.file = log.append(pending.change);
          log.release(before);
        }
      }
      log.sync();
    } catch (IOException e) {
      logger.warn("the log of changes in {} cannot be shortened", settings.directory(), e);
    }
  }

  /** Has a log that has failed begin anew with all pending changes, which are in memory too. */
  private void renewLog() throws IOException {
    newestFile = log.renew(dirty.values().stream().map(pending -> pending.change).toList());
    dirty.values().forEach(pending -> pending.file = newestFile);
  }

  /** Number of changes that a loss of power would lose. Thread-safe. */
  long unsynced() {
    return sync.unsynced();
  }

  private void count(long moreBytes) {
    dirtyBytes += moreBytes;
    bytes = dirtyBytes;
    entries = dirty.size();
  }

  /** Begins to write the due changes, the oldest first. */
  private void send() {
    long now = System.nanoTime();
    for (Dirty next : dirty.values()) {
      boolean ends =
          underWay >= settings.writesAtOnce() || resting || (!next.isUnderWay && !isDue(next, now));
      if (ends) {
        break;
      }
      if (!next.isUnderWay) {
        begin(next);
      }
    }
    if (closing && dirty.isEmpty()) {
      drained.complete(null);
    }
    scheduleNext(now);
  }

  private boolean isDue(Dirty change, long nowNanos) {
    return closing
        || !waiting.isEmpty()
        || dirty.size() > settings.maxEntries() / 2
        || dirtyBytes > settings.maxBytes() / 2
        || nowNanos - change.sinceNanos >= settings.longestDelay().toNanos();
  }

  private void scheduleNext(long nowNanos) {
    if (scheduled || dirty.isEmpty() || underWay > 0 || loop.netty().isShuttingDown()) {
      return;
    }
    scheduled = true;
    long oldestNanos = nowNanos - dirty.values().iterator().next().sinceNanos;
    long nanos =
        resting
            ? settings.retry().toNanos()
            : Math.max(0, settings.longestDelay().toNanos() - oldestNanos);
    loop.schedule(
        () -> {
          scheduled = false;
          resting = false;
          send();
        },
        nanos,
        TimeUnit.NANOSECONDS);
  }

  private void begin(Dirty next) {
    next.isUnderWay = true;
    underWay++;
    Writing.one(store, next.change)
        .whenComplete((nothing, failure) -> loop.execute(() -> ended(next, failure)));
  }

  private void ended(Dirty sent, @Nullable Throwable failure) {
    underWay--;
    sent.isUnderWay = false;
    if (failure != null) {
      notTaken(sent, failure);
    } else {
      failuresInARow = 0;
      if (dirty.remove(sent.change.key(), sent)) {
        count(-sent.change.sizeBytes());
        release(sent.file);
      }
    }
    while (!waiting.isEmpty() && fits(waiting.peek().change())) {
      keep(waiting.remove());
    }
    send();
  }

  /**
   * Puts a change behind the others: the store may lack the replicas of some keys alone, and those
   * of other keys must not wait for them.
   */
  private void notTaken(Dirty sent, Throwable failure) {
    if (pause.isOver()) {
      logger.warn("the store does not take changes, {} wait: {}", entries, failure.toString());
    }
    failuresInARow++;
    resting |= failuresInARow >= settings.writesAtOnce();
    if (dirty.remove(sent.change.key(), sent)) {
      sent.sinceNanos = System.nanoTime();
      dirty.put(sent.change.key(), sent);
    }
  }

  private void release(int file) {
    try {
      log.release(file);
      if (dirty.isEmpty()) {
        log.noteAllWritten();
        sync.marked();
      }
    } catch (IOException e) {
      // the changes stay, and are written once more by the next process
      logger.warn("the log keeps changes that are written", e);
      sync.renewIfFailed();
    }
  }

  /** Whether the last change of a key is not in the store yet. */
  public boolean isPending(Key key) {
    return dirty.containsKey(key);
  }

  /** Number of keys whose last change is not in the store yet. Thread-safe. */
  public int entries() {
    return entries;
  }

  /** Approximate bytes of heap of these changes. Thread-safe. */
  public long bytes() {
    return bytes;
  }

  /** Fails if an exception has left its state unknown; the next process finds the log's changes. */
  public CompletableFuture<Void> ended() {
    return ended;
  }

  /** Writes pending changes, for at most 30 seconds; the next process finds the rest. */
  @Override
  public void close() {
    loop.execute(
        () -> {
          closing = true;
          resting = false;
          send();
        });
    try {
      drained.get(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      logger.warn(
          "{} changes are not in the store; they stay in {}", entries, settings.directory());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException("never failed", e);
    }
    loop.netty().submit(sync::end).syncUninterruptibly(); // until here what is left is synced too
    sync.close();
    loop.netty().submit(this::closeLog).syncUninterruptibly();
    store.close();
  }

  private void closeLog() {
    try {
      log.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot close the log in " + settings.directory(), e);
    }
  }
}
