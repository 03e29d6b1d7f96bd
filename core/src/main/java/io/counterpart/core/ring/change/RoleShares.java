package io.counterpart.core.ring.change;

import io.counterpart.core.ring.Arc;
import io.counterpart.core.ring.RingView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The effect of a change on a decoupled table's files on one node, as shares of the ring.
 *
 * <p>A settled file holds one range group. If all arcs of its group stay together in one group, or
 * the node no longer owns any of them, the file stays as it is, perhaps in another role. Otherwise
 * it spans several groups and is cut again.
 */
record RoleShares(double promoted, double demoted, double rewritten) {
  static final RoleShares NONE = new RoleShares(0, 0, 0);

  private static final int FOREIGN = -1;

  /**
   * Compares a node's view of the ring with its later one.
   *
   * @param arcs of both rings together: none spans an end of either
   */
  static RoleShares of(List<SharedArc> arcs, RingView<Long> before, RingView<Long> after) {
    Map<Integer, List<SharedArc>> byGroup = new HashMap<>();
    for (SharedArc arc : arcs) {
      if (before.arc(arc.end()).isOwned()) {
        byGroup.computeIfAbsent(before.arc(arc.end()).group(), group -> new ArrayList<>()).add(arc);
      }
    }
    double promoted = 0;
    double demoted = 0;
    double rewritten = 0;
    for (List<SharedArc> group : byGroup.values()) {
      Arc was = before.arc(group.get(0).end());
      Arc is = after.arc(group.get(0).end());
      double share = group.stream().mapToDouble(SharedArc::ringFraction).sum();
      if (laterGroups(group, after).size() > 1) {
        rewritten += share;
      } else if (is.isPrimary() && was.isRedundant()) {
        promoted += share;
      } else if (is.isRedundant() && was.isPrimary()) {
        demoted += share;
      }
    }
    return new RoleShares(promoted, demoted, rewritten);
  }

  private static Set<Integer> laterGroups(List<SharedArc> group, RingView<Long> after) {
    Set<Integer> later = new HashSet<>();
    for (SharedArc arc : group) {
      Arc is = after.arc(arc.end());
      later.add(is.isOwned() ? is.group() : FOREIGN);
    }
    return later;
  }
}
