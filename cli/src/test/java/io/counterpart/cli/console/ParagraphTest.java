package io.counterpart.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ParagraphTest {
  @Test
  void breaks_at_spaces_only() {
    assertThat(Paragraph.wrapped("one two three incomprehensible 4", 8).lines())
        .containsExactly("one two", "three", "incomprehensible", "4");
    assertThat(Paragraph.wrapped("12345 78", 8)).isEqualTo("12345 78");
    assertThat(Paragraph.wrapped("", 8)).isEmpty();
  }
}
