package io.counterpart.cache.protocol;

import io.counterpart.testkit.cases.TextCase;
import io.counterpart.testkit.cases.TextCases;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The grammar as text: requests and their answers, on an empty toy store. */
public class GrammarTest {

  /** The last line of a case after which the connection is closed. */
  static final String CLOSED = "<closed>";

  @TestFactory
  Stream<DynamicTest> answers_as_the_file_says() {
    return TextCases.tests(GrammarTest.class, "grammar.txt", GrammarTest::answers);
  }

  private static List<String> answers(TextCase textCase) {
    ToyConnection connection = new ToyConnection(new ToyStore(() -> 1_700_000_000L));
    connection.receive(WireText.bytes(textCase.given()));
    connection.takeAnswers();

    Splits.feed(connection, WireText.bytes(textCase.when()), new Random(textCase.line()));

    List<String> lines = new ArrayList<>(WireText.lines(connection.takeAnswers()));
    // as the file has them: without blanks around a line, and without blank lines
    lines.replaceAll(String::strip);
    lines.removeIf(String::isEmpty);
    if (connection.isClosed()) {
      lines.add(CLOSED);
    }
    return lines;
  }
}
