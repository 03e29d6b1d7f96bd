package io.counterpart.cache.coding;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A systematic Reed–Solomon code: chunks 0 … k−1 are data, chunks k … n−1 parity, and any k of the
 * n decode the others. Row i of the coding matrix is {@code 1 / (i xor j)} for parity i and data j,
 * over GF(2⁸) with the polynomial 0x11d. So every byte of a chunk is coded separately, and a part
 * of a chunk is coded as the whole is, at any length from one byte on.
 *
 * <p>A buffer means its bytes between position and limit; both stay as they are. Buffers are
 * direct; those that are written are not read-only, and overlap no other buffer of the call. A call
 * that is refused, by {@link IllegalArgumentException} with the value and the legal range, has
 * changed nothing. Calls allocate nothing, except the first one with a new pattern of erasures.
 *
 * <p>Not thread-safe: a coder keeps scratch memory. Each thread has its own.
 */
public interface ErasureCode {

  /** The shape that this coder was made for. */
  CodeShape shape();

  /**
   * Computes the parity of a stripe.
   *
   * @param data the k data chunks, of one length
   * @param parity the n−k parity chunks, of that length; overwritten
   */
  void encode(ByteBuffer[] data, ByteBuffer[] parity);

  /**
   * Computes chunks, data or parity, from k others. Sets of chunks are bits: bit i is chunk i.
   *
   * @param chunks n entries, of one length where they are available or wanted; others are ignored
   * @param available chunks that may be read, at least k; the first k of them are
   * @param wanted chunks to be overwritten, at least one, none of them available
   */
  void decode(@Nullable ByteBuffer[] chunks, int available, int wanted);
}
