package io.counterpart.cache.metadata;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;

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
  private long records;
  private Optional<Path> tornFile = Optional.empty();
  private long tornBytes;

  LogReplay(
      LogDirectory directory, MetadataOptions options, MetadataState state, LogFiles segments) {
    this.directory = directory;
    this.options = options;
    this.state = state;
    this.segments = segments;
  }

  /** The end of the log, and the result of the replay. */
  record Result(LogFileWriter writer, ReplayedLog recovery) {}

  Result run() throws IOException {
    int start = directory.start();
    NavigableMap<Integer, Path> files = directory.segments();
    directory.delete(List.copyOf(files.headMap(start).keySet())); // superseded by a checkpoint
    files.headMap(start).clear();
    dropUnfinished(files, start);
    requireContiguous(files, start);
    if (files.isEmpty()) {
      LogFileHeader header = new LogFileHeader(start, 0, options.dataChunks());
      return new Result(LogFileWriter.create(directory, header), recovery(0));
    }
    for (Map.Entry<Integer, Path> file : files.headMap(files.lastKey()).entrySet()) {
      segments.addEnded(file.getKey());
      readEnded(file.getValue(), file.getKey(), start);
    }
    return readLast(files.lastEntry().getValue(), files.lastKey(), start, files.size());
  }

  private ReplayedLog recovery(int count) {
    return new ReplayedLog(count, records, tornFile, tornBytes);
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
      if (isUnwritten(bytes)) {
        cut(file, bytes.limit());
      } else {
        int checkpoint = LogFileHeader.decode(bytes, file, last).checkpoint();
        if (checkpoint == 0 || checkpoint == start) {
          return;
        }
      }
      directory.delete(List.of(last));
      files.remove(last);
    }
  }

  private void requireContiguous(NavigableMap<Integer, Path> files, int start)
      throws DamagedLogException {
    int expected = start;
    for (int number : files.keySet()) {
      if (number != expected) {
        throw new DamagedLogException(directory.segment(expected), 0, "the file is missing");
      }
      expected++;
    }
    if (files.isEmpty() && start > 1) {
      throw new DamagedLogException(directory.segment(start), 0, "the file is missing");
    }
  }

  private void readEnded(Path file, int number, int start) throws IOException {
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

  private Result readLast(Path file, int number, int start, int count) throws IOException {
    ByteBuffer bytes = readAll(file);
    LogFileHeader header = header(bytes, file, number, start);
    if (header.isCheckpoint()) {
      segments.addEnded(number);
      readEnded(file, number, start);
      LogFileHeader next = new LogFileHeader(number + 1, 0, options.dataChunks());
      return new Result(LogFileWriter.create(directory, next), recovery(count));
    }
    int end = applyIntact(bytes, file, number);
    for (int at = end + 1; at < bytes.limit(); at++) {
      if (Frame.isSyncMark(bytes, at, bytes.limit(), number)
          || Frame.syncedTo(bytes, at, bytes.limit(), number) > Frame.position(number, end)) {
        throw new DamagedLogException(file, end, "no whole record, though synced ones follow");
      }
    }
    cut(file, bytes.limit() - end);
    return new Result(LogFileWriter.resume(file, header, end), recovery(count));
  }

  private void cut(Path file, int bytes) {
    if (bytes > 0) {
      tornFile = Optional.of(file);
      tornBytes = bytes;
    }
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
    while (Frame.isIntact(bytes, at, bytes.limit())) {
      int end = at + Frame.HEADER_BYTES + Frame.bodyBytes(bytes, at);
      ByteBuffer body =
          bytes.duplicate().limit(end).position(at + Frame.HEADER_BYTES).order(bytes.order());
      try {
        Records.apply(Frame.kind(bytes, at), body, Frame.position(number, at), state);
      } catch (RuntimeException e) {
        throw new DamagedLogException(file, at, e);
      }
      records++;
      at = end;
    }
    return at;
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
