package io.counterpart.cache.coding;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The code through ISA-L. Pointer arrays and tables are native memory of this coder, so a call
 * costs one native call and the writes of its buffers' addresses. Not thread-safe.
 */
final class IsaLCode implements ErasureCode {

  /** Table bytes of one coefficient: its products with the low and the high four bits of a byte. */
  private static final int TABLE_BYTES = 32;

  private final CodeShape shape;
  private final byte[] matrix;
  private final NativeBlock parityTables;
  private final DecodePatterns<NativeBlock> patterns;
  private final NativeBlock sources;
  private final NativeBlock targets;

  IsaLCode(CodeShape shape) {
    this.shape = shape;
    int k = shape.k();
    this.matrix = new byte[shape.n() * k];
    IsaL.gf_gen_cauchy1_matrix(matrix, shape.n(), k);
    this.parityTables = tables(Arrays.copyOfRange(matrix, k * k, matrix.length));
    this.patterns =
        new DecodePatterns<>(
            (used, wanted) ->
                tables(CodingMatrix.decoding(matrix, k, used, wanted, IsaLCode::invert)));
    this.sources = new NativeBlock(k * Long.BYTES);
    this.targets = new NativeBlock(shape.n() * Long.BYTES);
  }

  @Override
  public CodeShape shape() {
    return shape;
  }

  @Override
  public void encode(ByteBuffer[] data, ByteBuffer[] parity) {
    int length = Fragments.checkEncode(shape, data, parity);
    try {
      for (int i = 0; i < data.length; i++) {
        sources.setPointer(i, NativeBlock.address(data[i]));
      }
      for (int i = 0; i < parity.length; i++) {
        targets.setPointer(i, NativeBlock.address(parity[i]));
      }
      multiply(parityTables, length, parity.length);
    } finally {
      // memory is freed with its buffers, and native code holds none of them
      Reference.reachabilityFence(data);
      Reference.reachabilityFence(parity);
    }
  }

  @Override
  public void decode(@Nullable ByteBuffer[] chunks, int available, int wanted) {
    int length = Fragments.checkDecode(shape, chunks, available, wanted);
    int used = Fragments.used(shape, available);
    int sourceCount = 0;
    int targetCount = 0;
    try {
      for (int i = 0; i < chunks.length; i++) {
        if ((used >>> i & 1) == 1) {
          sources.setPointer(sourceCount++, NativeBlock.address(Fragments.present(chunks, i)));
        } else if ((wanted >>> i & 1) == 1) {
          targets.setPointer(targetCount++, NativeBlock.address(Fragments.present(chunks, i)));
        }
      }
      multiply(patterns.get(used, wanted), length, targetCount);
    } finally {
      Reference.reachabilityFence(chunks);
    }
  }

  /** Sets {@code rows} targets to their rows times the sources. */
  private void multiply(NativeBlock tables, int length, int rows) {
    try {
      IsaL.ec_encode_data(
          length, shape.k(), rows, tables.address(), sources.address(), targets.address());
    } finally {
      Reference.reachabilityFence(tables);
      Reference.reachabilityFence(this);
    }
  }

  private NativeBlock tables(byte[] coefficients) {
    NativeBlock tables = new NativeBlock(coefficients.length * TABLE_BYTES);
    int rows = coefficients.length / shape.k();
    IsaL.ec_init_tables(shape.k(), rows, coefficients, tables.address());
    return tables;
  }

  private static void invert(byte[] matrix, byte[] inverse, int size) {
    if (IsaL.gf_invert_matrix(matrix, inverse, size) != 0) {
      throw new ArithmeticException("the matrix has no inverse");
    }
  }
}
