package io.counterpart.cache.coding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class GaloisFieldTest {

  @Test
  void every_product_is_that_of_the_polynomials() {
    byte[] expected = new byte[256];
    byte[] products = new byte[256];
    for (int a = 0; a < 256; a++) {
      for (int b = 0; b < 256; b++) {
        expected[b] = polynomialProduct(a, b);
        products[b] = GaloisField.multiply((byte) a, (byte) b);
      }
      assertThat(products).isEqualTo(expected);
      assertThat(GaloisField.multiplesOf((byte) a)).isEqualTo(expected);
    }
  }

  @Test
  void an_element_times_its_inverse_is_one_and_zero_has_none() {
    for (int a = 1; a < 256; a++) {
      byte inverse = GaloisField.inverse((byte) a);
      assertThat(polynomialProduct(a, inverse & 0xff)).isEqualTo((byte) 1);
    }
    assertThatThrownBy(() -> GaloisField.inverse((byte) 0)).isInstanceOf(ArithmeticException.class);
  }

  /** Multiplies as on paper: without tables, then divides by 0x11d. */
  private static byte polynomialProduct(int a, int b) {
    int product = 0;
    for (int bit = 0; bit < 8; bit++) {
      product ^= (b >>> bit & 1) == 1 ? a << bit : 0;
    }
    for (int bit = 14; bit >= 8; bit--) {
      product ^= (product >>> bit & 1) == 1 ? 0x11d << (bit - 8) : 0;
    }
    return (byte) product;
  }
}
