package io.counterpart.core.engine;

import io.counterpart.testkit.cases.TextCase;
import io.counterpart.testkit.cases.TextCases;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The decision as cases that a reviewer can read: {@code sweeps.txt}. */
class SweepDecisionCasesTest {
  private static final Set<String> FACTS =
      Set.of(
          "elsewhere",
          "inMemory",
          "keepsDeletions",
          "frozen",
          "serverAway",
          "uncovered",
          "walking");
  private static final String QUIET = "quiet=";
  private static final String DELAY = "delay=";

  @TestFactory
  Stream<DynamicTest> sweeps() {
    return TextCases.tests(
        SweepDecisionCasesTest.class, "sweeps.txt", SweepDecisionCasesTest::outcome);
  }

  private static List<String> outcome(TextCase textCase) {
    Set<String> given = new TreeSet<>();
    Duration quiet = Duration.ZERO;
    Duration delay = null;
    for (String line : textCase.given()) {
      for (String fact : line.split(" ")) {
        if (fact.startsWith(QUIET)) {
          quiet = duration(fact.substring(QUIET.length()));
        } else if (fact.startsWith(DELAY)) {
          delay = duration(fact.substring(DELAY.length()));
        } else {
          given.add(fact);
        }
      }
    }
    if (!FACTS.containsAll(given)) {
      throw new IllegalArgumentException(given + " are not all of " + FACTS);
    }
    SweepDecision decision = SweepDecision.of(facts(given, quiet, delay));
    return textCase.when().stream()
        .map(line -> (decision.sweeps() ? "yes: " : "no: ") + decision.reason())
        .toList();
  }

  private static Duration duration(String seconds) {
    return Duration.ofSeconds(Long.parseLong(seconds));
  }

  private static SweepFacts facts(Set<String> given, Duration quiet, @Nullable Duration delay) {
    return new SweepFacts(
        new SweepConditions(
            !given.contains("elsewhere"),
            given.contains("inMemory"),
            given.contains("keepsDeletions"),
            given.contains("frozen"),
            given.contains("serverAway")),
        !given.contains("uncovered"),
        given.contains("walking"),
        quiet,
        delay);
  }
}
