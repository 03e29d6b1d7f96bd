package io.counterpart.core.ring;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * One node's view of the ring while nodes leave or move. An arc has its future replicas if this
 * node will be one of them, else its present ones if this node is one of them. So incoming data go
 * straight into their final range groups, and outgoing data stay in order until they are gone.
 *
 * <p>Worked: tokens 10 (a), 20 (b), 30 (c), one replica, a moves to 25. Node a sees {@code (30,10]}
 * with a (now) and {@code (20,25]} with a (afterwards); node b sees {@code (10,20]} and, as it will
 * inherit it, {@code (30,10]}.
 */
public final class RingTransition {
  private RingTransition() {}

  /**
   * One state of a ring.
   *
   * @param ends its tokens, strictly ascending
   * @param replicasOf the nodes that hold a token, primary first; defined for every token, an end
   *     or not
   */
  public record State<T, N>(List<T> ends, Function<T, List<N>> replicasOf) {
    public State {
      ends = List.copyOf(ends);
    }
  }

  /**
   * Arcs for {@link RingView#of}.
   *
   * @param ends tokens, strictly ascending
   * @param replicas for each arc the nodes that hold it
   */
  public record Arcs<T, N>(List<T> ends, List<List<N>> replicas) {
    public Arcs {
      ends = List.copyOf(ends);
      replicas = List.copyOf(replicas);
    }
  }

  /** The arcs of a ring that does not change. */
  public static <T, N> Arcs<T, N> settled(State<T, N> ring) {
    return new Arcs<>(ring.ends(), ring.ends().stream().map(ring.replicasOf()).toList());
  }

  /**
   * The arcs while the ring changes. Without a part that this node loses they are exactly those of
   * the ring afterwards.
   */
  public static <T extends Comparable<? super T>, N> Arcs<T, N> between(
      State<T, N> now, State<T, N> afterwards, N local) {
    TreeSet<T> all = new TreeSet<>(now.ends());
    all.addAll(afterwards.ends());
    List<T> ends = new ArrayList<>(all);
    Map<T, List<N>> replicas = new HashMap<>();
    for (T end : ends) {
      List<N> later = afterwards.replicasOf().apply(end);
      List<N> today = later.contains(local) ? later : now.replicasOf().apply(end);
      replicas.put(end, today.contains(local) ? today : later);
    }
    return withoutNeedlessEnds(ends, replicas, Set.copyOf(afterwards.ends()));
  }

  /** Leaves out tokens of today's ring alone that part nothing. */
  private static <T, N> Arcs<T, N> withoutNeedlessEnds(
      List<T> ends, Map<T, List<N>> replicas, Set<T> afterwards) {
    List<T> kept = new ArrayList<>();
    List<List<N>> lists = new ArrayList<>();
    for (int i = 0; i < ends.size(); i++) {
      T end = ends.get(i);
      List<N> here = replicas.getOrDefault(end, List.of());
      List<N> next = replicas.getOrDefault(ends.get((i + 1) % ends.size()), List.of());
      if (afterwards.contains(end) || !here.equals(next)) {
        kept.add(end);
        lists.add(here);
      }
    }
    return new Arcs<>(kept, lists);
  }
}
