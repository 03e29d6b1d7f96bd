package io.counterpart.core.eviction;

import io.counterpart.testkit.cases.TextCase;
import io.counterpart.testkit.cases.TextCases;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The order in which stripes are looked at, as cases: {@code order.txt}. */
class EvictionCasesTest {

  @TestFactory
  Stream<DynamicTest> order() {
    return TextCases.tests(EvictionCasesTest.class, "order.txt", EvictionCasesTest::looks);
  }

  private static List<String> looks(TextCase textCase) {
    int classes = Integer.parseInt(textCase.given().get(0).split(" ")[0]);
    EvictionOrder order = new EvictionOrder(classes);
    List<String> looks = new ArrayList<>();
    for (String line : textCase.when()) {
      String[] words = line.split(" ");
      int next = order.nextClass();
      switch (words[0]) {
        case "fill" -> order.add(number(words, 1), number(words, 2));
        case "merge" -> order.addMerged(number(words, 1), number(words, 2));
        case "free" -> order.remove(number(words, 1), number(words, 2));
        case "pass" -> order.pass(next);
        case "want" -> order.want(number(words, 1));
        case "begin" -> order.beginRound();
        case "end" -> order.endRound();
        case "leave" -> order.remove(order.atHand(next), next);
        case "hand" ->
            looks.add(
                next == StripeQueue.NONE
                    ? "nothing"
                    : "class " + next + " stripe " + order.atHand(next));
        default -> throw new IllegalArgumentException(line);
      }
    }
    return looks;
  }

  private static int number(String[] words, int index) {
    return Integer.parseInt(words[index]);
  }
}
