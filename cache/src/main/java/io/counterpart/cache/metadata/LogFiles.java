package io.counterpart.cache.metadata;

import io.counterpart.cache.metadata.disk.DurableFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Read access to a log's files: ended files are memory-mapped, growing ones are read through their
 * writers.
 */
public final class LogFiles {
  /** Enough for the frame of any slot. */
  private static final int FRAME_BYTES = Frame.HEADER_BYTES + Frame.SLOT_BODY_BYTES + 256;

  private final LogDirectory directory;
  private final TreeMap<Integer, ByteBuffer> ended = new TreeMap<>();
  private final byte[] frame = new byte[FRAME_BYTES];
  private final ByteBuffer frameBytes = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
  private @Nullable LogFileWriter growing;
  private @Nullable LogFileWriter copying;
  private int start = 1;

  LogFiles(LogDirectory directory) {
    this.directory = directory;
  }

  /** Maps a file; the buffer is little-endian. */
  static ByteBuffer map(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return channel
          .map(FileChannel.MapMode.READ_ONLY, 0, channel.size())
          .order(ByteOrder.LITTLE_ENDIAN);
    }
  }

  void addEnded(int number) throws IOException {
    ended.put(number, map(directory.segment(number)));
  }

  /** Makes all reads of a growing file go to its writer. */
  void setGrowing(LogFileWriter writer) {
    growing = writer;
  }

  /** As {@link #setGrowing}, for the file of a checkpoint, which grows beside the log's. */
  void setCopying(@Nullable LogFileWriter writer) {
    copying = writer;
  }

  /** Sets the first file that counts, and drops those before it. */
  void startAt(int number) {
    start = number;
    ended.headMap(number).clear();
  }

  /** Number of the first file that counts. */
  public int start() {
    return start;
  }

  /**
   * Bytes of a file.
   *
   * @param most bytes, from the offset on
   * @return fewer at the end of the file; null if there is no such file, or it is shorter
   */
  public byte @Nullable [] bytes(int number, int offset, int most) throws IOException {
    int length = length(number);
    if (offset > length) {
      return null;
    }
    byte[] bytes = new byte[Math.min(most, length - offset)];
    LogFileWriter writer = writer(number);
    if (writer == null) {
      ended(number).get(offset, bytes);
    } else {
      writer.read(offset, bytes);
    }
    return bytes;
  }

  /** Length of a file in bytes; −1 if there is none. */
  public int length(int number) {
    LogFileWriter writer = writer(number);
    ByteBuffer bytes = ended.get(number);
    return writer != null ? writer.length() : bytes == null ? -1 : bytes.limit();
  }

  /** Number of the file that follows an ended one; 0 if the file is growing. */
  public int next(int number) {
    return writer(number) == null ? follower(ended(number), number) : 0;
  }

  /** The file in which the log goes on after one that has ended. */
  static int follower(ByteBuffer bytes, int number) {
    return Math.max(number + 1, Frame.goesOnIn(bytes, number));
  }

  /** As {@link #next}, for a file on disk. */
  public static int following(Path file, int number) throws IOException {
    return follower(map(file), number);
  }

  /** Checksum (CRC32C) of the first bytes of a file; empty if it is missing or shorter. */
  public OptionalInt checksum(int number, int lengthBytes) throws IOException {
    byte[] bytes = bytes(number, 0, lengthBytes);
    return bytes == null || bytes.length < lengthBytes
        ? OptionalInt.empty()
        : OptionalInt.of(DurableFiles.checksum(ByteBuffer.wrap(bytes), 0, lengthBytes));
  }

  ByteBuffer ended(int number) {
    ByteBuffer bytes = ended.get(number);
    if (bytes == null) {
      throw new IllegalArgumentException("segment " + number + ", legal: " + ended.keySet());
    }
    return bytes;
  }

  /**
   * The key of an ASSIGN record.
   *
   * @throws DamagedLogException if the record has changed
   */
  byte[] key(long position) throws IOException {
    int offset = LogPosition.offset(position);
    int read = read(LogPosition.file(position), offset);
    if (!Frame.isIntact(frameBytes, 0, read) || Frame.kind(frameBytes, 0) != Frame.ASSIGN) {
      throw new DamagedLogException(
          directory.segment(LogPosition.file(position)), offset, "no record of a key");
    }
    int end = Frame.HEADER_BYTES + Frame.bodyBytes(frameBytes, 0);
    return Arrays.copyOfRange(frame, Frame.HEADER_BYTES + Frame.SLOT_BODY_BYTES, end);
  }

  private int read(int number, int offset) throws IOException {
    LogFileWriter writer = writer(number);
    if (writer != null) {
      return writer.read(offset, frame);
    }
    ByteBuffer bytes = ended(number);
    int length = Math.min(FRAME_BYTES, bytes.limit() - offset);
    bytes.get(offset, frame, 0, length);
    return length;
  }

  private @Nullable LogFileWriter writer(int number) {
    if (growing != null && growing.header().number() == number) {
      return growing;
    }
    return copying != null && copying.header().number() == number ? copying : null;
  }
}
