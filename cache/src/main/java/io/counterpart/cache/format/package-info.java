/**
 * The bytes that servers hold: records, parity items, journal entries, as {@code
 * docs/memory-tier.md} defines them. In: fields; out: bytes, and back, checked. No I/O, and nothing
 * that knows where bytes belong.
 */
@NullMarked
package io.counterpart.cache.format;

import org.jspecify.annotations.NullMarked;
