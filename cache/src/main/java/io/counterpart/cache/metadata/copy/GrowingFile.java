package io.counterpart.cache.metadata.copy;

import io.counterpart.cache.metadata.LogDirectory;
import io.counterpart.cache.metadata.RecordEnds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** The file of a copy that grows. Its name is durable. Not thread-safe. */
final class GrowingFile implements AutoCloseable {
  /** No less than a file's header. */
  private static final int HEADER_BYTES = 64;

  private final FileChannel channel;
  private final RecordEnds ends;

  private GrowingFile(FileChannel channel, RecordEnds ends) {
    this.channel = channel;
    this.ends = ends;
  }

  /** Opens files; a test's may fail. */
  interface Opener {
    /** Opens a file to read and write it, and makes it if it is missing. */
    FileChannel open(Path file) throws IOException;

    /** The real one. */
    static FileChannel real(Path file) throws IOException {
      return FileChannel.open(
          file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }
  }

  /** Opens a file, which may be missing, and cuts it off. */
  static GrowingFile open(LogDirectory directory, int number, int length, Opener opener)
      throws IOException {
    Path file = directory.segment(number);
    FileChannel channel = opener.open(file);
    try {
      channel.truncate(length);
      directory.sync();
      return new GrowingFile(channel, RecordEnds.of(file, length));
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  void append(int offset, byte[] bytes) throws IOException {
    if (offset == 0) { // no byte is on disk before the header
      CopyFiles.write(channel, 0, Arrays.copyOf(bytes, Math.min(bytes.length, HEADER_BYTES)));
      channel.force(true);
    }
    CopyFiles.write(channel, offset, bytes);
    ends.take(ByteBuffer.wrap(bytes));
  }

  /** Makes everything appended durable. */
  void force() throws IOException {
    channel.force(true);
  }

  /** Offset behind the last whole record; 0 if not even the file's header is whole. */
  int whole() {
    return ends.whole();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
