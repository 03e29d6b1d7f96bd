package io.counterpart.lab.workload;

import java.nio.ByteBuffer;
import java.util.OptionalInt;

/**
 * Self-proving values: every byte follows from (seed, key, version).
 *
 * <p>Layout: version (4 bytes), key (4 bytes), then a SplitMix64 stream seeded by (seed, key,
 * version). The stream does not compress, so bytes on disk are bytes written. Immutable and
 * thread-safe.
 */
public final class ValueCodec {
  /** Smallest value that holds the header and one word of the stream. */
  public static final int MIN_VALUE_BYTES = 16;

  private static final int HEADER_BYTES = 8;
  private final long seed;
  private final int valueBytes;

  /**
   * @param seed any
   * @param valueBytes length of every value, at least {@link #MIN_VALUE_BYTES} and a multiple of 8
   */
  public ValueCodec(long seed, int valueBytes) {
    if (valueBytes < MIN_VALUE_BYTES || valueBytes % Long.BYTES != 0) {
      throw new IllegalArgumentException(
          "valueBytes %d: must be a multiple of 8, at least %d"
              .formatted(valueBytes, MIN_VALUE_BYTES));
    }
    this.seed = seed;
    this.valueBytes = valueBytes;
  }

  /** The value of a key at a version, ready to bind. */
  public ByteBuffer encode(int key, int version) {
    ByteBuffer value = ByteBuffer.allocate(valueBytes);
    value.putInt(version).putInt(key);
    long state = streamSeed(key, version);
    while (value.hasRemaining()) {
      state += Mix.GOLDEN;
      value.putLong(Mix.mix(state));
    }
    return value.flip();
  }

  /** The version that these bytes are of this key, or empty if they are no version of it. */
  public OptionalInt decode(int key, ByteBuffer value) {
    if (value.remaining() != valueBytes) {
      return OptionalInt.empty();
    }
    int at = value.position();
    int version = value.getInt(at);
    if (value.getInt(at + Integer.BYTES) != key) {
      return OptionalInt.empty();
    }
    long state = streamSeed(key, version);
    for (int offset = at + HEADER_BYTES; offset < value.limit(); offset += Long.BYTES) {
      state += Mix.GOLDEN;
      if (value.getLong(offset) != Mix.mix(state)) {
        return OptionalInt.empty();
      }
    }
    return OptionalInt.of(version);
  }

  private long streamSeed(int key, int version) {
    return Mix.mix(seed + Mix.GOLDEN * (((long) key << 32) | (version & 0xFFFFFFFFL)));
  }
}
