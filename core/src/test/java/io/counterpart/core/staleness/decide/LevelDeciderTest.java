package io.counterpart.core.staleness.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.testkit.cases.TextCases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class LevelDeciderTest {

  /** A situation for each rule in which the level would change, were the rule not there. */
  private static final Map<SafetyRule, List<String>> NEEDED =
      Map.ofEntries(
          lowered(SafetyRule.LEVEL_IS_FIXED, "read ALL"),
          lowered(SafetyRule.NOT_A_SELECT, "read QUORUM shape=NO_SELECT"),
          lowered(SafetyRule.SYSTEM_TABLE, "read QUORUM shape=SYSTEM_TABLE"),
          lowered(SafetyRule.VIRTUAL_TABLE, "read QUORUM shape=VIRTUAL_TABLE"),
          lowered(SafetyRule.MATERIALIZED_VIEW, "read QUORUM shape=VIEW"),
          lowered(SafetyRule.COUNTER_TABLE, "read QUORUM shape=COUNTER"),
          lowered(SafetyRule.INDEX_READ, "read QUORUM shape=INDEX"),
          lowered(SafetyRule.FILTERED_READ, "read QUORUM shape=FILTERED"),
          lowered(SafetyRule.SEVERAL_PARTITIONS, "read QUORUM shape=SEVERAL_PARTITIONS"),
          lowered(SafetyRule.STRICT_REQUEST, "read QUORUM strict"),
          lowered(SafetyRule.SESSION_WROTE_KEY, "read QUORUM wrote"),
          lowered(SafetyRule.UNSUPPORTED_REPLICATION, "read TWO", "replicas 2"),
          lowered(SafetyRule.REPLICA_DOWN, "read QUORUM", "down"),
          lowered(SafetyRule.REPLICA_PENDING, "read QUORUM", "pending"),
          lowered(SafetyRule.REPLICA_SUSPECT, "read QUORUM", "suspect"),
          lowered(SafetyRule.REPLICA_CATCHING_UP, "read QUORUM", "catching_up"),
          lowered(SafetyRule.LATER_PAGE, "read QUORUM page=unknown"),
          lowered(SafetyRule.WARM_UP, "read QUORUM", "samples 861"),
          lowered(SafetyRule.DATA_TOO_OLD, "read QUORUM", "age 30001"),
          lowered(SafetyRule.LOWERING_FROZEN, "read QUORUM", "frozen"),
          lowered(SafetyRule.GUARDRAIL, "read QUORUM", "refused ONE"),
          Map.entry(
              SafetyRule.MODE_OFF, List.of("policy off", "bounds 0.1 0.002 0.002", "read ONE")),
          Map.entry(SafetyRule.MODE_RAISE, List.of("policy raise", "bounds 0 0 0", "read QUORUM")),
          Map.entry(
              SafetyRule.DEADLINE,
              List.of("policy raise", "usually 9", "bounds 0.1 0 0", "read ONE deadline=8")));

  private static Map.Entry<SafetyRule, List<String>> lowered(
      SafetyRule rule, String read, String... more) {
    List<String> lines =
        new ArrayList<>(List.of("policy lower floor=ONE", "bounds 0.004 0.002 0.002", read));
    lines.addAll(Arrays.asList(more));
    return Map.entry(rule, lines);
  }

  @TestFactory
  Stream<DynamicTest> levels() {
    return TextCases.tests(
        LevelDeciderTest.class,
        "levels.txt",
        text -> {
          List<String> lines = new ArrayList<>(text.given());
          lines.addAll(text.when());
          LevelDecision decision = decide(new LevelDecider(), lines);
          return List.of(decision.level() + " " + decision.reason().text());
        });
  }

  @TestFactory
  Stream<DynamicTest> each_rule_keeps_the_clients_level_and_without_it_the_level_changes() {
    return NEEDED.entrySet().stream()
        .map(
            entry ->
                DynamicTest.dynamicTest(
                    entry.getKey().text(), () -> isNeeded(entry.getKey(), entry.getValue())));
  }

  private static void isNeeded(SafetyRule rule, List<String> lines) {
    ReadLevel client = new DecisionText(lines).request().clientLevel();
    assertThat(decide(new LevelDecider(), lines)).isEqualTo(LevelDecision.notLower(client, rule));

    List<SafetyRule> others =
        Arrays.stream(SafetyRule.values()).filter(other -> other != rule).toList();
    assertThat(decide(new LevelDecider(others), lines).level()).isNotEqualTo(client);
  }

  /** Its level does not depend on it: it names the reason why the floor lowers nothing. */
  @Test
  void every_rule_but_the_floors_is_looked_at() {
    assertThat(NEEDED.keySet())
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(SafetyRule.values())
                .filter(rule -> rule != SafetyRule.FLOOR_ABOVE_CLIENT)
                .toList());
  }

  @Test
  void levels_that_mean_more_than_a_number_are_never_touched() {
    List<String> lines = List.of("policy lower floor=ONE", "bounds 0 0 0", "read OTHER");

    assertThat(decide(new LevelDecider(), lines))
        .isEqualTo(LevelDecision.notLower(ReadLevel.OTHER, SafetyRule.LEVEL_IS_FIXED));
  }

  /** Of three replicas THREE is above QUORUM, of seven below. */
  @Test
  void a_later_page_tells_whether_it_is_lowered() {
    List<String> lines = List.of("policy lower floor=ONE", "read QUORUM page=THREE");

    assertThat(decide(new LevelDecider(), with(lines, "bounds 0 0 0")))
        .isEqualTo(new LevelDecision(ReadLevel.THREE, SafetyRule.LATER_PAGE, false));
    assertThat(decide(new LevelDecider(), with(lines, "bounds 0 0 0 0 0 0 0")))
        .isEqualTo(new LevelDecision(ReadLevel.THREE, SafetyRule.LATER_PAGE, true));
  }

  private static List<String> with(List<String> lines, String line) {
    return Stream.concat(lines.stream(), Stream.of(line)).toList();
  }

  @Test
  void without_bounds_the_client_decides() {
    List<String> lines = List.of("policy lower floor=ONE", "read QUORUM");

    assertThat(decide(new LevelDecider(), lines).reason()).isEqualTo(SafetyRule.WARM_UP);
    assertThat(decide(new LevelDecider(List.of()), lines).level()).isEqualTo(ReadLevel.QUORUM);
  }

  private static LevelDecision decide(LevelDecider decider, List<String> lines) {
    DecisionText text = new DecisionText(lines);
    return decider.decide(text.policy(), text.request(), text.evidence());
  }
}
