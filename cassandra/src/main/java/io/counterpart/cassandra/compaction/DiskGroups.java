package io.counterpart.cassandra.compaction;

import io.counterpart.core.plan.GroupCounts;
import io.counterpart.core.ring.Arc;
import io.counterpart.core.ring.RingView;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Counts the range groups in one data directory. With several directories each has a slice of the
 * token order and a strategy instance of its own.
 */
final class DiskGroups {
  private DiskGroups() {}

  /**
   * Counts the groups with a token in the slice.
   *
   * @param after last token before the slice; null where it begins with the first of all
   * @param upTo last token of the slice; null where it ends with the last of all
   */
  static <T extends Comparable<? super T>> GroupCounts within(
      RingView<T> view, @Nullable T after, @Nullable T upTo) {
    Set<Integer> primary = new HashSet<>();
    Set<Integer> redundant = new HashSet<>();
    for (int i = 0; i < view.arcCount(); i++) {
      Arc arc = view.arcAt(i);
      if (arc.isOwned() && meets(view, i, after, upTo)) {
        (arc.isPrimary() ? primary : redundant).add(arc.group());
      }
    }
    return new GroupCounts(
        primary.size(), redundant.size(), view.primaryGroups() + view.redundantGroups());
  }

  private static <T extends Comparable<? super T>> boolean meets(
      RingView<T> view, int arc, @Nullable T after, @Nullable T upTo) {
    boolean endsWithin = after == null || view.end(arc).compareTo(after) > 0;
    if (arc > 0) {
      return endsWithin && (upTo == null || view.start(arc).compareTo(upTo) < 0);
    }
    // the arc that wraps has one part below its end and one above the last end
    boolean partAbove = upTo == null || upTo.compareTo(view.start(0)) > 0;
    return endsWithin || partAbove;
  }
}
