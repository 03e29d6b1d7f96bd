package io.counterpart.cache.metadata;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * A growing array of longs in a memory-mapped file: the page cache holds it, and the kernel may
 * write it out. Its content can be rebuilt, so the file begins empty and is deleted at the end.
 */
final class MappedLongs implements AutoCloseable {
  private static final int PART_BITS = 17;
  private static final int PART_LONGS = 1 << PART_BITS;
  private static final int PART_BYTES = PART_LONGS * Long.BYTES;
  private static final int WRITE_BYTES = 64 << 10;

  private final FileChannel channel;
  private final List<MappedByteBuffer> parts = new ArrayList<>();

  /** Creates the file, replacing that of an earlier process. */
  MappedLongs(Path file) throws IOException {
    this.channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE);
  }

  /** Grows the array to at least this many longs; new ones are 0. */
  void ensure(long longs) throws IOException {
    while ((long) parts.size() << PART_BITS < longs) {
      long at = bytes();
      // written, not only extended: a full disk is an exception here, not a fault at a later access
      ByteBuffer zeros = ByteBuffer.allocate(WRITE_BYTES);
      for (long done = 0; done < PART_BYTES; ) {
        zeros.clear();
        done += channel.write(zeros, at + done);
      }
      MappedByteBuffer part = channel.map(FileChannel.MapMode.READ_WRITE, at, PART_BYTES);
      part.order(ByteOrder.nativeOrder());
      parts.add(part);
    }
  }

  long get(long index) {
    return parts.get((int) (index >>> PART_BITS)).getLong(offset(index));
  }

  void put(long index, long value) {
    parts.get((int) (index >>> PART_BITS)).putLong(offset(index), value);
  }

  private static int offset(long index) {
    return (int) (index & (PART_LONGS - 1)) * Long.BYTES;
  }

  long bytes() {
    return (long) parts.size() * PART_BYTES;
  }

  @Override
  public void close() throws IOException {
    parts.clear();
    channel.close();
  }
}
