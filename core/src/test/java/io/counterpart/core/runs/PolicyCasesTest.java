package io.counterpart.core.runs;

import io.counterpart.core.runs.BatchDecision.Rewrite;
import io.counterpart.testkit.cases.TextCase;
import io.counterpart.testkit.cases.TextCases;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The policies as cases that a reviewer can read: {@code runs.txt}, {@code batches.txt}. */
class PolicyCasesTest {

  @TestFactory
  Stream<DynamicTest> runs() {
    return TextCases.tests(PolicyCasesTest.class, "runs.txt", PolicyCasesTest::mergeOf);
  }

  @TestFactory
  Stream<DynamicTest> batches() {
    return TextCases.tests(PolicyCasesTest.class, "batches.txt", PolicyCasesTest::rewriteOf);
  }

  private static List<String> mergeOf(TextCase textCase) {
    String[] policy = textCase.given().get(0).split(" ");
    int runs = Integer.parseInt(policy[2]);
    RunPolicy chosen = policy[1].equals("tiered") ? new Tiered(runs) : new MergeAll(runs);
    List<Long> sizes =
        Stream.of(textCase.when().get(0).split(" ")).skip(1).map(Long::valueOf).toList();
    List<Integer> picked = chosen.pick(sizes);
    String merged =
        picked.stream().sorted().map(i -> sizes.get(i).toString()).collect(Collectors.joining(" "));
    return List.of(picked.isEmpty() ? "nothing" : "merge " + merged);
  }

  private static List<String> rewriteOf(TextCase textCase) {
    String[] p = textCase.given().get(0).split(" ");
    BatchPolicy policy =
        new BatchPolicy(
            Integer.parseInt(p[1]),
            Integer.parseInt(p[2]),
            Long.parseLong(p[3]),
            Duration.ofSeconds(Long.parseLong(p[4])));
    int groups = Integer.parseInt(textCase.given().get(1).split(" ")[1]);
    String[] queue = textCase.when().get(0).replace(",", "").split(" ");
    BatchDecision decision =
        policy.decide(
            Collections.nCopies(Integer.parseInt(queue[1]), Long.valueOf(queue[3])),
            Duration.ofSeconds(Long.parseLong(queue[5])),
            groups,
            Long.parseLong(queue[7]));
    if (decision instanceof BatchDecision.Wait wait) {
      return List.of("wait" + wait.untilQuiet().map(time -> " " + time.toSeconds()).orElse(""));
    }
    Rewrite rewrite = (Rewrite) decision;
    String urgent = rewrite.urgent() ? " urgent" : "";
    return List.of("rewrite " + rewrite.files() + " " + rewrite.reason() + urgent);
  }
}
