package io.counterpart.core.selection;

import io.counterpart.testkit.cases.TextCase;
import io.counterpart.testkit.cases.TextCases;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The selection as cases that a reviewer can read: {@code selection.txt}. */
class SelectionCasesTest {

  @TestFactory
  Stream<DynamicTest> selection() {
    return TextCases.tests(SelectionCasesTest.class, "selection.txt", SelectionCasesTest::outcome);
  }

  private static List<String> outcome(TextCase textCase) {
    return new ScriptedReads(textCase.when()).outcome();
  }
}
