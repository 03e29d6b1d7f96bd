package io.counterpart.lab.workload;

import io.counterpart.lab.workload.value.Mix;
import io.counterpart.lab.workload.value.ValueKind;
import java.nio.ByteBuffer;
import java.util.OptionalInt;

/**
 * Self-proving values: every byte follows from (seed, key, version).
 *
 * <p>Layout: version (4 bytes), key (4 bytes), then content of a {@link ValueKind} from a
 * SplitMix64 stream seeded by (seed, key, version). Immutable and thread-safe.
 */
public final class ValueCodec {
  /** Smallest value that holds the header and one word of the stream. */
  public static final int MIN_VALUE_BYTES = 16;

  private final long seed;
  private final int valueBytes;
  private final ValueKind kind;

  /**
   * @param seed any
   * @param valueBytes length of every value, at least {@link #MIN_VALUE_BYTES} and a multiple of 8
   * @param kind of the content
   */
  public ValueCodec(long seed, int valueBytes, ValueKind kind) {
    if (valueBytes < MIN_VALUE_BYTES || valueBytes % Long.BYTES != 0) {
      throw new IllegalArgumentException(
          "valueBytes %d: must be a multiple of 8, at least %d"
              .formatted(valueBytes, MIN_VALUE_BYTES));
    }
    this.seed = seed;
    this.valueBytes = valueBytes;
    this.kind = kind;
  }

  /** The value of a key at a version, ready to bind. */
  public ByteBuffer encode(int key, int version) {
    ByteBuffer value = ByteBuffer.allocate(valueBytes);
    value.putInt(version).putInt(key);
    kind.fill(value, streamSeed(key, version));
    return value.flip();
  }

  /** The version that these bytes are of this key, or empty if they are no version of it. */
  public OptionalInt decode(int key, ByteBuffer value) {
    if (value.remaining() != valueBytes) {
      return OptionalInt.empty();
    }
    int version = value.getInt(value.position());
    return encode(key, version).equals(value) ? OptionalInt.of(version) : OptionalInt.empty();
  }

  private long streamSeed(int key, int version) {
    return Mix.mix(seed + Mix.GOLDEN * (((long) key << 32) | (version & 0xFFFFFFFFL)));
  }
}
