package io.counterpart.cache.coding;

import com.sun.jna.Native;

/**
 * ISA-L's erasure coding, bound by JNA's direct mapping: names and arguments are those of its
 * {@code erasure_code.h}, addresses are longs. Arrays of bytes are copied in and out, so they suit
 * only the work done once for a matrix. Thread-safe as far as the memory at the addresses is.
 *
 * <p>Using this class fails with a {@link LinkageError} where the library is missing; {@link
 * CodingLibrary} checks first.
 */
@SuppressWarnings("MemberName") // the library's own names, by which JNA finds its functions
final class IsaL {

  static final String LIBRARY = "libisal.so.2";

  static {
    Native.register(IsaL.class, LIBRARY);
  }

  private IsaL() {}

  /** Fills {@code rows} × k bytes: the identity above a Cauchy matrix. */
  static native void gf_gen_cauchy1_matrix(byte[] matrix, int rows, int k);

  /** Makes 32 bytes of tables at an address for each of {@code rows} × k coefficients. */
  static native void ec_init_tables(int k, int rows, byte[] coefficients, long tables);

  /** Sets {@code rows} targets of a length to their rows times k sources. */
  static native void ec_encode_data(
      int length, int k, int rows, long tables, long sources, long targets);
}
