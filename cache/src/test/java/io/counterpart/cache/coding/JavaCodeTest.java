package io.counterpart.cache.coding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.ozone.erasurecode.rawcoder.util.GF256;
import org.apache.ozone.erasurecode.rawcoder.util.RSUtil;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The Java coder, with Apache Ozone's as the oracle of its bytes. */
class JavaCodeTest extends ErasureCodeContract {

  @Override
  ErasureCode coder(CodeShape shape) {
    return new JavaCode(shape);
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void parity_has_the_bytes_of_ozones_coder(CodeShape shape, Random random) {
    int n = shape.n();
    int k = shape.k();
    Stripe stripe = Stripe.random(shape, 1 + random.nextInt(200), random);
    byte[] matrix = new byte[n * k];
    RSUtil.genCauchyMatrix(matrix, n, k);
    byte[] tables = new byte[n * k * 32];
    RSUtil.initTables(k, n - k, matrix, k * k, tables);
    byte[][] data = Stream.of(stripe.data()).map(Stripe::bytes).toArray(byte[][]::new);
    int length = data[0].length;
    byte[][] expected = new byte[n - k][length];
    RSUtil.encodeData(tables, length, data, new int[k], expected, new int[n - k]);

    coder(shape).encode(stripe.data(), stripe.parity());

    assertThat(CodingMatrix.cauchy(shape)).isEqualTo(matrix);
    assertThat(Arrays.copyOfRange(stripe.content(), k, n)).isDeepEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void a_matrix_is_inverted_as_ozone_does(CodeShape shape) {
    int k = shape.k();
    byte[] square = new byte[k * k];
    byte[] matrix = CodingMatrix.cauchy(shape);
    // the last k rows: parity, and what data is needed to make up for a small n
    System.arraycopy(matrix, (shape.n() - k) * k, square, 0, k * k);
    byte[] expected = new byte[k * k];
    GF256.gfInvertMatrix(square.clone(), expected, k);

    byte[] inverse = new byte[k * k];
    CodingMatrix.invert(square, inverse, k);

    assertThat(inverse).isEqualTo(expected);
    assertThat(IntStream.range(0, k * k).filter(i -> square[i] != 0))
        .as("overwritten with the identity")
        .hasSize(k);
  }
}
