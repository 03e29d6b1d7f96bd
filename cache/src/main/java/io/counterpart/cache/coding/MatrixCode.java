package io.counterpart.cache.coding;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The code by its coding matrix, whichever way chunks are multiplied. Not thread-safe.
 *
 * @param <T> rows of a matrix, in the form that the multiplication takes
 */
abstract class MatrixCode<T> implements ErasureCode {

  private final CodeShape shape;
  private final T parityRows;
  private final DecodePatterns<T> patterns;
  private final @Nullable ByteBuffer[] sources;
  private final @Nullable ByteBuffer[] targets;

  /**
   * @param form brings rows of k coefficients into the form that {@link #multiply} takes
   */
  MatrixCode(CodeShape shape, Function<byte[], T> form) {
    int k = shape.k();
    byte[] matrix = CodingMatrix.cauchy(shape);
    this.shape = shape;
    this.parityRows = form.apply(Arrays.copyOfRange(matrix, k * k, matrix.length));
    this.patterns =
        new DecodePatterns<>(
            (used, wanted) -> form.apply(CodingMatrix.decoding(matrix, k, used, wanted)));
    this.sources = new ByteBuffer[k];
    this.targets = new ByteBuffer[shape.n()];
  }

  @Override
  public CodeShape shape() {
    return shape;
  }

  @Override
  public void encode(ByteBuffer[] data, ByteBuffer[] parity) {
    int length = Fragments.checkEncode(shape, data, parity);
    multiply(parityRows, data, parity, parity.length, length);
  }

  @Override
  public void decode(@Nullable ByteBuffer[] chunks, int available, int wanted) {
    int length = Fragments.checkDecode(shape, chunks, available, wanted);
    int used = Fragments.used(shape, available);
    T rows = patterns.get(used, wanted);
    int sourceCount = 0;
    int targetCount = 0;
    for (int i = 0; i < chunks.length; i++) {
      if ((used >>> i & 1) == 1) {
        sources[sourceCount++] = chunks[i];
      } else if ((wanted >>> i & 1) == 1) {
        targets[targetCount++] = chunks[i];
      }
    }
    multiply(rows, sources, targets, targetCount, length);
    // the coder must not keep its caller's memory
    Arrays.fill(sources, null);
    Arrays.fill(targets, null);
  }

  /** Sets each target to its row of {@code rows} times the k sources. */
  abstract void multiply(
      T rows, @Nullable ByteBuffer[] from, @Nullable ByteBuffer[] to, int targetCount, int length);
}
