package io.counterpart.cache.coding;

/**
 * Matrices over GF(2⁸), row by row in one array. The coding matrix has n rows of k entries: the
 * identity, for the data, above a Cauchy matrix. Any k of its rows can be inverted. Thread-safe:
 * functions of their arguments.
 */
final class CodingMatrix {

  private CodingMatrix() {}

  /** The coding matrix of a shape, equal to that of ISA-L's {@code gf_gen_cauchy1_matrix}. */
  static byte[] cauchy(CodeShape shape) {
    int k = shape.k();
    byte[] matrix = new byte[shape.n() * k];
    for (int i = 0; i < k; i++) {
      matrix[i * k + i] = 1;
    }
    for (int i = k; i < shape.n(); i++) {
      for (int j = 0; j < k; j++) {
        matrix[i * k + j] = GaloisField.inverse((byte) (i ^ j));
      }
    }
    return matrix;
  }

  /**
   * The rows that compute wanted chunks from used ones.
   *
   * @param matrix the coding matrix of k columns
   * @param used bits of exactly k chunks
   * @param wanted bits of other chunks
   * @return a row for each wanted chunk, with an entry for each used one, both ascending
   */
  static byte[] decoding(byte[] matrix, int k, int used, int wanted) {
    byte[] inverse = new byte[k * k];
    invert(rows(matrix, k, used), inverse, k);
    // a chunk is its matrix row times the data, and the data is the inverse times the used chunks
    return product(rows(matrix, k, wanted), inverse, k);
  }

  /**
   * Inverts by Gauss–Jordan elimination; overwrites {@code matrix}.
   *
   * @throws ArithmeticException if the matrix has no inverse
   */
  static void invert(byte[] matrix, byte[] inverse, int size) {
    for (int i = 0; i < size * size; i++) {
      inverse[i] = (byte) (i % (size + 1) == 0 ? 1 : 0);
    }
    for (int column = 0; column < size; column++) {
      int pivot = pivot(matrix, column, size);
      swapRows(matrix, pivot, column, size);
      swapRows(inverse, pivot, column, size);
      byte scale = GaloisField.inverse(matrix[column * size + column]);
      scaleRow(matrix, column, scale, size);
      scaleRow(inverse, column, scale, size);
      for (int row = 0; row < size; row++) {
        byte factor = matrix[row * size + column];
        if (row != column && factor != 0) {
          addRow(matrix, column, row, factor, size);
          addRow(inverse, column, row, factor, size);
        }
      }
    }
  }

  private static byte[] rows(byte[] matrix, int k, int chosen) {
    byte[] rows = new byte[Integer.bitCount(chosen) * k];
    int next = 0;
    for (int row = 0; row < matrix.length / k; row++) {
      if ((chosen >>> row & 1) == 1) {
        System.arraycopy(matrix, row * k, rows, next, k);
        next += k;
      }
    }
    return rows;
  }

  private static byte[] product(byte[] left, byte[] square, int k) {
    byte[] product = new byte[left.length];
    for (int cell = 0; cell < left.length; cell++) {
      int row = cell / k * k;
      int column = cell % k;
      for (int i = 0; i < k; i++) {
        product[cell] ^= GaloisField.multiply(left[row + i], square[i * k + column]);
      }
    }
    return product;
  }

  private static int pivot(byte[] matrix, int column, int size) {
    for (int row = column; row < size; row++) {
      if (matrix[row * size + column] != 0) {
        return row;
      }
    }
    throw new ArithmeticException("the matrix has no inverse");
  }

  private static void swapRows(byte[] matrix, int a, int b, int size) {
    for (int i = 0; i < size; i++) {
      byte held = matrix[a * size + i];
      matrix[a * size + i] = matrix[b * size + i];
      matrix[b * size + i] = held;
    }
  }

  private static void scaleRow(byte[] matrix, int row, byte factor, int size) {
    for (int i = row * size; i < (row + 1) * size; i++) {
      matrix[i] = GaloisField.multiply(matrix[i], factor);
    }
  }

  private static void addRow(byte[] matrix, int from, int to, byte factor, int size) {
    for (int i = 0; i < size; i++) {
      matrix[to * size + i] ^= GaloisField.multiply(matrix[from * size + i], factor);
    }
  }
}
