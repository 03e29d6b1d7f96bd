/**
 * Reed–Solomon coding over GF(2⁸) of chunks in direct buffers, by ISA-L or by Java code that
 * computes the same bytes.
 *
 * <p>In: a {@link io.counterpart.cache.coding.CodeShape} and buffers of equal length. Out: parity,
 * chunks decoded from any k of n. The entry point is {@link
 * io.counterpart.cache.coding.CodingLibrary}. The content, place and integrity of a chunk must not
 * be known here.
 */
@NullMarked
package io.counterpart.cache.coding;

import org.jspecify.annotations.NullMarked;
