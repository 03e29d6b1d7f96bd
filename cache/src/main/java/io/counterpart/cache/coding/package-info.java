/**
 * Reed–Solomon coding over GF(2⁸) of chunks in direct buffers, by ISA-L or in Java with the same
 * bytes.
 *
 * <p>In: a {@link io.counterpart.cache.coding.CodeShape} and buffers of equal length. Out: parity,
 * deltas added to parity, chunks decoded from any k of n. {@link
 * io.counterpart.cache.coding.CodingLibrary} is the way in. What a chunk holds, where it lives and
 * which of its bytes are trusted must not be known here.
 */
@NullMarked
package io.counterpart.cache.coding;

import org.jspecify.annotations.NullMarked;
