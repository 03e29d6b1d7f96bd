package io.counterpart.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TreeTurnTest {
  private static final Decision URGENT =
      new Decision(TaskKind.MERGE, Reason.RUNS, List.of(0), Set.of(), true);

  private final TreeTurn turn = new TreeTurn();

  @Test
  void every_fourth_task_is_the_trees_while_merges_never_end() {
    List<TaskKind> begun = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      boolean treeFirst = turn.urgentInARow() >= Planner.URGENT_BEFORE_TREE;
      Decision first = treeFirst ? Decision.TREE : URGENT;
      turn.begin(first);
      begun.add(first.kind());
    }

    assertThat(begun)
        .containsExactly(
            TaskKind.MERGE,
            TaskKind.MERGE,
            TaskKind.MERGE,
            TaskKind.TREE,
            TaskKind.MERGE,
            TaskKind.MERGE,
            TaskKind.MERGE,
            TaskKind.TREE);
  }

  @Test
  void an_idle_tree_has_had_its_turn() {
    turn.begin(URGENT);
    turn.begin(URGENT);

    turn.idle();

    assertThat(turn.urgentInARow()).isZero();
  }
}
