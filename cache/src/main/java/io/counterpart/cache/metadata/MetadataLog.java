package io.counterpart.cache.metadata;

import io.counterpart.cache.index.StripeIndex;
import io.counterpart.cache.metadata.disk.DirectoryInUseException;
import io.counterpart.cache.metadata.disk.DirectoryLock;
import io.counterpart.cache.metadata.disk.DiskAction;
import io.counterpart.cache.metadata.disk.DurableFiles;
import io.counterpart.cache.ring.ServerId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of one shard: a write-ahead log with checksums. Every change is appended to the log
 * before the indexes change, and opening the directory replays the log into the indexes.
 *
 * <p>A change survives the process from the next {@link #flush} on, and a loss of power from the
 * next {@link #sync} on; the caller decides when to call them. A crash can lose only the end of the
 * log that they did not cover. If bytes that a sync covered are damaged, opening throws a {@link
 * DamagedLogException}.
 *
 * <p>Illegal changes are refused before anything is written: {@link IllegalArgumentException} for a
 * number that is never legal, {@link IllegalStateException} for one that the state forbids. A
 * failed write, sync or checkpoint ends the log, because the contents of the disk are then unknown:
 * every later change throws an {@link IOException}, and the directory must be opened anew.
 *
 * <p>Not thread-safe: the thread that owns the shard uses it alone. A directory has one log at a
 * time.
 */
public final class MetadataLog implements AutoCloseable {
  private final LogDirectory directory;
  private final MetadataOptions options;
  private final DirectoryLock lock;
  private final LogFiles segments;
  private final MetadataState state;
  private final Consumer<String> steps;
  private LogFileWriter writer;

  /** Records in the log's files, superseded ones included. */
  private long records;

  private @Nullable Checkpoint checkpoint;

  /** {@link #records} when the checkpoint under way began. */
  private long recordsBefore;

  private long durable;
  private @Nullable Throwable failure;
  private boolean closed;

  private MetadataLog(
      LogDirectory directory, MetadataOptions options, DirectoryLock lock, Consumer<String> steps)
      throws IOException {
    this.directory = directory;
    this.options = options;
    this.lock = lock;
    this.steps = steps;
    this.segments = new LogFiles(directory);
    StripeIndex stripes = new StripeIndex();
    this.state =
        new MetadataState(
            stripes, new ChunkIndex(directory, options.dataChunks(), stripes, segments));
    try {
      LogReplay.Result result = new LogReplay(directory, options, state, segments, steps).run();
      this.writer = result.writer();
      this.records = result.records();
      segments.setGrowing(writer);
    } catch (IOException | RuntimeException e) {
      state.close();
      throw e;
    }
  }

  /**
   * Opens a directory, and makes it if it is missing.
   *
   * @throws DamagedLogException if bytes that a sync covered have changed
   * @throws DirectoryInUseException if another log has the directory
   * @throws IOException if the disk fails
   * @throws IllegalArgumentException if the log there was written with another k
   */
  public static MetadataLog open(Path path, MetadataOptions options) throws IOException {
    return open(path, options, step -> {});
  }

  static MetadataLog open(Path path, MetadataOptions options, Consumer<String> steps)
      throws IOException {
    DurableFiles.makeDirectories(path);
    DirectoryLock lock = DirectoryLock.take(path);
    try {
      MetadataLog log = new MetadataLog(new LogDirectory(path), options, lock, steps);
      try {
        log.sync(); // from here on the state may be acted on: no later crash may take it away
        CopiedTo.endFollowing(path); // and from here on its marks tell of this disk
        return log;
      } catch (IOException e) {
        log.close();
        throw e;
      }
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  /** The log's files, for copies of it. */
  public LogFiles files() {
    return segments;
  }

  /** The stripes; only this log may change them. */
  public StripeIndex stripes() {
    return state.stripes();
  }

  /** The keys by stripe, chunk and slot. */
  public ChunkIndex chunks() {
    return state.chunks();
  }

  /** The highest epoch that was set; 0 if none was. */
  public int epoch() {
    return state.epoch();
  }

  /** The id of the log's tier; empty until it is set. */
  public Optional<UUID> tier() {
    return Optional.ofNullable(state.tier());
  }

  /** The last topology that was set. */
  public Optional<Topology> topology() {
    return Optional.ofNullable(state.topology());
  }

  /** The last topology with step 0: the one before a change under way. */
  public Optional<Topology> settledTopology() {
    return Optional.ofNullable(state.settled());
  }

  /** Servers that lack writes, so that their items may be outdated. */
  public Set<ServerId> staleServers() {
    return state.staleServers();
  }

  /** The numbers that journal items may have. */
  public JournalNumbers journalNumbers() {
    return state.journalNumbers();
  }

  /**
   * Opens a stripe.
   *
   * @param slotClass a class of {@link io.counterpart.cache.index.SlotClasses}
   * @param layout defined by the caller; in n rings the mask of {@link
   *     io.counterpart.cache.index.DataRings}
   * @param sequence of the last write before: journal entries up to it are not of this stripe
   * @return the stripe's number
   */
  public int openStripe(int slotClass, long layout, long sequence) throws IOException {
    int stripe = stripes().nextStripe();
    openStripe(stripe, slotClass, layout, sequence);
    return stripe;
  }

  /** As {@link #openStripe(int, long, long)}, with a given free number. */
  public void openStripe(int stripe, int slotClass, long layout, long sequence) throws IOException {
    state.checkOpen(stripe, slotClass);
    change(stripe, to -> Records.opened(to, stripe, slotClass, layout, sequence));
    attempt(() -> state.open(stripe, slotClass, layout, sequence));
  }

  /**
   * The highest sequence of any stripe's opening, including freed stripes; 0 if none was opened.
   */
  public long lastOpened() {
    return state.lastOpened();
  }

  /** Records that an open stripe has been encoded. */
  public void seal(int stripe) throws IOException {
    state.checkSeal(stripe);
    change(stripe, to -> Records.stripe(to, Frame.SEALED, stripe));
    state.seal(stripe);
  }

  /** Frees a stripe, with the slots that still have a key. */
  public void freeStripe(int stripe) throws IOException {
    state.checkFreeStripe(stripe);
    change(stripe, to -> Records.stripe(to, Frame.STRIPE_FREED, stripe));
    state.freeStripe(stripe);
  }

  /**
   * Assigns an empty slot to a key.
   *
   * @param key 1 to 250 bytes
   */
  public void assign(int stripe, int chunk, int slot, byte[] key) throws IOException {
    state.checkAssign(stripe, chunk, slot, key.length);
    LogFileWriter to = growing();
    keepForCheckpoint(stripe);
    long position;
    try {
      position = Records.assign(to, stripe, chunk, slot, key);
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
      throw e;
    }
    records++;
    state.assign(stripe, chunk, slot, position);
  }

  /** Empties a slot that has a key. */
  public void free(int stripe, int chunk, int slot) throws IOException {
    state.checkFree(stripe, chunk, slot);
    change(stripe, to -> Records.free(to, stripe, chunk, slot));
    state.free(stripe, chunk, slot);
  }

  /**
   * Records the proxy's epoch.
   *
   * @param epoch above the one before, at most 2²⁴ − 1
   */
  public void setEpoch(int epoch) throws IOException {
    state.checkEpoch(epoch);
    change(to -> Records.epoch(to, epoch));
    state.setEpoch(epoch);
  }

  /** Records the id of the log's tier, once. */
  public void setTier(UUID tier) throws IOException {
    state.checkTier();
    change(to -> Records.tier(to, tier));
    state.setTier(tier);
  }

  /** Records the topology; its version must not be below the one before. */
  public void setTopology(Topology topology) throws IOException {
    state.checkTopology(topology);
    int bytes = Records.topologyBytes(topology);
    if (bytes > Frame.MAX_BODY_BYTES) {
      throw new IllegalArgumentException(
          "topology of " + bytes + " bytes, legal: up to " + Frame.MAX_BODY_BYTES);
    }
    change(to -> Records.topology(to, topology));
    state.setTopology(topology);
  }

  /** Records the servers that lack writes; each call replaces the ones before. */
  public void setStaleServers(Set<ServerId> servers) throws IOException {
    change(to -> Records.staleServers(to, servers));
    state.setStaleServers(servers);
  }

  /** Records the numbers that journal items may have; neither bound may fall. */
  public void setJournalNumbers(JournalNumbers numbers) throws IOException {
    state.checkJournalNumbers(numbers);
    change(to -> Records.journalNumbers(to, numbers));
    state.setJournalNumbers(numbers);
  }

  /**
   * Passes every change so far to the kernel: safe from the end of this process, not of the host.
   */
  public void flush() throws IOException {
    requireUsable();
    attempt(writer::flush);
  }

  /** Makes every change so far durable: safe from a loss of power too. */
  public void sync() throws IOException {
    requireUsable();
    attempt(writer::sync);
    durable = writer.end();
  }

  /** Position of the next change: number of the log file × 2³² + offset. */
  public long end() {
    return writer.end();
  }

  /** Position up to which the log is safe from a loss of power. */
  public long durable() {
    return durable;
  }

  /** Begins to make every change so far durable; another thread waits in {@link LogSync#force}. */
  public LogSync beginSync() throws IOException {
    flush();
    return new LogSync(writer, writer.end());
  }

  /** Completes a sync that has succeeded. */
  public void endSync(LogSync sync) throws IOException {
    durable = Math.max(durable, sync.end());
    if (sync.writer() == writer) {
      requireUsable();
      attempt(() -> writer.markSynced(sync.end()));
    }
  }

  /**
   * Whether more than half of the log is superseded, and enough for a checkpoint; false while one
   * is under way.
   */
  public boolean checkpointDue() {
    long live = state.records();
    return checkpoint == null && records - live > Math.max(live, options.segmentBytes() / 32);
  }

  /**
   * Begins to write the present state anew, in files of its own; the log before it is deleted once
   * they count. Changes go on beside it. {@link #writeCheckpoint} is called until it is done, then
   * {@link Checkpoint#commit} on another thread, then {@link #endCheckpoint}. A crash at any moment
   * leaves a log that opens to the same state as without the checkpoint.
   *
   * <p>Takes disk in proportion to all keys. Every change so far is durable afterwards.
   *
   * @throws IllegalStateException if a checkpoint is under way
   */
  public void beginCheckpoint() throws IOException {
    requireUsable();
    if (checkpoint != null) {
      throw new IllegalStateException("a checkpoint is under way, legal: none");
    }
    attempt(
        () -> {
          int first = writer.header().number() + 1;
          int next = Checkpoint.numberAfter(first, state.records(), options);
          Records.goesOn(writer, next);
          endSegment();
          startSegment(next);
          checkpoint = new Checkpoint(directory, options, state, segments, first, steps);
          recordsBefore = records;
        });
  }

  /**
   * Writes a part of the checkpoint: stripes until a time is over, at least one.
   *
   * @return whether all is written
   * @throws IllegalStateException if there is none, or if it is written
   */
  public boolean writeCheckpoint(long nanos) throws IOException {
    requireUsable();
    Checkpoint writing = underWay();
    boolean[] written = new boolean[1];
    attempt(() -> written[0] = writing.write(nanos));
    return written[0];
  }

  /** The checkpoint under way, for the thread that waits for the disk. */
  public Checkpoint checkpointUnderWay() {
    return underWay();
  }

  /**
   * Ends a checkpoint that counts.
   *
   * @throws IllegalStateException if there is none, or if it does not count
   */
  public void endCheckpoint() throws IOException {
    requireUsable();
    Checkpoint ended = underWay();
    attempt(ended::end);
    records = ended.records() + records - recordsBefore;
    checkpoint = null;
  }

  private Checkpoint underWay() {
    Checkpoint present = checkpoint;
    if (present == null) {
      throw new IllegalStateException("no checkpoint is under way, legal: one");
    }
    return present;
  }

  /** Syncs and releases the directory. */
  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    Checkpoint present = checkpoint;
    try (lock;
        state;
        LogFileWriter last = writer) {
      try {
        if (failure == null) {
          last.sync();
        }
      } finally {
        if (present != null) {
          present.abandon();
        }
      }
    }
  }

  private void change(int stripe, Change change) throws IOException {
    requireUsable();
    keepForCheckpoint(stripe);
    change(change);
  }

  /** Has a checkpoint under way write a stripe before it changes. */
  private void keepForCheckpoint(int stripe) throws IOException {
    Checkpoint present = checkpoint;
    if (present != null) {
      attempt(() -> present.beforeChange(stripe));
    }
  }

  private void change(Change change) throws IOException {
    LogFileWriter to = growing();
    attempt(() -> change.write(to));
    records++;
  }

  /** The log file that takes the next record. */
  private LogFileWriter growing() throws IOException {
    requireUsable();
    if (writer.length() >= options.segmentBytes()) {
      attempt(
          () -> {
            endSegment();
            startSegment(writer.header().number() + 1);
          });
    }
    return writer;
  }

  private void endSegment() throws IOException {
    writer.finish();
    segments.addEnded(writer.header().number());
  }

  private void startSegment(int number) throws IOException {
    LogFileWriter ended = writer;
    writer = LogFileWriter.create(directory, new LogFileHeader(number, 0, options.dataChunks()));
    segments.setGrowing(writer);
    durable = writer.end();
    ended.close();
  }

  private void attempt(DiskAction action) throws IOException {
    try {
      action.run();
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
      throw e;
    }
  }

  private void requireUsable() throws IOException {
    if (closed) {
      throw new IllegalStateException("the metadata log of " + directory.path() + " is closed");
    }
    if (failure != null) {
      throw new IOException(
          "the metadata log of " + directory.path() + " ended with an earlier failure", failure);
    }
  }

  /** Writes a record. */
  @FunctionalInterface
  private interface Change {
    void write(LogFileWriter to) throws IOException;
  }
}
