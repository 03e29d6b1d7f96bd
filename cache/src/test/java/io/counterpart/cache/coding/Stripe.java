package io.counterpart.cache.coding;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;

/** Random chunks within larger buffers, at odd addresses, that detect writes beyond a chunk. */
final class Stripe {

  private static final int MAX_MARGIN = 40;

  private final CodeShape shape;
  private final ByteBuffer[] chunks;
  private final byte[][] margins;

  private Stripe(CodeShape shape, ByteBuffer[] chunks) {
    this.shape = shape;
    this.chunks = chunks;
    this.margins = Stream.of(chunks).map(Stripe::marginsOf).toArray(byte[][]::new);
  }

  /** A stripe of random chunks, parity included. */
  static Stripe random(CodeShape shape, int length, Random random) {
    ByteBuffer[] chunks = new ByteBuffer[shape.n()];
    for (int i = 0; i < chunks.length; i++) {
      chunks[i] = buffer(length, random);
    }
    return new Stripe(shape, chunks);
  }

  static ByteBuffer buffer(int length, Random random) {
    int before = random.nextInt(MAX_MARGIN);
    byte[] bytes = new byte[before + length + random.nextInt(MAX_MARGIN)];
    random.nextBytes(bytes);
    return ByteBuffer.allocateDirect(bytes.length)
        .put(bytes)
        .position(before)
        .limit(before + length);
  }

  static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(buffer.position(), bytes);
    return bytes;
  }

  /** All shapes. */
  static Stream<CodeShape> shapes() {
    return Stream.iterate(3, n -> n <= 14, n -> n + 1)
        .flatMap(
            n ->
                Stream.iterate(2, k -> k < n && k <= 10, k -> k + 1).map(k -> new CodeShape(n, k)));
  }

  ByteBuffer[] chunks() {
    return chunks;
  }

  ByteBuffer[] data() {
    return Arrays.copyOf(chunks, shape.k());
  }

  ByteBuffer[] parity() {
    return Arrays.copyOfRange(chunks, shape.k(), shape.n());
  }

  byte[][] content() {
    return Stream.of(chunks).map(Stripe::bytes).toArray(byte[][]::new);
  }

  /** Overwrites chunks, given as bits, with other bytes. */
  void lose(int lost) {
    for (int i = 0; i < chunks.length; i++) {
      if ((lost >>> i & 1) == 1) {
        for (int at = chunks[i].position(); at < chunks[i].limit(); at++) {
          chunks[i].put(at, (byte) ~chunks[i].get(at));
        }
      }
    }
  }

  void assertContent(byte[][] expected) {
    assertSame(content(), expected);
  }

  void assertMarginsUntouched() {
    assertSame(Stream.of(chunks).map(Stripe::marginsOf).toArray(byte[][]::new), margins);
  }

  // AssertJ looks at every byte by itself: only where it has something to tell
  private static void assertSame(byte[][] actual, byte[][] expected) {
    if (!Arrays.deepEquals(actual, expected)) {
      assertThat(actual).isDeepEqualTo(expected);
    }
  }

  /** The bytes outside of a chunk, with zeros for the chunk: they move if its position does. */
  private static byte[] marginsOf(ByteBuffer buffer) {
    byte[] bytes = bytes(buffer.duplicate().clear());
    Arrays.fill(bytes, buffer.position(), buffer.limit(), (byte) 0);
    return bytes;
  }
}
