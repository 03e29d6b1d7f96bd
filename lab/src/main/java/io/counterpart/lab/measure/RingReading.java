package io.counterpart.lab.measure;

import io.counterpart.cluster.ObservedNode;
import io.counterpart.lab.result.RingArc;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The ring of a keyspace as the nodes see it. Asked over JMX: drivers hold the replicas of a range
 * as a set, which says nothing about who is first.
 */
public final class RingReading {
  /** Tokens of Murmur3Partitioner, from the smallest long to the largest. */
  private static final double TOKENS = 0x1p64;

  private RingReading() {}

  /** The arcs of a keyspace, by their start. */
  public static List<RingArc> of(ConnectedNodes nodes, String keyspace) {
    ObservedNode any = nodes.nodes().get(0);
    Object answer =
        nodes
            .jmx(any)
            .invoke(
                "org.apache.cassandra.db:type=StorageService",
                "getRangeToEndpointMap",
                new Object[] {keyspace},
                new String[] {String.class.getName()});
    if (!(answer instanceof Map<?, ?> ranges)) {
      throw new IllegalStateException(
          "ring of %s: %s answered %s instead of ranges"
              .formatted(keyspace, any.address(), answer.getClass().getName()));
    }
    return arcs(ranges);
  }

  /**
   * @param ranges two tokens (start exclusive, end inclusive) to replicas in ring order
   */
  static List<RingArc> arcs(Map<?, ?> ranges) {
    List<RingArc> arcs = new ArrayList<>();
    ranges.forEach(
        (range, replicas) -> {
          List<String> tokens = strings(range);
          arcs.add(
              new RingArc(fraction(tokens.get(0)), fraction(tokens.get(1)), strings(replicas)));
        });
    arcs.sort(Comparator.comparingDouble(RingArc::start));
    return List.copyOf(arcs);
  }

  private static double fraction(String token) {
    return (Long.parseLong(token) - (double) Long.MIN_VALUE) / TOKENS;
  }

  private static List<String> strings(Object list) {
    return ((List<?>) list).stream().map(String::valueOf).toList();
  }
}
