package io.counterpart.engine;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Keys that are too long for an engine.
 *
 * <p>A key of at most {@code shared} bytes is the engine's key. Longer keys with the same first
 * {@code shared} bytes have one entry of the engine together, their bucket: its key is those bytes
 * and a zero byte, its value the sorted list of the rest of each key with its value. The order of
 * all keys is kept, since no other engine's key lies between those bytes and the bucket.
 *
 * <pre>bucket := { restLength:i32 rest valueLength:i32 value }</pre>
 *
 * <p>Immutable.
 */
public final class KeyBuckets {
  private final int shared;

  /**
   * @param shared the engine's longest key has one byte more
   */
  public KeyBuckets(int shared) {
    this.shared = shared;
  }

  /** Whether a key goes to a bucket. */
  public boolean isLong(byte[] key) {
    return key.length > shared;
  }

  /** The key under which the engine has a key, alone or in its bucket. */
  public byte[] engineKey(byte[] key) {
    return isLong(key) ? Arrays.copyOf(Arrays.copyOf(key, shared), shared + 1) : key;
  }

  /** An empty bucket. */
  public static NavigableMap<byte[], byte[]> empty() {
    return new TreeMap<>(Arrays::compareUnsigned);
  }

  /** Entries of a bucket by their whole keys. */
  public NavigableMap<byte[], byte[]> read(byte[] engineKey, byte[] bucket) {
    NavigableMap<byte[], byte[]> entries = empty();
    ByteBuffer in = ByteBuffer.wrap(bucket);
    while (in.hasRemaining()) {
      int rest = in.getInt();
      byte[] key = Arrays.copyOf(engineKey, shared + rest);
      in.get(key, shared, rest);
      byte[] value = new byte[in.getInt()];
      in.get(value);
      entries.put(key, value);
    }
    return entries;
  }

  /** The value of a bucket. */
  public byte[] write(NavigableMap<byte[], byte[]> entries) {
    int bytes = 0;
    for (Map.Entry<byte[], byte[]> entry : entries.entrySet()) {
      bytes = Math.addExact(bytes, 8 + entry.getKey().length - shared + entry.getValue().length);
    }
    ByteBuffer out = ByteBuffer.allocate(bytes);
    entries.forEach(
        (key, value) ->
            out.putInt(key.length - shared)
                .put(key, shared, key.length - shared)
                .putInt(value.length)
                .put(value));
    return out.array();
  }
}
