package io.counterpart.lab.staleness;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.ProtocolVersion;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import com.datastax.oss.driver.api.core.type.codec.TypeCodecs;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Keys of rows that the same nodes keep in the same order, so that all their writes are samples of
 * one estimate.
 *
 * @param replicas in the ring's order, the primary first
 * @param keys integers, ascending
 */
record ArcKeys(List<Node> replicas, List<Integer> keys) {
  private static final int TRIED_FOR_EACH = 1_000;

  ArcKeys {
    replicas = List.copyOf(replicas);
    keys = List.copyOf(keys);
  }

  /**
   * The first keys whose primary is that node.
   *
   * @throws IllegalStateException if there are too few
   */
  static ArcKeys of(CqlSession session, String keyspace, Node primary, int count) {
    TokenMap ring =
        session
            .getMetadata()
            .getTokenMap()
            .orElseThrow(() -> new IllegalStateException("the driver knows no ring"));
    List<Node> replicas = List.of();
    List<Integer> keys = new ArrayList<>();
    for (int key = 0; keys.size() < count && key < count * TRIED_FOR_EACH; key++) {
      List<Node> own =
          List.copyOf(
              ring.getReplicas(
                  CqlIdentifier.fromCql(keyspace),
                  TypeCodecs.INT.encode(key, ProtocolVersion.DEFAULT)));
      if (own.isEmpty() || !own.get(0).equals(primary)) {
        continue;
      }
      replicas = replicas.isEmpty() ? own : replicas;
      if (own.equals(replicas)) {
        keys.add(key);
      }
    }
    if (keys.size() < count) {
      throw new IllegalStateException(
          "%s: %d keys of %s, needed: %d".formatted(keyspace, keys.size(), primary, count));
    }
    return new ArcKeys(replicas, keys);
  }

  /** Coordinators for writes: nodes without a copy first, then the last copies of the ring. */
  List<Node> writers(List<Node> nodes) {
    List<Node> writers = new ArrayList<>(nodes);
    writers.removeAll(replicas);
    List<Node> last = new ArrayList<>(replicas);
    Collections.reverse(last);
    writers.addAll(last);
    return writers;
  }

  /** Coordinators for reads: the nodes with a copy, but for the writer. */
  List<Node> readersBeside(Node writer) {
    return replicas.stream().filter(node -> !node.equals(writer)).toList();
  }
}
