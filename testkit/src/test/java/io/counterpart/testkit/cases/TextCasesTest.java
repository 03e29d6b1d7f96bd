package io.counterpart.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class TextCasesTest {

  @TestFactory
  Stream<DynamicTest> sums_as_the_file_says() {
    return TextCases.tests(TextCasesTest.class, "sums.txt", TextCasesTest::sum);
  }

  @Test
  void a_wrong_answer_fails_and_names_file_and_line() {
    DynamicTest first =
        TextCases.tests(TextCasesTest.class, "sums.txt", textCase -> List.of("wrong"))
            .findFirst()
            .orElseThrow();

    assertThatThrownBy(() -> first.getExecutable().execute())
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("sums.txt:2");
  }

  @Test
  void a_malformed_file_is_refused_with_its_line() {
    refused("x.txt:1: a block before the first case", "given");
    refused("x.txt:2: expected given, when or then, found 'gven'", "case a", "gven");
    refused("x.txt:1: case 'a' lacks a block", "case a", "given", "when");
    refused("x.txt:3: blocks must be", "case a", "given", "then");
    refused("x.txt holds no case", "# nothing");
  }

  private static void refused(String message, String... lines) {
    assertThatThrownBy(() -> new TextCaseParser("x.txt").parse(List.of(lines)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void an_absent_file_is_refused() {
    assertThatThrownBy(() -> TextCases.read(TextCasesTest.class, "none.txt"))
        .hasMessageContaining("none.txt");
  }

  private static List<String> sum(TextCase textCase) {
    int start = textCase.given().stream().mapToInt(Integer::parseInt).sum();
    int added = textCase.when().stream().mapToInt(Integer::parseInt).sum();
    assertThat(textCase.name()).isNotBlank();
    return List.of(String.valueOf(start + added));
  }
}
