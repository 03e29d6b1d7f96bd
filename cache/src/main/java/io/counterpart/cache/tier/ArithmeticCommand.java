package io.counterpart.cache.tier;

import io.counterpart.cache.protocol.Key;
import org.jspecify.annotations.Nullable;

/**
 * Arithmetic on a number: adding wraps at 2^64, taking away stops at 0.
 *
 * @param delta 64 unsigned bits
 * @param initial what is stored if there is no such object; null: then it is not found
 * @param expiration the new expiry, null to leave it; of the initial value where there is one
 * @param cas the version that it must have, 0 for any
 */
public record ArithmeticCommand(
    Key key,
    boolean increments,
    long delta,
    @Nullable Long initial,
    @Nullable Expiration expiration,
    long cas) {}
