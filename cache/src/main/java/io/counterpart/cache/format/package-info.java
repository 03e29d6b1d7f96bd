/**
 * Byte formats on servers: records, parity items and journal entries, as defined in {@code
 * docs/MEMORY-TIER-INTERNALS.md}. In: fields; out: bytes, and back, verified. No I/O and no
 * placement here.
 */
@NullMarked
package io.counterpart.cache.format;

import org.jspecify.annotations.NullMarked;
