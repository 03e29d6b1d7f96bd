package io.counterpart.engine.lmdb;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Keys that are too long for LMDB, whose limit is 511 bytes.
 *
 * <p>A key of at most 500 bytes is LMDB's key. Longer keys with the same first 500 bytes share one
 * LMDB entry, their bucket: its key is those 500 bytes and a zero byte, its value the sorted list
 * of the rest of each key with its value. The order of all keys is kept, since no other LMDB key
 * lies between the 500 bytes and the bucket.
 *
 * <pre>bucket := { restLength:i32 rest valueLength:i32 value }</pre>
 */
final class Bucket {
  static final int SHARED_BYTES = 500;

  private Bucket() {}

  static boolean isLong(byte[] key) {
    return key.length > SHARED_BYTES;
  }

  /** The key under which LMDB has a key, alone or in its bucket. */
  static byte[] lmdbKey(byte[] key) {
    return isLong(key) ? Arrays.copyOf(Arrays.copyOf(key, SHARED_BYTES), SHARED_BYTES + 1) : key;
  }

  /** Entries of a bucket by their whole keys. */
  static NavigableMap<byte[], byte[]> read(byte[] lmdbKey, byte[] bucket) {
    NavigableMap<byte[], byte[]> entries = new TreeMap<>(Arrays::compareUnsigned);
    ByteBuffer in = ByteBuffer.wrap(bucket);
    while (in.hasRemaining()) {
      int rest = in.getInt();
      byte[] key = Arrays.copyOf(lmdbKey, SHARED_BYTES + rest);
      in.get(key, SHARED_BYTES, rest);
      byte[] value = new byte[in.getInt()];
      in.get(value);
      entries.put(key, value);
    }
    return entries;
  }

  static byte[] write(NavigableMap<byte[], byte[]> entries) {
    int bytes = 0;
    for (Map.Entry<byte[], byte[]> entry : entries.entrySet()) {
      bytes =
          Math.addExact(bytes, 8 + entry.getKey().length - SHARED_BYTES + entry.getValue().length);
    }
    ByteBuffer out = ByteBuffer.allocate(bytes);
    entries.forEach(
        (key, value) ->
            out.putInt(key.length - SHARED_BYTES)
                .put(key, SHARED_BYTES, key.length - SHARED_BYTES)
                .putInt(value.length)
                .put(value));
    return out.array();
  }
}
