package io.counterpart.cache.coding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** ISA-L's coder, with the Java coder as the oracle of its bytes. */
class IsaLCodeTest extends ErasureCodeContract {

  @BeforeAll
  static void library() {
    IsaLInstalled.require();
  }

  @Override
  ErasureCode coder(CodeShape shape) {
    return new IsaLCode(shape);
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void parity_and_decoded_chunks_have_the_java_coders_bytes(CodeShape shape, Random random) {
    ErasureCode isaL = coder(shape);
    ErasureCode java = new JavaCode(shape);
    for (int length = 1; length < 300; length += 1 + random.nextInt(19)) {
      Stripe stripe = Stripe.random(shape, length, random);
      isaL.encode(stripe.data(), stripe.parity());
      byte[][] encoded = stripe.content();
      java.encode(stripe.data(), stripe.parity());
      stripe.assertContent(encoded);

      int lost = (1 << shape.parityCount()) - 1;
      int available = (1 << shape.n()) - 1 ^ lost;
      // whatever the chunks hold: not only what a code made decodes alike
      stripe.lose(1 << shape.n() - 1);
      isaL.decode(stripe.chunks(), available, lost);
      byte[][] decoded = stripe.content();
      java.decode(stripe.chunks(), available, lost);
      stripe.assertContent(decoded);
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void the_coding_matrix_is_isa_ls(CodeShape shape) {
    byte[] matrix = new byte[shape.n() * shape.k()];
    IsaL.gf_gen_cauchy1_matrix(matrix, shape.n(), shape.k());

    assertThat(CodingMatrix.cauchy(shape)).isEqualTo(matrix);
  }

  @Test
  void the_library_is_chosen_where_it_is_installed() {
    CodingLibrary library = CodingLibrary.load();

    assertThat(library.fallbackReason()).isEmpty();
    assertThat(library).hasToString("ISA-L (libisal.so.2)");
    assertThat(library.coder(new CodeShape(5, 3))).isInstanceOf(IsaLCode.class);
  }
}
