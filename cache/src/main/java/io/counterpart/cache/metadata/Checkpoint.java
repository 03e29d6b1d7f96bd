package io.counterpart.cache.metadata;

import io.counterpart.cache.index.StripeIndex;
import io.counterpart.cache.index.StripeState;
import io.counterpart.cache.metadata.disk.DiskAction;
import io.counterpart.cache.metadata.disk.DurableFiles;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/**
 * A checkpoint: the state of one moment as records in log files of its own, while the log goes on
 * in others. It is written a few stripes at a time. A stripe that is about to change before its
 * turn is written first, as it was. So the files show exactly the state of the moment at which the
 * checkpoint began, and the log's files from then on lead to the present one.
 *
 * <p>A crash leaves either the old {@code start}, which names files that go on behind the
 * checkpoint's numbers, or the new one, which names the checkpoint's. Belongs to the log's thread,
 * but for {@link #sync} and {@link #commit}.
 */
public final class Checkpoint {
  /** Upper bound on the frame of a record other than a topology or a list of servers. */
  private static final long RECORD_BYTES = 300;

  /** Upper bound on those. */
  private static final long LISTS_BYTES = 4L * (Frame.HEADER_BYTES + Frame.MAX_BODY_BYTES);

  private final LogDirectory directory;
  private final MetadataOptions options;
  private final MetadataState state;
  private final LogFiles segments;
  private final Consumer<String> steps;

  /** Files that are written, but not durable. */
  private final Queue<Path> unsynced = new ConcurrentLinkedQueue<>();

  private final int first;
  private final int end;
  private final long records;

  /** One above the highest number of a stripe when the checkpoint began. */
  private final int stripesEnd;

  /** The stripe whose turn is next. */
  private int next;

  /** Stripes from {@link #next} on that are written already, or were free. */
  private final BitSet early = new BitSet();

  private LogFileWriter writer;
  private volatile boolean written;
  private volatile boolean committed;
  private volatile boolean abandoned;

  /**
   * A checkpoint of the present state.
   *
   * @param first number of its first file
   * @param steps called after each durable step, so that a test may crash there
   */
  Checkpoint(
      LogDirectory directory,
      MetadataOptions options,
      MetadataState state,
      LogFiles segments,
      int first,
      Consumer<String> steps)
      throws IOException {
    this.directory = directory;
    this.options = options;
    this.state = state;
    this.segments = segments;
    this.steps = steps;
    this.first = first;
    this.records = state.records();
    this.end = numberAfter(first, records, options);
    this.stripesEnd = state.stripes().end();
    this.writer = create(first);
    try {
      writeSettings();
    } catch (IOException | RuntimeException e) {
      writer.close();
      throw e;
    }
  }

  /** The number after those of its files: each but the last has as many bytes as a log file. */
  static int numberAfter(int first, long records, MetadataOptions options) {
    long bytes = RECORD_BYTES * records + LISTS_BYTES;
    return Math.toIntExact(first + bytes / options.segmentBytes() + 2);
  }

  private LogFileWriter create(int number) throws IOException {
    if (number >= end) {
      throw new IllegalStateException("file " + number + " of a checkpoint, legal: below " + end);
    }
    LogFileHeader header = new LogFileHeader(number, first, options.dataChunks());
    LogFileWriter created = LogFileWriter.createUnsynced(directory, header);
    segments.setCopying(created);
    return created;
  }

  /** Number of records that describe the state when the checkpoint began. */
  long records() {
    return records;
  }

  private void writeSettings() throws IOException {
    if (state.epoch() > 0) {
      Records.epoch(writer, state.epoch());
    }
    UUID tier = state.tier();
    if (tier != null) {
      Records.tier(writer, tier);
    }
    Topology settled = state.settled();
    Topology topology = state.topology();
    if (settled != null) {
      Records.topology(writer, settled);
    }
    if (topology != null && !topology.equals(settled)) {
      Records.topology(writer, topology);
    }
    Records.staleServers(writer, state.staleServers());
    Records.journalNumbers(writer, state.journalNumbers());
    Records.lastOpened(writer, state.lastOpened());
  }

  /** Writes a stripe as it is, if that is still to be done: it is about to change. */
  void beforeChange(int stripe) throws IOException {
    if (stripe >= next && stripe < stripesEnd && !early.get(stripe)) {
      early.set(stripe);
      writeStripe(stripe);
    }
  }

  /**
   * Goes on writing.
   *
   * @param nanos time after which it stops, with a whole stripe
   * @return whether everything is written, so that {@link #commit} may follow
   */
  boolean write(long nanos) throws IOException {
    require(!written, "is written, legal: not yet");
    long begunNanos = System.nanoTime();
    while (next < stripesEnd) {
      int stripe = next++;
      if (!early.get(stripe)) {
        writeStripe(stripe);
      }
      if (System.nanoTime() - begunNanos >= nanos) {
        return false;
      }
    }
    Records.goesOn(writer, end);
    endFile();
    segments.setCopying(null);
    written = true;
    return true;
  }

  private void require(boolean legal, String state) {
    if (!legal) {
      throw new IllegalStateException("the checkpoint from file " + first + " on " + state);
    }
  }

  private void writeStripe(int stripe) throws IOException {
    StripeIndex stripes = state.stripes();
    if (stripes.state(stripe) == StripeState.FREE) {
      return;
    }
    roll();
    Records.opened(
        writer,
        stripe,
        stripes.slotClass(stripe),
        stripes.layout(stripe),
        state.chunks().begunAt(stripe));
    state
        .chunks()
        .forEach(
            stripe,
            (number, chunk, slot, key) -> {
              roll();
              long position = Records.assign(writer, number, chunk, slot, key);
              state.chunks().relocate(number, chunk, slot, position);
            });
    if (stripes.state(stripe) == StripeState.SEALED) {
      Records.stripe(writer, Frame.SEALED, stripe);
    }
  }

  private void roll() throws IOException {
    if (writer.length() >= options.segmentBytes()) {
      int number = writer.header().number();
      endFile();
      writer = create(number + 1);
    }
  }

  private void endFile() throws IOException {
    writer.finishUnsynced();
    segments.addEnded(writer.header().number());
    writer.close();
    unsynced.add(writer.file());
    steps.accept("wrote segment " + writer.header().number());
  }

  /** Whether a file waits for {@link #sync}. Thread-safe. */
  public boolean isToBeSynced() {
    return !unsynced.isEmpty();
  }

  /**
   * Makes written files durable, so that not all are left for the end; on any thread, one at a
   * time.
   *
   * @throws IOException if the disk fails
   */
  public void sync() throws IOException {
    for (Path file = unsynced.poll(); file != null; file = unsynced.poll()) {
      try {
        DurableFiles.syncFile(file);
      } catch (NoSuchFileException e) {
        if (!abandoned) {
          throw e;
        }
      }
    }
  }

  /**
   * Makes the written files durable, has {@code start} name them, and deletes the files before
   * them. On the thread of {@link #sync}: the log may go on, and be closed, meanwhile. Changes
   * nothing once it is closed.
   *
   * @throws IOException if the disk fails
   * @throws IllegalStateException if not all is written
   */
  public void commit() throws IOException {
    require(written, "is not written, legal: written");
    sync();
    directory.sync();
    steps.accept("written");
    if (!step(() -> directory.setStart(first))) {
      return;
    }
    steps.accept("switched");
    for (int number : directory.segments().headMap(first).keySet()) {
      if (!step(() -> directory.delete(List.of(number)))) {
        return;
      }
      steps.accept("deleted segment " + number);
    }
    committed = true;
  }

  /** A step that nothing may follow once the checkpoint is abandoned. */
  private synchronized boolean step(DiskAction step) throws IOException {
    if (!abandoned) {
      step.run();
    }
    return !abandoned;
  }

  /** Ends a committed checkpoint: the files before it are needed no more. */
  void end() {
    require(committed, "does not count, legal: committed");
    segments.startAt(first);
  }

  /** Gives the checkpoint up: from here on it changes no name. */
  synchronized void abandon() throws IOException {
    abandoned = true;
    writer.close();
  }
}
