package io.counterpart.lab.remote.advice;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import io.counterpart.core.placement.engine.EngineClass;
import io.counterpart.core.placement.engine.EngineQuotas;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** How many copies of a keyspace each engine class keeps now. */
final class PresentMix {
  private static final String STRATEGY = "HeterogeneousStrategy";

  private PresentMix() {}

  /**
   * By the quorums of HeterogeneousStrategy, or by the shares of tokens that racks named after
   * classes have; empty on equal nodes.
   */
  static Optional<EngineQuotas> of(CqlSession session, KeyspaceMetadata keyspace) {
    Map<String, String> replication = keyspace.getReplication();
    int copies = SchemaFacts.copies(replication);
    if (String.valueOf(replication.get("class")).endsWith(STRATEGY)) {
      return Optional.of(
          EngineQuotas.of(
              copies,
              Integer.parseInt(replication.getOrDefault("write_quorum", "")),
              Integer.parseInt(replication.getOrDefault("read_quorum", ""))));
    }
    return session.getMetadata().getTokenMap().flatMap(map -> byTokens(session, map, copies));
  }

  private static Optional<EngineQuotas> byTokens(CqlSession session, TokenMap map, int copies) {
    Map<EngineClass, Integer> tokens = new EnumMap<>(EngineClass.class);
    for (Node node : session.getMetadata().getNodes().values()) {
      Optional<EngineClass> engine = EngineClass.named(String.valueOf(node.getRack()));
      if (engine.isEmpty()) {
        return Optional.empty();
      }
      tokens.merge(engine.get(), map.getTokens(node).size(), Integer::sum);
    }
    return quotas(tokens, copies);
  }

  /** Planned tokens repeat the classes of the copies; other shares of tokens are no plan. */
  static Optional<EngineQuotas> quotas(Map<EngineClass, Integer> tokens, int copies) {
    int all = tokens.values().stream().mapToInt(Integer::intValue).sum();
    for (int count : tokens.values()) {
      if (all == 0 || count * copies % all != 0) {
        return Optional.empty();
      }
    }
    return all == 0
        ? Optional.empty()
        : Optional.of(
            new EngineQuotas(
                tokens.getOrDefault(EngineClass.WRITE, 0) * copies / all,
                tokens.getOrDefault(EngineClass.READ, 0) * copies / all,
                tokens.getOrDefault(EngineClass.MEMORY, 0) * copies / all));
  }
}
