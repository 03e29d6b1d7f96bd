package io.counterpart.cache.tier;

import io.counterpart.cache.protocol.Key;
import org.jspecify.annotations.Nullable;

/**
 * Arithmetic on a number: addition wraps at 2^64, subtraction stops at 0.
 *
 * @param delta 64 unsigned bits
 * @param initial the number to store if there is no such object; null for the status not found
 * @param exptime the new exptime; null to leave it
 * @param cas the version that the object must have, 0 for any
 */
public record ArithmeticCommand(
    Key key,
    boolean increments,
    long delta,
    @Nullable Initial initial,
    @Nullable Integer exptime,
    long cas) {
  /**
   * An initial number.
   *
   * @param number 64 unsigned bits
   * @param exptime of the new object
   */
  public record Initial(long number, int exptime) {}
}
