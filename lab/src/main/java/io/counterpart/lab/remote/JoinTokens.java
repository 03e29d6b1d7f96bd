package io.counterpart.lab.remote;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import io.counterpart.core.placement.engine.EngineClass;
import io.counterpart.core.placement.engine.EngineJoin;
import io.counterpart.core.placement.engine.EngineQuotas;
import io.counterpart.core.placement.engine.EngineReplication;
import io.counterpart.core.ring.change.RingNode;
import io.counterpart.core.ring.change.TokenRing;
import io.counterpart.lab.setup.RunRefusedException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * Tokens with which a node may join a cluster whose keyspaces are under HeterogeneousStrategy.
 *
 * @param wanted how many were to be found
 * @param tokens legal ones, as many as wanted or fewer
 * @param keyspaces for which they are legal, at least one
 */
public record JoinTokens(int wanted, List<Long> tokens, List<String> keyspaces) {
  private static final int DEFAULT_TOKENS = 16;

  /** Copies the lists. */
  public JoinTokens {
    tokens = List.copyOf(tokens);
    keyspaces = List.copyOf(keyspaces);
  }

  /**
   * Reads the ring and the keyspaces, and finds tokens. Changes nothing.
   *
   * @param rack {@code SERVER/CLASS} of the node that joins
   * @param wanted how many; empty for as many as a node of its class has
   * @throws RunRefusedException if the cluster cannot be reached, no keyspace is under the
   *     strategy, or none has copies in the datacenter
   */
  public static JoinTokens find(
      RemoteAccess access, String datacenter, String rack, OptionalInt wanted) {
    TokenRing ring = RingSurvey.ring(access);
    Map<String, EngineReplication> replications = replications(access, datacenter);
    int count = wanted.orElseGet(() -> usual(ring, datacenter, rack));
    RingNode joining =
        new RingNode("new", datacenter, rack, LongStream.range(0, count).boxed().toList());
    return new JoinTokens(
        count,
        EngineJoin.legal(ring, joining, List.copyOf(replications.values())),
        List.copyOf(replications.keySet()));
  }

  private static Map<String, EngineReplication> replications(
      RemoteAccess access, String datacenter) {
    Map<String, EngineReplication> found = new TreeMap<>();
    try (CqlSession session = SurveySession.open(access)) {
      for (KeyspaceMetadata keyspace : session.getMetadata().getKeyspaces().values()) {
        EngineReplication replication = replication(keyspace.getReplication());
        if (replication.copies(datacenter) > 0) {
          found.put(keyspace.getName().asInternal(), replication);
        }
      }
    } catch (DriverException e) {
      throw new RunRefusedException("the cluster cannot be looked at: " + SurveySession.reason(e));
    }
    if (found.isEmpty()) {
      throw new RunRefusedException(
          "no keyspace under HeterogeneousStrategy has copies in datacenter %s: others are not bound to tokens"
              .formatted(datacenter));
    }
    return found;
  }

  /** Without quotas under another strategy. */
  static EngineReplication replication(Map<String, String> options) {
    Map<String, EngineQuotas> quotas = new HashMap<>();
    if (MixOptions.isMixed(options)) {
      MixOptions.mixes(options).forEach((datacenter, mix) -> quotas.put(datacenter, mix.quotas()));
    }
    return new EngineReplication(quotas);
  }

  /** Other datacenters may have other numbers. */
  static int usual(TokenRing ring, String datacenter, String rack) {
    List<Integer> counts = new ArrayList<>();
    for (RingNode node : ring.nodes(datacenter)) {
      if (EngineClass.ofRack(node.rack()).equals(EngineClass.ofRack(rack))) {
        counts.add(node.tokens().size());
      }
    }
    return counts.stream().mapToInt(Integer::intValue).max().orElse(DEFAULT_TOKENS);
  }
}
