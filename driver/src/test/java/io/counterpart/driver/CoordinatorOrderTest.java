package io.counterpart.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.driver.CoordinatorOrder.Candidate;
import io.counterpart.driver.CoordinatorOrder.Choice;
import io.counterpart.driver.CoordinatorOrder.State;
import io.counterpart.testkit.cases.TextCase;
import io.counterpart.testkit.cases.TextCases;
import io.counterpart.testkit.random.SeededRandom;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which replica coordinates, as cases that a reviewer can read. */
@ExtendWith(SeededRandom.class)
class CoordinatorOrderTest {

  @TestFactory
  Stream<DynamicTest> order() {
    return TextCases.tests(
        CoordinatorOrderTest.class,
        "order.txt",
        textCase ->
            textCase.when().stream()
                .map(row -> line(textCase, Integer.parseInt(row.split(" ")[1])))
                .toList());
  }

  @Test
  void substitutes_share_the_rows_of_a_dead_primary_evenly(Random random) {
    int rows = 9_000;
    List<Candidate<String>> replicas =
        List.of(
            new Candidate<>("primary", State.DOWN),
            new Candidate<>("a", State.ANSWERS),
            new Candidate<>("b", State.ANSWERS),
            new Candidate<>("c", State.ANSWERS));

    Map<String, Integer> share = new HashMap<>();
    for (int i = 0; i < rows; i++) {
      Choice<String> choice = CoordinatorOrder.choose(replicas, random.nextInt() >>> 1);
      share.merge(choice.coordinators().get(0), 1, Integer::sum);
    }

    // six standard deviations of a binomial with p = 1/3 are 268
    assertThat(share).containsOnlyKeys("a", "b", "c");
    assertThat(share.values()).allSatisfy(count -> assertThat(count).isBetween(2_700, 3_300));
  }

  @Test
  void a_negative_hash_is_refused() {
    assertThatThrownBy(() -> CoordinatorOrder.choose(List.of(), -1))
        .hasMessage("row hash -1: must be at least 0");
  }

  private static String line(TextCase textCase, int rowHash) {
    List<String> stalled = words(textCase, "stalled");
    List<String> down = words(textCase, "down");
    List<Candidate<String>> replicas =
        words(textCase, "replicas").stream()
            .map(name -> new Candidate<>(name, state(name, stalled, down)))
            .toList();
    Choice<String> choice = CoordinatorOrder.choose(replicas, rowHash);
    String nodes =
        choice.coordinators().isEmpty() ? "nobody" : String.join(" ", choice.coordinators());
    return nodes + " reason=" + choice.reason();
  }

  private static State state(String name, List<String> stalled, List<String> down) {
    if (down.contains(name)) {
      return State.DOWN;
    }
    return stalled.contains(name) ? State.STALLED : State.ANSWERS;
  }

  private static List<String> words(TextCase textCase, String first) {
    return textCase.given().stream()
        .map(line -> Arrays.asList(line.split(" ")))
        .filter(words -> words.get(0).equals(first))
        .findFirst()
        .map(words -> words.subList(1, words.size()))
        .orElse(List.of());
  }
}
