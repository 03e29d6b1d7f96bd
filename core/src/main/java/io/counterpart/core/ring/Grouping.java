package io.counterpart.core.ring;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Assigns the arcs of a ring to range groups, as fine as the limits allow. Arcs of a group have the
 * same replica index on this node. There are four grains, each a union of groups of the one before,
 * so that a coarser grain leaves every sstable of a finer one within one group:
 *
 * <ol>
 *   <li><b>neighbours</b>: neighbouring arcs with the same replica list. Groups are contiguous: a
 *       rewrite has one output open at a time. Kept while at most {@code maxGroups} are owned.
 *   <li><b>lists</b>: all arcs with the same replica list. From here on groups are scattered over
 *       the ring and a rewrite keeps an output open for each, so at most {@link #MOST_SCATTERED}.
 *   <li><b>partners</b>: all arcs with the same replica index and the same partner, the first node
 *       of the list that is not this one. If the partner asks this node for all, it streams whole.
 *   <li><b>classes</b>: partners joined by the hash of the node.
 * </ol>
 *
 * <p>Worked: 30 nodes, 256 tokens each, RF 3. A node owns 768 arcs in about 660 lists, but has 29
 * partners at each of 3 indexes: 87 groups. With 300 nodes 128 ÷ 3 = 42 classes an index remain.
 *
 * @param arcs one for each token
 * @param scattered true from the second grain on
 */
record Grouping(List<Arc> arcs, boolean scattered) {
  /** Outputs that a rewrite keeps open: at some 256 KiB each 32 MiB. */
  static final int MOST_SCATTERED = 128;

  /** All arcs that this node has no copy of: they only wait for clean-up. */
  private static final Object NOT_OWNED = "not owned";

  Grouping {
    arcs = List.copyOf(arcs);
  }

  /**
   * Groups the arcs of one node.
   *
   * @param <N> a node; its hash code must be the same in every process
   */
  static <N> Grouping of(List<? extends List<N>> replicas, N local, int maxGroups) {
    List<Arc> byNeighbour = neighbours(replicas, local);
    if (ownedGroups(byNeighbour) <= maxGroups) {
      return new Grouping(byNeighbour, false);
    }
    int most = Math.min(maxGroups, MOST_SCATTERED);
    List<Arc> byList = keyed(replicas, local, (index, list) -> List.copyOf(list));
    if (ownedGroups(byList) <= most) {
      return new Grouping(byList, true);
    }
    List<Arc> byPartner = keyed(replicas, local, Partner::of);
    if (ownedGroups(byPartner) <= most) {
      return new Grouping(byPartner, true);
    }
    long indexes =
        byPartner.stream().filter(Arc::isOwned).map(Arc::replicaIndex).distinct().count();
    int classes = Math.max(1, (int) (most / indexes));
    return new Grouping(
        keyed(replicas, local, (index, list) -> Partner.of(index, list).hashed(classes)), true);
  }

  private static <N> List<Arc> neighbours(List<? extends List<N>> replicas, N local) {
    List<Arc> arcs = new ArrayList<>(replicas.size());
    int group = 0;
    for (int i = 0; i < replicas.size(); i++) {
      int index = replicas.get(i).indexOf(local);
      // what this node does not own needs no distinction: it only waits for clean-up
      boolean continues =
          i > 0
              && (replicas.get(i).equals(replicas.get(i - 1))
                  || (index < 0 && !arcs.get(i - 1).isOwned()));
      if (i > 0 && !continues) {
        group++;
      }
      arcs.add(new Arc(index, group));
    }
    return arcs;
  }

  private static <N> List<Arc> keyed(
      List<? extends List<N>> replicas, N local, GroupKey<? super N> key) {
    Map<Object, Integer> ids = new HashMap<>();
    List<Arc> arcs = new ArrayList<>(replicas.size());
    for (List<N> list : replicas) {
      int index = list.indexOf(local);
      Object group = index < 0 ? NOT_OWNED : key.of(index, list);
      arcs.add(new Arc(index, ids.computeIfAbsent(group, unused -> ids.size())));
    }
    return arcs;
  }

  private static long ownedGroups(List<Arc> arcs) {
    return arcs.stream().filter(Arc::isOwned).map(Arc::group).distinct().count();
  }

  /** What arcs of one group have in common. */
  @FunctionalInterface
  private interface GroupKey<N> {
    Object of(int replicaIndex, List<? extends N> replicas);
  }

  /** The node that shares an arc with this one, and the place of this one in the list. */
  private record Partner(int replicaIndex, Object node) {
    static Partner of(int replicaIndex, List<?> replicas) {
      boolean alone = replicas.size() == 1;
      return new Partner(replicaIndex, replicas.get(replicaIndex > 0 || alone ? 0 : 1));
    }

    Partner hashed(int classes) {
      // neighbouring addresses have neighbouring hash codes
      int mixed = node.hashCode() * 0x9E3779B9;
      return new Partner(replicaIndex, Math.floorMod(mixed ^ mixed >>> 16, classes));
    }
  }
}
