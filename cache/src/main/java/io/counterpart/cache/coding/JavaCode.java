package io.counterpart.cache.coding;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** The code in plain Java, for machines without ISA-L. Not thread-safe. */
final class JavaCode extends MatrixCode<byte[]> {

  // reads and writes eight bytes in the machine's order, whatever order the buffer is set to
  private static final VarHandle LONGS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  /** Bytes coded at once, so that targets stay in the first-level cache while sources are added. */
  private static final int BLOCK_BYTES = 4096;

  JavaCode(CodeShape shape) {
    super(shape, rows -> rows);
  }

  @Override
  void multiply(
      byte[] rows,
      @Nullable ByteBuffer[] from,
      @Nullable ByteBuffer[] to,
      int targetCount,
      int length) {
    int k = shape().k();
    for (int begin = 0; begin < length; begin += BLOCK_BYTES) {
      int size = Math.min(BLOCK_BYTES, length - begin);
      for (int row = 0; row < targetCount; row++) {
        ByteBuffer target = Fragments.present(to, row);
        int at = target.position() + begin;
        clear(target, at, size);
        for (int i = 0; i < k; i++) {
          ByteBuffer source = Fragments.present(from, i);
          addProduct(rows[row * k + i], source, source.position() + begin, target, at, size);
        }
      }
    }
  }

  private static void clear(ByteBuffer target, int begin, int length) {
    int i = 0;
    for (; i <= length - Long.BYTES; i += Long.BYTES) {
      LONGS.set(target, begin + i, 0L);
    }
    for (; i < length; i++) {
      target.put(begin + i, (byte) 0);
    }
  }

  private static void addProduct(
      byte factor, ByteBuffer source, int from, ByteBuffer target, int to, int length) {
    byte[] multiples = GaloisField.multiplesOf(factor);
    int whole = length & -Long.BYTES;
    if (factor == 1) {
      for (int i = 0; i < whole; i += Long.BYTES) {
        long sum = (long) LONGS.get(target, to + i) ^ (long) LONGS.get(source, from + i);
        LONGS.set(target, to + i, sum);
      }
    } else {
      for (int i = 0; i < whole; i += Long.BYTES) {
        long product = eightProducts(multiples, (long) LONGS.get(source, from + i));
        LONGS.set(target, to + i, (long) LONGS.get(target, to + i) ^ product);
      }
    }
    for (int i = whole; i < length; i++) {
      byte product = multiples[source.get(from + i) & 0xff];
      target.put(to + i, (byte) (target.get(to + i) ^ product));
    }
  }

  private static long eightProducts(byte[] multiples, long eight) {
    return (multiples[(int) eight & 0xff] & 0xffL)
        | (multiples[(int) (eight >>> 8) & 0xff] & 0xffL) << 8
        | (multiples[(int) (eight >>> 16) & 0xff] & 0xffL) << 16
        | (multiples[(int) (eight >>> 24) & 0xff] & 0xffL) << 24
        | (multiples[(int) (eight >>> 32) & 0xff] & 0xffL) << 32
        | (multiples[(int) (eight >>> 40) & 0xff] & 0xffL) << 40
        | (multiples[(int) (eight >>> 48) & 0xff] & 0xffL) << 48
        | (multiples[(int) (eight >>> 56)] & 0xffL) << 56;
  }
}
