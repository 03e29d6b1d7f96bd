package io.counterpart.core.ring;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Immutable map from token to {@link Arc}: the replica that this node holds, and its range group.
 * Neighbouring arcs with the same replica list form one group. Above a limit on the number of
 * groups, {@link Grouping} joins scattered arcs, so that 256 vnodes cause neither 512 groups of
 * files nor as many open files.
 *
 * <p>The arc with index {@code i} covers the tokens in {@code (ends[i-1], ends[i]]}; the arc 0
 * wraps: it also covers the tokens above the last end.
 *
 * <p>Thread-safe: immutable. Paper: DEPART §4.2, §4.3 (range-based grouping).
 *
 * @param <T> the token type
 */
public final class RingView<T extends Comparable<? super T>> {
  private final List<T> ends;
  private final Arc[] arcs;
  private final int groups;
  private final int primaryGroups;
  private final int redundantGroups;
  private final boolean scattered;

  private RingView(List<T> ends, Arc[] arcs, boolean scattered) {
    this.ends = ends;
    this.arcs = arcs;
    this.scattered = scattered;
    Set<Integer> primary = new HashSet<>();
    Set<Integer> redundant = new HashSet<>();
    Set<Integer> all = new HashSet<>();
    for (Arc arc : arcs) {
      all.add(arc.group());
      if (arc.isPrimary()) {
        primary.add(arc.group());
      } else if (arc.isRedundant()) {
        redundant.add(arc.group());
      }
    }
    this.groups = all.size();
    this.primaryGroups = primary.size();
    this.redundantGroups = redundant.size();
  }

  /**
   * Builds the view of one node.
   *
   * @param ends the ring's tokens, strictly ascending, at least one
   * @param replicas for each arc the nodes that hold it within this node's datacenter, primary
   *     first; as many entries as {@code ends}
   * @param local this node, as it is named in {@code replicas}
   * @param maxGroups owned groups above which scattered arcs are joined; ≥ 1. There are never more,
   *     but one for each replica index
   * @throws IllegalArgumentException if sizes differ, tokens do not ascend or maxGroups &lt; 1
   */
  public static <T extends Comparable<? super T>, N> RingView<T> of(
      List<T> ends, List<? extends List<N>> replicas, N local, int maxGroups) {
    if (ends.isEmpty() || ends.size() != replicas.size()) {
      throw new IllegalArgumentException(
          ends.size()
              + " tokens and "
              + replicas.size()
              + " replica lists, legal: equal, at least 1");
    }
    for (int i = 1; i < ends.size(); i++) {
      if (ends.get(i - 1).compareTo(ends.get(i)) >= 0) {
        throw new IllegalArgumentException("tokens must ascend strictly, at index " + i);
      }
    }
    if (maxGroups < 1) {
      throw new IllegalArgumentException("maxGroups " + maxGroups + ", legal: 1 and above");
    }
    Grouping grouping = Grouping.of(replicas, local, maxGroups);
    return new RingView<>(
        List.copyOf(ends), grouping.arcs().toArray(Arc[]::new), grouping.scattered());
  }

  /** Index of the arc that holds the token. */
  public int arcIndex(T token) {
    int found = Collections.binarySearch(ends, token);
    int index = found >= 0 ? found : -found - 1;
    return index == ends.size() ? 0 : index;
  }

  /** Whether the token is in the part of arc 0 that lies above all ends. */
  public boolean isAboveLastEnd(T token) {
    return token.compareTo(ends.get(ends.size() - 1)) > 0;
  }

  /** The arc that holds the token. */
  public Arc arc(T token) {
    return arcs[arcIndex(token)];
  }

  public Arc arcAt(int index) {
    return arcs[index];
  }

  public int arcCount() {
    return arcs.length;
  }

  /** Upper end (inclusive) of an arc. */
  public T end(int index) {
    return ends.get(index);
  }

  /** Lower end (exclusive) of an arc; for the arc 0 the last token of the ring, since it wraps. */
  public T start(int index) {
    return ends.get(index == 0 ? ends.size() - 1 : index - 1);
  }

  /**
   * Whether every token between the two lies in one and the same group, by bounds alone.
   *
   * @param first smallest token
   * @param last largest token, not below {@code first}
   */
  public boolean withinOneGroup(T first, T last) {
    int from = Collections.binarySearch(ends, first);
    int to = Collections.binarySearch(ends, last);
    int fromSlot = from >= 0 ? from : -from - 1;
    int toSlot = to >= 0 ? to : -to - 1;
    int group = arcs[fromSlot % arcs.length].group();
    for (int slot = fromSlot + 1; slot <= toSlot; slot++) {
      if (arcs[slot % arcs.length].group() != group) {
        return false;
      }
    }
    return true;
  }

  /**
   * Number of owned groups that have an arc between the two tokens.
   *
   * @param first smallest token
   * @param last largest token, not below {@code first}
   * @param most bound of the count: a search ends at this number
   */
  public int groupsWithin(T first, T last, int most) {
    int from = Collections.binarySearch(ends, first);
    int to = Collections.binarySearch(ends, last);
    int fromSlot = from >= 0 ? from : -from - 1;
    int toSlot = to >= 0 ? to : -to - 1;
    Set<Integer> found = new HashSet<>();
    for (int slot = fromSlot; slot <= toSlot && found.size() < most; slot++) {
      Arc arc = arcs[slot % arcs.length];
      if (arc.isOwned()) {
        found.add(arc.group());
      }
    }
    return found.size();
  }

  /** Number of groups that this node leads. */
  public int primaryGroups() {
    return primaryGroups;
  }

  /** Number of groups of which this node keeps redundant copies. */
  public int redundantGroups() {
    return redundantGroups;
  }

  /** Owned groups that there are at most where they are scattered over the ring. */
  public static int mostScatteredGroups() {
    return Grouping.MOST_SCATTERED;
  }

  /**
   * Whether the arcs of a group are scattered over the ring, because neighbouring arcs made too
   * many groups.
   */
  public boolean hasScatteredGroups() {
    return scattered;
  }

  /** Indexes of the arcs of one group, ascending. */
  public List<Integer> arcsOf(int group) {
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i < arcs.length; i++) {
      if (arcs[i].group() == group) {
        found.add(i);
      }
    }
    return List.copyOf(found);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RingView<?> that
        && ends.equals(that.ends)
        && Arrays.equals(arcs, that.arcs);
  }

  @Override
  public int hashCode() {
    return 31 * ends.hashCode() + Arrays.hashCode(arcs);
  }

  @Override
  public String toString() {
    return "RingView[" + arcs.length + " arcs, " + groups + " groups]";
  }
}
