package io.counterpart.driver;

import java.util.ArrayList;
import java.util.List;

/**
 * The order in which a row's local replicas are asked to coordinate a request, and why.
 *
 * <p>Replicas come in ring order, the primary first. The redundant copies are rotated by the row's
 * hash h: with r of them, the one at index 1 + (r − h mod r) mod r is next after the primary. So
 * the redundant copies share the rows of an avoided primary evenly, and each row has one substitute
 * whose page cache keeps it. Example: r = 2, and h even, gives primary, 1, 2; h odd gives primary,
 * 2, 1. The rotation counts replicas that are down, as the snitch's does, so that a second failure
 * moves no other rows.
 *
 * <p>Then replicas that are down are left out, and stalled ones go behind the others. If more than
 * half of the live replicas have stalled, the client or the whole cluster is overloaded: the order
 * stays, because the remaining replicas would be next.
 */
final class CoordinatorOrder {
  private CoordinatorOrder() {}

  enum State {
    ANSWERS,
    /** Alive, but has requests outstanding and gives no answers. */
    STALLED,
    DOWN
  }

  /** Why the first replica is first. */
  enum Reason {
    PRIMARY,
    PRIMARY_DOWN,
    PRIMARY_STALLED,
    /** The primary has stalled and stays first, because most replicas have stalled too. */
    MOST_STALLED,
    NO_LIVE_REPLICA
  }

  /** One of the row's replicas in the local datacenter. */
  record Candidate<N>(N node, State state) {}

  /** Live replicas, the first choice first. */
  record Choice<N>(List<N> coordinators, Reason reason) {
    Choice {
      coordinators = List.copyOf(coordinators);
    }
  }

  /**
   * @param inRingOrder all local replicas, the primary first
   * @param rowHash not negative
   */
  static <N> Choice<N> choose(List<Candidate<N>> inRingOrder, int rowHash) {
    if (rowHash < 0) {
      throw new IllegalArgumentException("row hash " + rowHash + ": must be at least 0");
    }
    List<N> answering = new ArrayList<>();
    List<N> stalled = new ArrayList<>();
    List<N> live = new ArrayList<>();
    for (Candidate<N> candidate : rotated(inRingOrder, rowHash)) {
      if (candidate.state() != State.DOWN) {
        live.add(candidate.node());
        (candidate.state() == State.STALLED ? stalled : answering).add(candidate.node());
      }
    }
    if (live.isEmpty()) {
      return new Choice<>(live, Reason.NO_LIVE_REPLICA);
    }
    boolean mostStalled = stalled.size() > answering.size();
    if (!mostStalled) {
      live.clear();
      live.addAll(answering);
      live.addAll(stalled);
    }
    return new Choice<>(live, reason(inRingOrder.get(0).state(), mostStalled));
  }

  private static Reason reason(State primary, boolean mostStalled) {
    return switch (primary) {
      case ANSWERS -> Reason.PRIMARY;
      case DOWN -> Reason.PRIMARY_DOWN;
      case STALLED -> mostStalled ? Reason.MOST_STALLED : Reason.PRIMARY_STALLED;
    };
  }

  private static <N> List<Candidate<N>> rotated(List<Candidate<N>> inRingOrder, int rowHash) {
    int redundant = inRingOrder.size() - 1;
    if (redundant < 2) {
      return inRingOrder;
    }
    int start = 1 + (redundant - rowHash % redundant) % redundant;
    List<Candidate<N>> turned = new ArrayList<>(inRingOrder.size());
    turned.add(inRingOrder.get(0));
    turned.addAll(inRingOrder.subList(start, inRingOrder.size()));
    turned.addAll(inRingOrder.subList(1, start));
    return turned;
  }
}
