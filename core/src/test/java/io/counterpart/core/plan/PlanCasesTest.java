package io.counterpart.core.plan;

import io.counterpart.core.ring.Role;
import io.counterpart.core.runs.BatchPolicy;
import io.counterpart.core.runs.MergeAll;
import io.counterpart.core.runs.RunPolicy;
import io.counterpart.core.runs.Tiered;
import io.counterpart.testkit.cases.TextCase;
import io.counterpart.testkit.cases.TextCases;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Whole states of a table and the next tasks, as cases that a reviewer can read. */
class PlanCasesTest {
  private static final long NOW = 1_000_000_000_000L;

  @TestFactory
  Stream<DynamicTest> plan() {
    return TextCases.tests(PlanCasesTest.class, "plan.txt", PlanCasesTest::planOf);
  }

  @TestFactory
  Stream<DynamicTest> small_tables() {
    return TextCases.tests(PlanCasesTest.class, "small.txt", PlanCasesTest::planOf);
  }

  @TestFactory
  Stream<DynamicTest> purges() {
    return TextCases.tests(PlanCasesTest.class, "purges.txt", PlanCasesTest::purgesOf);
  }

  @TestFactory
  Stream<DynamicTest> everything() {
    return TextCases.tests(PlanCasesTest.class, "everything.txt", PlanCasesTest::everythingOf);
  }

  private static List<String> planOf(TextCase textCase) {
    TableState<Integer> state = state(textCase);
    Plan plan = new Planner<Integer>(options(textCase)).plan(state);
    List<String> lines = new ArrayList<>();
    plan.inOrder().forEach(task -> lines.add(line(task, state)));
    plan.untilQuiet().forEach(time -> lines.add("wait " + time.toSeconds() + "s"));
    return lines;
  }

  private static List<String> purgesOf(TextCase textCase) {
    TableState<Integer> state = state(textCase);
    return lines(new Planner<Integer>(options(textCase)).purges(state), state);
  }

  private static List<String> everythingOf(TextCase textCase) {
    TableState<Integer> state = state(textCase);
    return lines(new Planner<Integer>(options(textCase)).everything(state), state);
  }

  private static List<String> lines(List<Decision> tasks, TableState<Integer> state) {
    return tasks.isEmpty()
        ? List.of("nothing")
        : tasks.stream().map(task -> line(task, state)).toList();
  }

  /** Kind, reason, inputs by role and their bytes. */
  private static String line(Decision task, TableState<Integer> state) {
    if (task.kind() == TaskKind.TREE) {
      return "TREE";
    }
    Map<Role, Integer> byRole = new TreeMap<>();
    long bytes = 0;
    for (PlannedFile<Integer> file : state.files()) {
      if (task.inputs().contains(file.number())) {
        byRole.merge(file.role(), 1, Integer::sum);
        bytes += file.bytes();
      }
    }
    String inputs =
        byRole.entrySet().stream()
            .map(entry -> entry.getValue() + ":" + entry.getKey())
            .collect(Collectors.joining(","));
    return "%s reason=%s inputs=%s bytes=%dMiB%s%s"
        .formatted(
            task.kind(),
            task.reason(),
            inputs,
            bytes >> 20,
            task.takenAlong().isEmpty() ? "" : " along=" + task.takenAlong().size(),
            task.urgent() ? " urgent" : "");
  }

  private static CaseWords given(TextCase textCase, String name) {
    return textCase.given().stream()
        .filter(line -> line.startsWith(name + " "))
        .map(CaseWords::of)
        .findFirst()
        .orElse(CaseWords.of(name));
  }

  private static PlanOptions options(TextCase textCase) {
    CaseWords given = given(textCase, "options");
    long minRun = given.bytes("min_run_size", "3MiB");
    RunPolicy runs =
        given.text("run_policy", "tiered").equals("tiered")
            ? new Tiered(given.number("runs", 20))
            : new MergeAll(given.number("runs", 20));
    return new PlanOptions(
        new BatchPolicy(
            given.number("split_segments", 20),
            given.number("max_segments", 64),
            minRun,
            given.time("split_idle", "60s")),
        new BatchPolicy(
            given.number("primary_batch", 12),
            given.number("max_primary_batch", 32),
            minRun,
            given.time("split_idle", "60s")),
        group -> runs,
        new SmallTable(minRun, given.bytes("sstable_size", "1GiB")),
        Double.parseDouble(given.text("tombstone_threshold", "0.2")));
  }

  private static TableState<Integer> state(TextCase textCase) {
    CaseWords groups = given(textCase, "groups");
    CaseWords table = given(textCase, "table");
    List<PlannedFile<Integer>> files = new ArrayList<>();
    textCase.when().stream().map(CaseWords::of).forEach(line -> addFiles(files, line));
    int primary = groups.number("primary", 16);
    int redundant = groups.number("redundant", 32);
    return new TableState<>(
        files,
        new GroupCounts(primary, redundant, groups.number("owned", primary + redundant)),
        table.named().containsKey("bytes") ? table.bytes("bytes", "0") : Files.bytes(files),
        new Flushes(table.bytes("flush", "3MiB"), table.bytes("largest_flush", "0")),
        NOW,
        table.number("urgent_in_a_row", 0));
  }

  private static void addFiles(List<PlannedFile<Integer>> files, CaseWords line) {
    int count = Integer.parseInt(line.word(0));
    Role role = Role.valueOf(line.word(1));
    for (int i = 0; i < count; i++) {
      boolean spread = line.text("group", "").equals("each");
      int group = spread ? i : line.number("group", -1);
      boolean wide = group < 0;
      String[] keys =
          line.text("keys", wide ? "0-1000" : group * 10 + "-" + (group * 10 + 9)).split("-");
      files.add(
          new PlannedFile<>(
              files.size(),
              role,
              group,
              wide ? line.number("spans", 48) : 1,
              line.bytes("bytes", "2MiB"),
              NOW - line.time("age", "100s").toMillis() - i,
              Integer.valueOf(keys[0]),
              Integer.valueOf(keys[1]),
              new FileState(
                  line.text("busy", "no").equals("yes"),
                  line.text("expired", "no").equals("yes"),
                  line.share("droppable"),
                  line.text("alone", "no").equals("yes"))));
    }
  }
}
