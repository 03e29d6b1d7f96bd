package io.counterpart.core.plan;

import java.time.Duration;
import java.util.List;

/**
 * The due tasks of a table.
 *
 * @param inOrder the tasks in order of priority; {@link TaskKind#TREE} stands among them
 * @param untilQuiet for each queue that is rewritten once no more files arrive: the time left
 */
public record Plan(List<Decision> inOrder, List<Duration> untilQuiet) {
  /** Nothing but the primary tree's own work. */
  public static final Plan TREE_ALONE = new Plan(List.of(Decision.TREE), List.of());

  public Plan {
    inOrder = List.copyOf(inOrder);
    untilQuiet = List.copyOf(untilQuiet);
  }

  /** Tasks that are due, without those of the primary tree, which counts its own. */
  public int dueTasks() {
    return inOrder.size() - 1;
  }
}
