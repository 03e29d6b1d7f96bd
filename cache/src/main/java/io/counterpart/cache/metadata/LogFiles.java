package io.counterpart.cache.metadata;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Read access to a log's files: ended files are memory-mapped, growing ones are read through their
 * writers.
 */
final class LogFiles {
  /** Enough for the frame of any slot. */
  private static final int FRAME_BYTES = Frame.HEADER_BYTES + Frame.SLOT_BODY_BYTES + 256;

  private final LogDirectory directory;
  private final TreeMap<Integer, ByteBuffer> ended = new TreeMap<>();
  private final byte[] frame = new byte[FRAME_BYTES];
  private final ByteBuffer frameBytes = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
  private @Nullable LogFileWriter growing;
  private @Nullable LogFileWriter copying;

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

  void dropBelow(int number) {
    ended.headMap(number).clear();
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
    int offset = Frame.offset(position);
    int read = read(Frame.segment(position), offset);
    if (!Frame.isIntact(frameBytes, 0, read) || Frame.kind(frameBytes, 0) != Frame.ASSIGN) {
      throw new DamagedLogException(
          directory.segment(Frame.segment(position)), offset, "no record of a key");
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
