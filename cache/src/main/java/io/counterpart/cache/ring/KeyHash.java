package io.counterpart.cache.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * The 64-bit hash of a key, and the choices that it determines. The function is XXH64 as published
 * in the xxHash specification, with a seed.
 *
 * <p>One hash makes four choices, each by other bits, so that none skews another: the ring by the
 * remainder modulo n, the position within the ring by the value as a whole (so mostly by its upper
 * bits), the fingerprint of the object index by the upper 29 bits, and the shard by bits that are
 * mixed once more. Without that mixing a number of shards with a divisor in common with n would
 * leave a shard without keys of some rings.
 *
 * <p>Thread-safe: no state.
 */
public final class KeyHash {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long PRIME_1 = 0x9E3779B185EBCA87L;
  private static final long PRIME_2 = 0xC2B2AE3D27D4EB4FL;
  private static final long PRIME_3 = 0x165667B19E3779F9L;
  private static final long PRIME_4 = 0x85EBCA77C2B2AE63L;
  private static final long PRIME_5 = 0x27D4EB2F165667C5L;
  private static final int BLOCK_BYTES = 32;

  private KeyHash() {}

  /** Hash of all bytes of a key, with the seed that all look-ups of keys share. */
  public static long of(byte[] key) {
    return of(key, 0, key.length, 0);
  }

  /**
   * Hash of a part of an array.
   *
   * @param seed any value; another seed gives an unrelated hash
   * @throws IndexOutOfBoundsException if the part is not within the array
   */
  public static long of(byte[] bytes, int offset, int length, long seed) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    int at = offset;
    int end = offset + length;
    long hash = seed + PRIME_5;
    if (length >= BLOCK_BYTES) {
      hash = blocks(bytes, offset, end, seed);
      at = end - length % BLOCK_BYTES;
    }
    return avalanche(tail(bytes, at, end, hash + length));
  }

  /** Ring of a key: 0 to {@code rings − 1}. Paper: ECHash §4.2, hash(key) mod n. */
  public static int ring(long hash, int rings) {
    return (int) Long.remainderUnsigned(hash, rings);
  }

  /** Shard of a key: 0 to {@code shards − 1}, independent of its ring and its position. */
  public static int shard(long hash, int shards) {
    return (int) Long.remainderUnsigned(avalanche(hash + PRIME_1), shards);
  }

  private static long blocks(byte[] bytes, int from, int end, long seed) {
    long a = seed + PRIME_1 + PRIME_2;
    long b = seed + PRIME_2;
    long c = seed;
    long d = seed - PRIME_1;
    for (int at = from; at <= end - BLOCK_BYTES; at += BLOCK_BYTES) {
      a = round(a, (long) LONG.get(bytes, at));
      b = round(b, (long) LONG.get(bytes, at + 8));
      c = round(c, (long) LONG.get(bytes, at + 16));
      d = round(d, (long) LONG.get(bytes, at + 24));
    }
    long hash =
        Long.rotateLeft(a, 1)
            + Long.rotateLeft(b, 7)
            + Long.rotateLeft(c, 12)
            + Long.rotateLeft(d, 18);
    return merge(merge(merge(merge(hash, a), b), c), d);
  }

  private static long tail(byte[] bytes, int from, int end, long start) {
    long hash = start;
    int at = from;
    for (; at <= end - 8; at += 8) {
      hash = Long.rotateLeft(hash ^ round(0, (long) LONG.get(bytes, at)), 27) * PRIME_1 + PRIME_4;
    }
    if (at <= end - 4) {
      long word = Integer.toUnsignedLong((int) INT.get(bytes, at));
      hash = Long.rotateLeft(hash ^ word * PRIME_1, 23) * PRIME_2 + PRIME_3;
      at += 4;
    }
    for (; at < end; at++) {
      hash = Long.rotateLeft(hash ^ (bytes[at] & 0xff) * PRIME_5, 11) * PRIME_1;
    }
    return hash;
  }

  private static long round(long state, long word) {
    return Long.rotateLeft(state + word * PRIME_2, 31) * PRIME_1;
  }

  private static long merge(long hash, long state) {
    return (hash ^ round(0, state)) * PRIME_1 + PRIME_4;
  }

  private static long avalanche(long value) {
    long hash = (value ^ value >>> 33) * PRIME_2;
    hash = (hash ^ hash >>> 29) * PRIME_3;
    return hash ^ hash >>> 32;
  }
}
