package io.counterpart.cache.metadata;

import io.counterpart.cache.metadata.disk.DurableFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Reads a log from its first file that counts and applies every record.
 *
 * <p>Only the last file may have a torn end: the bytes from the first incomplete record on, if no
 * sync mark follows them. A sync mark behind a damaged record proves that a sync had covered the
 * record, so the damage is an error. So is any damage in another file, a missing file, or a record
 * that contradicts the state.
 */
final class LogReplay {
  private final LogDirectory directory;
  private final MetadataOptions options;
  private final MetadataState state;
  private final LogFiles segments;
  private final Consumer<String> steps;
  private long records;

  /** Offset in the file read last before which everything is on disk, by its marks. */
  private int synced;

  /**
   * @param steps told what is written anew, for tests
   */
  LogReplay(
      LogDirectory directory,
      MetadataOptions options,
      MetadataState state,
      LogFiles segments,
      Consumer<String> steps) {
    this.directory = directory;
    this.options = options;
    this.state = state;
    this.segments = segments;
    this.steps = steps;
  }

  /** The end of the log, and the number of records before it. */
  record Result(LogFileWriter writer, long records) {}

  Result run() throws IOException {
    directory.sync(); // what follows from a name must not outlive it
    int start = directory.start();
    segments.startAt(start);
    NavigableMap<Integer, Path> files = directory.segments();
    directory.delete(List.copyOf(files.headMap(start).keySet())); // superseded by a checkpoint
    files.headMap(start).clear();
    dropUnfinished(files, start);
    List<Integer> log = new ArrayList<>();
    int next = follow(files, start, log);
    if (log.isEmpty()) {
      requireFirst(files, start);
      return goOn(start);
    }
    int last = log.get(log.size() - 1);
    boolean isFileMissing = !files.isEmpty();
    for (int number : log) {
      if (number != last || isFileMissing) {
        readEnded(number, start); // damage in the last one may be why another seems to be missing
      }
    }
    if (isFileMissing) {
      throw missing(next);
    }
    return readLast(last, next, start);
  }

  /**
   * Follows the log from file to file. Numbers that it jumps over are a checkpoint's: files there
   * are left of one that a crash interrupted, and are deleted.
   *
   * @param files loses the log's files, and those
   * @param log gets the numbers
   * @return the number that comes next
   */
  private int follow(NavigableMap<Integer, Path> files, int start, List<Integer> log)
      throws IOException {
    int number = start;
    for (Path file = files.remove(number); file != null; file = files.remove(number)) {
      log.add(number);
      int next = LogFiles.follower(LogFiles.map(file), number);
      NavigableMap<Integer, Path> between = files.subMap(number, false, next, false);
      directory.delete(List.copyOf(between.keySet()));
      between.clear();
      number = next;
    }
    return number;
  }

  private void requireFirst(NavigableMap<Integer, Path> files, int start)
      throws DamagedLogException {
    if (!files.isEmpty() || start > 1) {
      throw missing(start);
    }
  }

  private DamagedLogException missing(int number) {
    return new DamagedLogException(directory.segment(number), 0, "the file is missing");
  }

  /** The end of a log that goes on in a new file. */
  private Result goOn(int number) throws IOException {
    LogFileHeader header = new LogFileHeader(number, 0, options.dataChunks());
    return new Result(LogFileWriter.create(directory, header), records);
  }

  /**
   * Deletes unfinished files of a crash at the end: a log file without its header, and files of a
   * checkpoint that {@code start} does not name.
   */
  private void dropUnfinished(NavigableMap<Integer, Path> files, int start) throws IOException {
    while (!files.isEmpty()) {
      int last = files.lastKey();
      Path file = files.lastEntry().getValue();
      ByteBuffer bytes = readAll(file);
      if (!isUnwritten(bytes)) {
        int checkpoint = LogFileHeader.decode(bytes, file, last).checkpoint();
        if (checkpoint == 0 || checkpoint == start) {
          return;
        }
      }
      directory.delete(List.of(last));
      files.remove(last);
    }
  }

  private void readEnded(int number, int start) throws IOException {
    Path file = directory.segment(number);
    segments.addEnded(number);
    ByteBuffer bytes = segments.ended(number);
    header(bytes, file, number, start);
    int end = applyIntact(bytes, file, number);
    if (end < bytes.limit()) {
      throw new DamagedLogException(file, end, "no whole record");
    }
    int mark = end - Frame.HEADER_BYTES - Frame.SYNCED_BODY_BYTES;
    if (mark < LogFileHeader.BYTES || !Frame.isSyncMark(bytes, mark, end, number)) {
      throw new DamagedLogException(file, end, "the file ends before its last record");
    }
  }

  /**
   * Reads the last file.
   *
   * <p>In a copy, the marks tell of the disk of the owner that wrote them.
   *
   * @param next number of the file that comes after it
   */
  private Result readLast(int number, int next, int start) throws IOException {
    Path file = directory.segment(number);
    ByteBuffer bytes = readAll(file);
    LogFileHeader header = header(bytes, file, number, start);
    OptionalLong copied = CopiedTo.whileFollowing(directory.path());
    if (header.isCheckpoint() || next > number + 1) {
      readEnded(number, start);
      writeAnew(file, number, copied, bytes.limit()); // its mark may be younger than its last sync
      return goOn(next);
    }
    int end = applyIntact(bytes, file, number);
    if (copied.isPresent() && LogPosition.of(number, end) < copied.getAsLong()) {
      throw new DamagedLogException(file, end, "no whole record, though it was copied");
    }
    for (int at = end + 1; at < bytes.limit() && copied.isEmpty(); at++) {
      if (Frame.isSyncMark(bytes, at, bytes.limit(), number)
          || Frame.syncedTo(bytes, at, bytes.limit(), number) > LogPosition.of(number, end)) {
        throw new DamagedLogException(file, end, "no whole record, though synced ones follow");
      }
    }
    writeAnew(file, number, copied, end);
    return new Result(LogFileWriter.resume(file, header, end), records);
  }

  /** What no sync is known to have covered: one may have failed. */
  private void writeAnew(Path file, int number, OptionalLong copied, int end) throws IOException {
    long known = copied.orElse(LogPosition.of(number, synced));
    int from = LogPosition.file(known) == number ? LogPosition.offset(known) : 0;
    DurableFiles.rewrite(file, from, end);
    steps.accept("rewrote segment " + number + " from " + from);
  }

  private LogFileHeader header(ByteBuffer bytes, Path file, int number, int start)
      throws DamagedLogException {
    LogFileHeader header = LogFileHeader.decode(bytes, file, number);
    if (header.dataChunks() != options.dataChunks()) {
      throw new IllegalArgumentException(
          options.dataChunks()
              + " data chunks, legal: "
              + header.dataChunks()
              + " as in "
              + file
              + ", which was written so");
    }
    boolean mustBe = number == start && start > 1;
    if (header.isCheckpoint() ? header.checkpoint() != start : mustBe) {
      throw new DamagedLogException(
          file, 12, "part of checkpoint " + header.checkpoint() + ", legal: " + start);
    }
    return header;
  }

  /** Applies complete records from the front; returns the offset of the first incomplete one. */
  private int applyIntact(ByteBuffer bytes, Path file, int number) throws IOException {
    int at = LogFileHeader.BYTES;
    synced = 0;
    while (Frame.isIntact(bytes, at, bytes.limit())) {
      int end = at + Frame.HEADER_BYTES + Frame.bodyBytes(bytes, at);
      ByteBuffer body =
          bytes.duplicate().limit(end).position(at + Frame.HEADER_BYTES).order(bytes.order());
      try {
        Records.apply(Frame.kind(bytes, at), body, LogPosition.of(number, at), state);
      } catch (RuntimeException e) {
        throw new DamagedLogException(file, at, e);
      }
      records++;
      noteSynced(bytes, at, number);
      at = end;
    }
    return at;
  }

  private void noteSynced(ByteBuffer bytes, int at, int number) {
    if (Frame.isSyncMark(bytes, at, bytes.limit(), number)) {
      synced = at;
    }
    long to = Frame.syncedTo(bytes, at, bytes.limit(), number);
    if (LogPosition.file(to) == number) {
      synced = Math.max(synced, LogPosition.offset(to));
    }
  }

  private static ByteBuffer readAll(Path file) throws IOException {
    return ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Whether a crash came before the header was on disk; nothing is appended earlier. */
  private static boolean isUnwritten(ByteBuffer bytes) {
    if (bytes.limit() > LogFileHeader.BYTES) {
      return false;
    }
    boolean zeros = true;
    for (int at = 0; at < bytes.limit(); at++) {
      zeros &= bytes.get(at) == 0;
    }
    return zeros || bytes.limit() < LogFileHeader.BYTES;
  }
}
