package io.counterpart.cli.plan;

import io.counterpart.core.ring.change.RingChange;
import io.counterpart.core.ring.change.RingChanges;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** One of the changes that can be planned. */
final class PlannedChange {
  @Option(
      names = "--add",
      required = true,
      paramLabel = "N",
      description = "N nodes join one after another, 1 to 64.")
  private @Nullable Integer add;

  @Option(
      names = "--remove",
      required = true,
      arity = "1..*",
      paramLabel = "NODE",
      description =
          "These nodes leave one after another, by address or by index of the local cluster: they"
              + " are decommissioned, or removed by the others if they do not answer.")
  private @Nullable List<String> remove;

  @Option(
      names = "--rf",
      required = true,
      paramLabel = "K",
      description = "The keyspaces get K copies, in each datacenter that has some, 1 to its nodes.")
  private @Nullable Integer copies;

  boolean isJoin() {
    return add != null;
  }

  boolean isLeave() {
    return remove != null;
  }

  /** The nodes to remove, as they are given. */
  List<String> removed() {
    return remove == null ? List.of() : new ArrayList<>(remove);
  }

  /**
   * Its steps.
   *
   * @param addresses of the nodes to remove
   * @throws IllegalArgumentException with the legal range if the cluster could not do it
   */
  List<RingChange> steps(RingChanges changes, RingChanges.Place place, List<String> addresses) {
    if (add != null) {
      return changes.join(add, place);
    }
    return copies == null ? changes.leave(addresses) : changes.copies(copies, place.datacenter());
  }

  /** For people. */
  String text() {
    if (add != null) {
      return "add %d node%s".formatted(add, add == 1 ? "" : "s");
    }
    return copies == null
        ? "remove " + String.join(", ", removed())
        : "keep %d cop%s".formatted(copies, copies == 1 ? "y" : "ies");
  }
}
