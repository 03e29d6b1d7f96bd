package io.counterpart.lab.result;

import io.counterpart.core.placement.RingBalance;
import java.util.List;
import java.util.Locale;

/**
 * The ring that a run had: its arcs, how many replica sets they make and how even the nodes' shares
 * are.
 *
 * @param nodes that keep anything
 * @param replicaSets different sets of nodes that keep an arc together
 * @param primaryImbalance largest share of arcs led ÷ mean share, 1 is even
 * @param copiesImbalance largest share of copies ÷ mean share, 1 is even
 * @param arcs none where there are more than {@value #MOST_ARCS}: a result stays small
 */
public record RingSummary(
    int nodes,
    int replicaSets,
    double primaryImbalance,
    double copiesImbalance,
    List<RingArc> arcs) {
  /** Key of {@link LabResult#config}. */
  public static final String KEY = "ring";

  /** Arcs that are drawn at most. */
  public static final int MOST_ARCS = 500;

  /** Copies the list. */
  public RingSummary {
    arcs = List.copyOf(arcs);
  }

  /** For people: "5 replica sets, largest share ÷ mean: 1.00 of primaries, 1.00 of copies". */
  public String describe() {
    return String.format(
        Locale.ROOT,
        "%d replica sets, largest share ÷ mean: %.2f of primaries, %.2f of copies",
        replicaSets,
        primaryImbalance,
        copiesImbalance);
  }

  /** Sums up the arcs of a ring. */
  public static RingSummary of(List<RingArc> arcs) {
    List<String> nodes =
        arcs.stream().flatMap(arc -> arc.replicas().stream()).distinct().sorted().toList();
    RingBalance balance =
        RingBalance.of(
            arcs.stream().map(arc -> new RingBalance.Held(arc.fraction(), arc.replicas())).toList(),
            nodes);
    return new RingSummary(
        nodes.size(),
        balance.replicaSets(),
        balance.primaryImbalance(),
        balance.copiesImbalance(),
        arcs.size() > MOST_ARCS ? List.of() : arcs);
  }
}
