package io.counterpart.testkit.cases;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.DynamicTest;

/**
 * Runs the cases of a text file as JUnit tests. A file is a list of
 *
 * <pre>
 * case merges the oldest group first
 * given
 *   runs 4 4 4
 * when
 *   add 4
 * then
 *   merge 4 4 4 4
 * </pre>
 *
 * where lines that begin with {@code #} are comments and indentation means nothing.
 */
public final class TextCases {

  private TextCases() {}

  /**
   * One test per case: {@code actual} turns a case into the lines that {@code then} expects.
   *
   * @param owner class next to whose package the file lies on the class path
   * @throws IllegalArgumentException with file and line if the file is not well-formed
   */
  public static Stream<DynamicTest> tests(
      Class<?> owner, String file, Function<TextCase, List<String>> actual) {
    return read(owner, file).stream()
        .map(
            textCase ->
                DynamicTest.dynamicTest(
                    textCase.name(),
                    () ->
                        Assertions.assertThat(actual.apply(textCase))
                            .as(file + ":" + textCase.line() + " " + textCase.name())
                            .containsExactlyElementsOf(textCase.then())));
  }

  /** The cases of a file, at least one. */
  public static List<TextCase> read(Class<?> owner, String file) {
    try (InputStream in = owner.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalArgumentException(
            "no file " + file + " next to " + owner.getName() + " on the class path");
      }
      return new TextCaseParser(file).parse(new String(in.readAllBytes(), UTF_8).lines().toList());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }
}
