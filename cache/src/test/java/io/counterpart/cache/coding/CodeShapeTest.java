package io.counterpart.cache.coding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CodeShapeTest {

  @Test
  void a_shape_is_read_as_papers_order_it() {
    CodeShape shape = CodeShape.parse("5,3");

    assertThat(shape).isEqualTo(new CodeShape(5, 3)).hasToString("(5,3)");
    assertThat(shape.parityCount()).isEqualTo(2);
    assertThat(CodeShape.parse(" 14 , 10 ")).isEqualTo(new CodeShape(14, 10));
  }

  @ParameterizedTest
  @CsvSource({"3,2", "14,10", "14,2", "4,3", "11,10"})
  void bounds_are_legal(int n, int k) {
    assertThat(new CodeShape(n, k).parityCount()).isEqualTo(n - k);
  }

  @ParameterizedTest
  @CsvSource({"2,1", "3,1", "3,3", "5,6", "15,10", "14,11", "0,0", "-5,-3"})
  void what_is_beyond_them_is_refused_with_the_legal_ranges(int n, int k) {
    assertThatThrownBy(() -> new CodeShape(n, k))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("code is (%d,%d); legal: n in 3..14, k in 2..10, k < n", n, k);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "5;3", "5,3,1", "a,b", "-5,3", "5.0,3", "99999999999,3"})
  void other_text_is_refused_with_an_example(String text) {
    assertThatThrownBy(() -> CodeShape.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("code is '" + text + "', not two numbers such as 5,3; legal: ");
  }
}
