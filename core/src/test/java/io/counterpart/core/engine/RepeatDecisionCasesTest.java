package io.counterpart.core.engine;

import io.counterpart.testkit.cases.TextCase;
import io.counterpart.testkit.cases.TextCases;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The decision as cases that a reviewer can read: {@code repeats.txt}. */
class RepeatDecisionCasesTest {
  private static final Set<String> FACTS = Set.of("current", "serverAway", "stopping");

  @TestFactory
  Stream<DynamicTest> repeats() {
    return TextCases.tests(
        RepeatDecisionCasesTest.class, "repeats.txt", RepeatDecisionCasesTest::outcome);
  }

  private static List<String> outcome(TextCase textCase) {
    Set<String> given = new TreeSet<>();
    textCase.given().stream()
        .filter(line -> !line.equals("nothing special"))
        .forEach(line -> given.addAll(List.of(line.split(" "))));
    if (!FACTS.containsAll(given)) {
      throw new IllegalArgumentException(given + " are not all of " + FACTS);
    }
    RepeatDecision decision =
        RepeatDecision.of(
            new RepeatFacts(
                given.contains("current"),
                given.contains("serverAway"),
                given.contains("stopping")));
    return textCase.when().stream()
        .map(line -> decision.target() + " " + decision.reason())
        .toList();
  }
}
