package io.counterpart.core.ring.change;

import io.counterpart.core.recovery.TokenRange;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * An arc that lies within one arc of every ring of a change.
 *
 * @param end inclusive
 */
record SharedArc(long end, double ringFraction) {

  /** The arcs between the tokens of all rings, ascending by their ends. */
  static List<SharedArc> of(List<TokenRing> rings) {
    TreeSet<Long> tokens = new TreeSet<>();
    rings.forEach(ring -> tokens.addAll(ring.tokens()));
    List<SharedArc> arcs = new ArrayList<>(tokens.size());
    long start = tokens.last();
    for (long end : tokens) {
      arcs.add(new SharedArc(end, new TokenRange(start, end).ringFraction()));
      start = end;
    }
    return List.copyOf(arcs);
  }
}
