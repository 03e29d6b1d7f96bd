package io.counterpart.cli.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class TextTableTest {

  @Test
  void numbers_stand_to_the_right_and_text_to_the_left() {
    String text =
        new TextTable(List.of("name", "n"))
            .row(List.of("a", 5))
            .row(List.of("bcdef", 1234))
            .render();

    assertThat(text.lines())
        .containsExactly("name      n", "-----  ----", "a         5", "bcdef  1234");
  }

  @Test
  void a_row_of_another_width_is_refused() {
    assertThatThrownBy(() -> new TextTable(List.of("a")).row(List.of(1, 2)))
        .hasMessageContaining("2 cells in a table of 1 columns");
  }
}
