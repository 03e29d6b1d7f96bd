package io.counterpart.cache.coding;

import java.nio.ByteBuffer;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** The checks of a coder's arguments, the same for every coder. Thread-safe: no state. */
final class Fragments {

  private Fragments() {}

  /**
   * Checks the arguments of {@link ErasureCode#encode}.
   *
   * @return the length of each buffer
   */
  static int checkEncode(CodeShape shape, ByteBuffer[] data, ByteBuffer[] parity) {
    checkCount("data chunks", data.length, shape.k());
    checkCount("parity chunks", parity.length, shape.parityCount());
    int length = data[0].remaining();
    for (int i = 0; i < data.length; i++) {
      checkReadable(i, data[i], length);
    }
    for (int i = 0; i < parity.length; i++) {
      checkWritable(shape.k() + i, parity[i], length);
    }
    return length;
  }

  /**
   * Checks the arguments of {@link ErasureCode#decode}.
   *
   * @return the length of each buffer that is read or written
   */
  static int checkDecode(
      CodeShape shape, @Nullable ByteBuffer[] chunks, int available, int wanted) {
    checkCount("chunks", chunks.length, shape.n());
    if ((available | wanted) >>> shape.n() != 0 || (available & wanted) != 0 || wanted == 0) {
      throw new IllegalArgumentException(
          "wanted chunks are %s, available ones %s; at least one of 0..%d must be wanted, none be both"
              .formatted(bits(wanted), bits(available), shape.n() - 1));
    }
    if (Integer.bitCount(available) < shape.k()) {
      throw new IllegalArgumentException(
          "available chunks are " + bits(available) + "; " + shape.k() + " are needed");
    }
    int used = used(shape, available);
    int length = present(chunks, Integer.numberOfTrailingZeros(used)).remaining();
    for (int i = 0; i < chunks.length; i++) {
      if ((used >>> i & 1) == 1) {
        checkReadable(i, present(chunks, i), length);
      } else if ((wanted >>> i & 1) == 1) {
        checkWritable(i, present(chunks, i), length);
      }
    }
    return length;
  }

  /** Bits of the first k available chunks: as many data chunks as there are. */
  static int used(CodeShape shape, int available) {
    int used = available;
    while (Integer.bitCount(used) > shape.k()) {
      used ^= Integer.highestOneBit(used);
    }
    return used;
  }

  static ByteBuffer present(@Nullable ByteBuffer[] chunks, int chunk) {
    ByteBuffer buffer = chunks[chunk];
    if (buffer == null) {
      throw new IllegalArgumentException("chunk " + chunk + " is null");
    }
    return buffer;
  }

  private static void checkCount(String what, int count, int legal) {
    if (count != legal) {
      throw new IllegalArgumentException(what + " are " + count + ", not " + legal);
    }
  }

  private static void checkReadable(int chunk, ByteBuffer buffer, int length) {
    if (!buffer.isDirect()) {
      throw new IllegalArgumentException("chunk " + chunk + " is on the heap, not direct");
    }
    if (buffer.remaining() != length || length == 0) {
      throw new IllegalArgumentException(
          "chunk %d has %d bytes, not %s"
              .formatted(chunk, buffer.remaining(), length == 0 ? "1 or more" : length));
    }
  }

  private static void checkWritable(int chunk, ByteBuffer buffer, int length) {
    checkReadable(chunk, buffer, length);
    if (buffer.isReadOnly()) {
      throw new IllegalArgumentException("chunk " + chunk + " is read-only, not writable");
    }
  }

  private static String bits(int chunks) {
    return BitSet.valueOf(new long[] {chunks & 0xffff_ffffL}).toString();
  }
}
