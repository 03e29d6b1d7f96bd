package io.counterpart.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A range of keys and the direction in which a scan returns them. Immutable. */
public final class KvRange {
  private final byte @Nullable [] from;
  private final byte @Nullable [] to;
  private final boolean reversed;

  private KvRange(byte @Nullable [] from, byte @Nullable [] to, boolean reversed) {
    this.from = from;
    this.to = to;
    this.reversed = reversed;
  }

  /**
   * Keys in ascending order.
   *
   * @param from first key, inclusive; null for the beginning
   * @param to last key, exclusive; null for the end
   */
  public static KvRange of(byte @Nullable [] from, byte @Nullable [] to) {
    return new KvRange(from, to, false);
  }

  public static KvRange all() {
    return of(null, null);
  }

  /** The same keys in descending order. */
  public KvRange reverse() {
    return new KvRange(from, to, !reversed);
  }

  /** Inclusive; null for the beginning. */
  public byte @Nullable [] from() {
    return from;
  }

  /** Exclusive; null for the end. */
  public byte @Nullable [] to() {
    return to;
  }

  public boolean isReversed() {
    return reversed;
  }

  /** Whether a key lies before the range. */
  public boolean startsAfter(byte[] key) {
    return from != null && Arrays.compareUnsigned(key, from) < 0;
  }

  /** Whether a key lies behind the range. */
  public boolean endsBefore(byte[] key) {
    return to != null && Arrays.compareUnsigned(key, to) >= 0;
  }
}
