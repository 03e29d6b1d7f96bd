package io.counterpart.core.engine;

import io.counterpart.testkit.cases.TextCase;
import io.counterpart.testkit.cases.TextCases;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The decision as cases that a reviewer can read: {@code flushes.txt}. */
class FlushDecisionCasesTest {
  private static final Set<String> FACTS =
      Set.of(
          "indexed",
          "viewed",
          "snapshotOnDrop",
          "foreignPartitions",
          "redundantPartitions",
          "adoptedStores",
          "inMemoryAlone",
          "hidesOnDisk",
          "full",
          "serverAway");

  @TestFactory
  Stream<DynamicTest> flushes() {
    return TextCases.tests(
        FlushDecisionCasesTest.class, "flushes.txt", FlushDecisionCasesTest::outcome);
  }

  private static List<String> outcome(TextCase textCase) {
    Set<String> given = new TreeSet<>();
    textCase.given().stream()
        .filter(line -> !line.equals("nothing special"))
        .forEach(line -> given.addAll(List.of(line.split(" "))));
    if (!FACTS.containsAll(given)) {
      throw new IllegalArgumentException(given + " are not all of " + FACTS);
    }
    FlushFacts facts =
        new FlushFacts(
            given.contains("indexed"),
            given.contains("viewed"),
            given.contains("snapshotOnDrop"),
            given.contains("foreignPartitions"),
            given.contains("redundantPartitions"),
            given.contains("adoptedStores"),
            given.contains("inMemoryAlone"),
            given.contains("hidesOnDisk"),
            given.contains("full"),
            given.contains("serverAway"));
    return textCase.when().stream()
        .map(line -> FlushCause.valueOf(line.substring("flush ".length())))
        .map(cause -> FlushDecision.of(cause, facts))
        .map(decision -> decision.target() + " " + decision.reason())
        .toList();
  }
}
