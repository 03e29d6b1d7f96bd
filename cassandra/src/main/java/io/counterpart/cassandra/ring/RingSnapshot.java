package io.counterpart.cassandra.ring;

import io.counterpart.core.ring.Arc;
import io.counterpart.core.ring.RingView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;

/**
 * One state of the ring as this node sees it for one keyspace, with the token ranges that the
 * look-ups in sstables need. Immutable but for its record of messages already logged; thread-safe.
 */
public final class RingSnapshot {
  private final RingView<Token> view;
  private final Map<Integer, Collection<Range<Token>>> rangesByGroup = new HashMap<>();
  private final Map<Integer, Collection<Range<Token>>> rangesByReplicaIndex = new HashMap<>();
  private final Collection<Range<Token>> redundantRanges;
  private final Collection<Range<Token>> ownedRanges;
  private final int replicaIndexes;
  private final Set<String> mentioned = ConcurrentHashMap.newKeySet();

  RingSnapshot(RingView<Token> view) {
    this.view = view;
    int highest = -1;
    Map<Integer, List<Integer>> arcsByGroup = new HashMap<>();
    for (int i = 0; i < view.arcCount(); i++) {
      highest = Math.max(highest, view.arcAt(i).replicaIndex());
      arcsByGroup.computeIfAbsent(view.arcAt(i).group(), g -> new ArrayList<>()).add(i);
    }
    this.replicaIndexes = highest + 1;
    arcsByGroup.forEach((group, arcs) -> rangesByGroup.put(group, rangesOf(arcs)));
    for (int index = 0; index <= highest; index++) {
      int wanted = index;
      rangesByReplicaIndex.put(index, rangesWhere(arc -> arc.replicaIndex() == wanted));
    }
    this.redundantRanges = rangesWhere(Arc::isRedundant);
    this.ownedRanges = rangesWhere(Arc::isOwned);
  }

  public RingView<Token> view() {
    return view;
  }

  /** How many replica indexes this node has in the ring: RF within its datacenter, or fewer. */
  public int replicaIndexes() {
    return replicaIndexes;
  }

  /** Whether this node keeps no copy of anything: it is outside of the ring, or of the keyspace. */
  public boolean ownsNothing() {
    return ownedRanges.isEmpty();
  }

  /**
   * Whether nothing was said yet about a table in this state: instances of one table speak once.
   */
  public boolean isFirstMentionOf(String table) {
    return mentioned.add(table);
  }

  /** Ranges of one group, normalized; empty for an unknown group. */
  public Collection<Range<Token>> rangesOfGroup(int group) {
    return rangesByGroup.getOrDefault(group, List.of());
  }

  /** Ranges of which this node holds the replica with the index, normalized. */
  public Collection<Range<Token>> rangesOfReplicaIndex(int index) {
    return rangesByReplicaIndex.getOrDefault(index, List.of());
  }

  public Collection<Range<Token>> primaryRanges() {
    return rangesOfReplicaIndex(0);
  }

  public Collection<Range<Token>> redundantRanges() {
    return redundantRanges;
  }

  /** Ranges of which this node holds a copy, normalized. */
  public Collection<Range<Token>> ownedRanges() {
    return ownedRanges;
  }

  private Collection<Range<Token>> rangesWhere(Predicate<Arc> wanted) {
    List<Integer> arcs = new ArrayList<>();
    for (int i = 0; i < view.arcCount(); i++) {
      if (wanted.test(view.arcAt(i))) {
        arcs.add(i);
      }
    }
    return rangesOf(arcs);
  }

  private Collection<Range<Token>> rangesOf(List<Integer> arcs) {
    List<Range<Token>> ranges = new ArrayList<>(arcs.size());
    for (int arc : arcs) {
      ranges.add(new Range<>(view.start(arc), view.end(arc)));
    }
    return Range.normalize(ranges);
  }
}
