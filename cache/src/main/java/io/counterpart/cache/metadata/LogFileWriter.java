package io.counterpart.cache.metadata;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Appends frames to one log file. Frames go to a buffer first, and from there to the file when the
 * buffer is full or at {@link #flush}. An appended frame can be read at once.
 */
final class LogFileWriter implements AutoCloseable {
  private static final int BUFFER_BYTES = 64 << 10;

  /** Bytes by which the mapping grows: a read call costs ten times as much as a mapped read. */
  private static final int MAPPED_STEP_BYTES = 1 << 20;

  private final Path file;
  private final LogFileHeader header;
  private final FileChannel channel;
  private ByteBuffer buffer =
      ByteBuffer.allocateDirect(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);

  /** Bytes in the file; the buffer follows them. */
  private int flushed;

  /** A mapping of the beginning of the file. */
  private ByteBuffer mapped = ByteBuffer.allocate(0);

  private boolean marked = true;

  private LogFileWriter(Path file, LogFileHeader header, FileChannel channel, int length) {
    this.file = file;
    this.header = header;
    this.channel = channel;
    this.flushed = length;
  }

  /** Creates a file with a header, durable on return. */
  static LogFileWriter create(LogDirectory directory, LogFileHeader header) throws IOException {
    LogFileWriter writer = createUnsynced(directory, header);
    try {
      writer.channel.force(true);
      directory.sync();
      return writer;
    } catch (IOException e) {
      writer.close();
      throw e;
    }
  }

  /** As {@link #create}; durable after {@link #force} and a sync of the directory. */
  static LogFileWriter createUnsynced(LogDirectory directory, LogFileHeader header)
      throws IOException {
    Path file = directory.segment(header.number());
    FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE,
            StandardOpenOption.READ);
    LogFileWriter writer = new LogFileWriter(file, header, channel, 0);
    try {
      writer.buffer.put(header.encode());
      writer.flush();
      return writer;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /** Continues a file at an offset, and cuts off everything behind it. */
  static LogFileWriter resume(Path file, LogFileHeader header, int length) throws IOException {
    FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.READ);
    try {
      channel.truncate(length);
      LogFileWriter writer = new LogFileWriter(file, header, channel, length);
      writer.marked = false;
      return writer;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  Path file() {
    return file;
  }

  LogFileHeader header() {
    return header;
  }

  /** Offset of the next frame. */
  int length() {
    return flushed + buffer.position();
  }

  /** Position of the next frame in the whole log. */
  long end() {
    return LogPosition.of(header.number(), length());
  }

  /**
   * Begins a frame.
   *
   * @return a buffer for the body, from its position on
   */
  ByteBuffer begin(int bodyBytes) throws IOException {
    int frameBytes = Frame.HEADER_BYTES + bodyBytes;
    if (buffer.remaining() < frameBytes) {
      flush();
      if (buffer.capacity() < frameBytes) {
        buffer = ByteBuffer.allocateDirect(frameBytes).order(ByteOrder.LITTLE_ENDIAN);
      }
    }
    return buffer.position(buffer.position() + Frame.HEADER_BYTES);
  }

  /**
   * Ends the frame whose body was just written.
   *
   * @return its position in the log
   */
  long end(int kind, int bodyBytes) {
    int at = buffer.position() - bodyBytes - Frame.HEADER_BYTES;
    Frame.complete(buffer, at, kind, bodyBytes);
    marked = false;
    return LogPosition.of(header.number(), flushed + at);
  }

  /** Makes everything appended durable, and marks it so. */
  void sync() throws IOException {
    if (marked) {
      return;
    }
    flush();
    channel.force(false);
    mark();
  }

  private void mark() throws IOException {
    long position = LogPosition.of(header.number(), length());
    begin(Frame.SYNCED_BODY_BYTES).putLong(position);
    end(Frame.SYNCED, Frame.SYNCED_BODY_BYTES);
    flush();
    marked = true;
  }

  /** Makes the present file durable; any thread may do this while the owner goes on. */
  void force() throws IOException {
    channel.force(false);
  }

  /** Marks that everything before a position of the log is on disk. */
  void markSynced(long end) throws IOException {
    long position = end();
    begin(Frame.SYNCED_TO_BODY_BYTES).putLong(position).putLong(end);
    end(Frame.SYNCED_TO, Frame.SYNCED_TO_BODY_BYTES);
  }

  /** Ends the file: durable with its mark, which every file but the last must have. */
  void finish() throws IOException {
    marked = false;
    sync();
    channel.force(true);
  }

  /** As {@link #finish}, but durable only after {@link #force}; nobody may rely on it before. */
  void finishUnsynced() throws IOException {
    mark();
  }

  /** Writes the buffer to the file. */
  void flush() throws IOException {
    buffer.flip();
    int at = flushed;
    while (buffer.hasRemaining()) {
      at += channel.write(buffer, at);
    }
    flushed = at;
    buffer.clear();
  }

  /** Reads appended bytes; fewer than requested at the end. */
  int read(int offset, byte[] into) throws IOException {
    int wanted = Math.min(into.length, length() - offset);
    if (flushed - mapped.limit() >= MAPPED_STEP_BYTES) {
      mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, flushed);
    }
    if (offset + wanted <= mapped.limit()) {
      mapped.get(offset, into, 0, wanted);
      return wanted;
    }
    int fromFile = Math.max(0, Math.min(wanted, flushed - offset));
    readFile(offset, ByteBuffer.wrap(into, 0, fromFile));
    if (fromFile < wanted) {
      buffer.duplicate().get(offset + fromFile - flushed, into, fromFile, wanted - fromFile);
    }
    return wanted;
  }

  private void readFile(int offset, ByteBuffer target) throws IOException {
    while (target.hasRemaining()) {
      if (channel.read(target, offset + target.position()) < 0) {
        throw new DamagedLogException(file, offset, "the file has become shorter");
      }
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
