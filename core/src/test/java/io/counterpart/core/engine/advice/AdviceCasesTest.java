package io.counterpart.core.engine.advice;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.core.placement.engine.EngineQuotas;
import io.counterpart.testkit.cases.TextCase;
import io.counterpart.testkit.cases.TextCases;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The advice as cases that a reviewer can read: {@code advice.txt}. */
class AdviceCasesTest {
  private static final Set<String> NAMES =
      Set.of(
          "on",
          "compaction",
          "copies",
          "tie",
          "MiB",
          "hits",
          "reads",
          "writes",
          "scans",
          "asked",
          "counted",
          "ms");

  @TestFactory
  Stream<DynamicTest> advice() {
    return TextCases.tests(AdviceCasesTest.class, "advice.txt", AdviceCasesTest::outcome);
  }

  private static List<String> outcome(TextCase textCase) {
    List<TableFacts> tables = new ArrayList<>();
    long memory = 0;
    for (String line : textCase.given()) {
      if (line.startsWith("memory ")) {
        memory = Long.parseLong(line.substring("memory ".length())) << 20;
      } else {
        tables.add(table(line));
      }
    }
    List<String> outcome = new ArrayList<>();
    for (String line : textCase.when()) {
      if (line.equals("advise")) {
        TableAdvisor.advise(tables, memory)
            .forEach(
                each -> outcome.add(each.table() + " " + each.action() + ", " + each.reason()));
      } else {
        MixAdvice mix = mix(line.split(" "), tables);
        outcome.add((mix.changes() ? "change " : "leave ") + mix.mix() + ", " + mix.reason());
      }
    }
    return outcome;
  }

  /** {@code mix N} or {@code mix N now WRITE,READ,MEMORY}. */
  private static MixAdvice mix(String[] words, List<TableFacts> tables) {
    int copies = Integer.parseInt(words[1]);
    Optional<EngineQuotas> present = Optional.empty();
    if (words.length == 4) {
      String[] now = words[3].split(",");
      present =
          Optional.of(
              new EngineQuotas(
                  Integer.parseInt(now[0]), Integer.parseInt(now[1]), Integer.parseInt(now[2])));
    }
    return MixAdvice.of(copies, tables, present);
  }

  private static TableFacts table(String line) {
    String[] words = line.split(" ");
    Map<String, String> facts = new HashMap<>();
    for (String word : List.of(words).subList(1, words.length)) {
      String[] pair = word.split("=");
      if (!NAMES.contains(pair[0])) {
        throw new IllegalArgumentException(pair[0] + " is none of " + NAMES);
      }
      facts.put(pair[0], pair[1]);
    }
    double reads = number(facts, "reads", 0);
    return new TableFacts(
        words[0],
        Storage.valueOf(facts.getOrDefault("on", "SSTABLES")),
        facts.getOrDefault("compaction", "UnifiedCompactionStrategy"),
        (int) number(facts, "copies", 3),
        facts.getOrDefault("tie", "").replace('_', ' '),
        (long) number(facts, "MiB", 100) << 20,
        number(facts, "hits", Double.NaN),
        new Load(
            reads,
            number(facts, "writes", 0),
            number(facts, "scans", 0),
            reads / number(facts, "asked", 2),
            (long) number(facts, "counted", 60_000),
            number(facts, "ms", 0.05)));
  }

  private static double number(Map<String, String> facts, String name, double otherwise) {
    String value = facts.get(name);
    return value == null ? otherwise : Double.parseDouble(value);
  }

  /** Whatever the load, a change that was made is not taken back by the next advice. */
  @Test
  void a_table_does_not_go_back_and_forth() {
    for (int share = 0; share <= 1_000; share++) {
      for (double millis : new double[] {0.05, 0.5, Double.NaN}) {
        Load load = new Load(share, 1_000 - share, 0, share, 60_000, millis);
        for (Storage from : Storage.values()) {
          Advice first = advice(from, load);
          if (first.changes()) {
            Storage to = after(first.action());
            assertThat(advice(to, load).changes() ? after(advice(to, load).action()) : to)
                .as("%d of 1000 reads, %s ms, %s then %s", share, millis, from, to)
                .isNotEqualTo(from);
          }
        }
      }
    }
  }

  private static Storage after(Advice.Action action) {
    return action == Advice.Action.LSM ? Storage.SSTABLES : Storage.valueOf(action.name());
  }

  private static Advice advice(Storage storage, Load load) {
    TableFacts facts =
        new TableFacts("ks.t", storage, "Unified", 3, "", 1L << 30, Double.NaN, load);
    return TableAdvisor.advise(List.of(facts), 0).get(0);
  }
}
