package io.counterpart.core.plan;

import java.util.List;
import java.util.Set;

/**
 * A task that is due.
 *
 * @param kind the kind of the task
 * @param reason why now
 * @param inputs numbers of the files to rewrite together; empty for {@link TaskKind#TREE} alone
 * @param takenAlong optional inputs, which might as well stay as they are
 * @param urgent true if waiting costs reads; urgent tasks mostly go before the primary tree
 */
public record Decision(
    TaskKind kind, Reason reason, List<Integer> inputs, Set<Integer> takenAlong, boolean urgent) {

  /** The primary tree's place in the order of work. */
  static final Decision TREE = new Decision(TaskKind.TREE, Reason.TREE, List.of(), Set.of(), false);

  public Decision {
    inputs = List.copyOf(inputs);
    takenAlong = Set.copyOf(takenAlong);
    if (inputs.isEmpty() != (kind == TaskKind.TREE)) {
      throw new IllegalArgumentException(
          "%s with %d inputs, legal: at least 1, and none for TREE".formatted(kind, inputs.size()));
    }
    if (!inputs.containsAll(takenAlong)) {
      throw new IllegalArgumentException("taken along " + takenAlong + ", legal: of " + inputs);
    }
  }

  Decision(TaskKind kind, Reason reason, List<Integer> inputs) {
    this(kind, reason, inputs, Set.of(), false);
  }
}
