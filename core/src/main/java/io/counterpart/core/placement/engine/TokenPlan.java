package io.counterpart.core.placement.engine;

import io.counterpart.core.ring.change.Replication;
import io.counterpart.core.ring.change.RingNode;
import io.counterpart.core.ring.change.TokenRing;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How many copies of each class the tokens of a datacenter are planned for, as the ring shows it.
 * Under NetworkTopologyStrategy a keyspace has these quotas with that many copies only.
 *
 * <p>{@link EngineTokens} repeats the classes with the number of copies as period, N. Worked: m r w
 * w m r w w … is planned for four copies, write 2, read 1, memory 1. With three copies a row has m
 * r w, r w w or w w m, by its token: a read by r and m alone may miss a write by w and w.
 */
public final class TokenPlan {
  /** A longer period is no plan: other tokens look so. */
  private static final int MOST_COPIES = 12;

  private static final String MISSED =
      "and reads by those for reads may miss writes by those for writes unless both wait for a"
          + " quorum";

  private TokenPlan() {}

  /**
   * The copies by class that any N consecutive tokens hold, for the least such N; empty if the
   * classes do not repeat, or there is only one.
   *
   * @param classes of the datacenter's tokens, in their order
   */
  public static Optional<EngineQuotas> of(List<EngineClass> classes) {
    for (int period = 2; period <= Math.min(MOST_COPIES, classes.size()); period++) {
      if (classes.size() % period == 0 && repeats(classes, period)) {
        List<EngineClass> copies = classes.subList(0, period);
        return copies.stream().distinct().count() == 1
            ? Optional.empty()
            : Optional.of(quotas(copies));
      }
    }
    return Optional.empty();
  }

  private static boolean repeats(List<EngineClass> classes, int period) {
    for (int i = period; i < classes.size(); i++) {
      if (classes.get(i) != classes.get(i - period)) {
        return false;
      }
    }
    return true;
  }

  /**
   * What is wrong with a number of copies under NetworkTopologyStrategy: tokens are planned for
   * another one, or they are not planned and rows differ in the classes of their copies. Empty if
   * nothing is, or some node's rack names no class.
   *
   * @param copies of a keyspace in the datacenter, 1 or more
   */
  public static Optional<String> warning(TokenRing ring, String datacenter, int copies) {
    Map<String, EngineClass> classes = classes(ring, datacenter);
    if (classes.size() < ring.nodes(datacenter).size() || Set.copyOf(classes.values()).size() < 2) {
      return Optional.empty();
    }
    Optional<EngineQuotas> planned =
        of(owners(ring, datacenter).map(RingNode::name).map(classes::get).toList());
    if (planned.isEmpty()) {
      return unplanned(ring, datacenter, copies, classes);
    }
    return planned
        .filter(quotas -> copies % quotas.copies() != 0)
        .map(
            quotas ->
                ("%s: %d copies (N), legal: %d, for which the tokens of its engine classes are planned:"
                        + " %s. With another number the classes of a row's copies depend on its token, "
                        + MISSED)
                    .formatted(datacenter, copies, quotas.copies(), quotas));
  }

  private static Map<String, EngineClass> classes(TokenRing ring, String datacenter) {
    Map<String, EngineClass> classes = new HashMap<>();
    for (RingNode node : ring.nodes(datacenter)) {
      EngineClass.named(node.rack()).ifPresent(engine -> classes.put(node.name(), engine));
    }
    return classes;
  }

  private static Stream<RingNode> owners(TokenRing ring, String datacenter) {
    return IntStream.range(0, ring.tokens().size())
        .mapToObj(ring::owner)
        .filter(node -> node.datacenter().equals(datacenter));
  }

  private static Optional<String> unplanned(
      TokenRing ring, String datacenter, int copies, Map<String, EngineClass> classes) {
    Map<EngineQuotas, Integer> ranges = new HashMap<>();
    for (List<String> nodes :
        new Replication.NetworkTopology(Map.of(datacenter, copies)).replicas(ring)) {
      ranges.merge(quotas(nodes.stream().map(classes::get).toList()), 1, Integer::sum);
    }
    int all = ring.tokens().size();
    return ranges.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .filter(most -> most.getValue() < all)
        .map(
            most ->
                ("%s: the tokens of its engine classes follow no plan. With %d copies (N) %d of %d"
                        + " token ranges have other copies than %s, "
                        + MISSED)
                    .formatted(datacenter, copies, all - most.getValue(), all, most.getKey()));
  }

  private static EngineQuotas quotas(List<EngineClass> copies) {
    return new EngineQuotas(
        Collections.frequency(copies, EngineClass.WRITE),
        Collections.frequency(copies, EngineClass.READ),
        Collections.frequency(copies, EngineClass.MEMORY));
  }
}
