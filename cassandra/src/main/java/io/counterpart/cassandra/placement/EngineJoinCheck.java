package io.counterpart.cassandra.placement;

import io.counterpart.core.placement.engine.EngineJoin;
import io.counterpart.core.placement.engine.EngineNode;
import io.counterpart.core.placement.engine.EngineQuotas;
import io.counterpart.core.placement.engine.EngineReplication;
import io.counterpart.core.ring.change.RingNode;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.TokenMetadata;

/**
 * Refuses a bootstrap of a node without an engine class, or one that would leave other nodes
 * without data they are asked for: {@link EngineJoin}.
 *
 * @param quotas by datacenter
 */
record EngineJoinCheck(String keyspace, Map<String, EngineQuotas> quotas) {

  /**
   * @throws ConfigurationException with the rack or the tokens that would be legal
   */
  void require(TokenMetadata metadata, Collection<Token> tokens, InetAddressAndPort joining) {
    new JoinCheck.Move(tokens, joining, quotas.keySet())
        .refuse(metadata, keyspace, "HeterogeneousStrategy");
    TokenMetadata before = metadata.cloneOnlyTokenMap();
    if (quotas.isEmpty() || before.sortedTokens().isEmpty()) {
      return;
    }
    TokenMetadata after = before.cloneOnlyTokenMap();
    after.updateNormalTokens(tokens, joining);
    String name = joining.getHostAddressAndPort();
    RingNode node =
        MetadataRing.of(after, keyspace).nodes().stream()
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow();
    if (!quotas.containsKey(node.datacenter())) {
      return;
    }
    if (EngineNode.inRack(name, node.rack()).isEmpty()) {
      throw new ConfigurationException(
          "%s cannot join: keyspace %s is under HeterogeneousStrategy, and the rack is '%s', legal: %s"
              .formatted(name, keyspace, node.rack(), EngineNode.RACK_FORM));
    }
    EngineJoin verdict =
        EngineJoin.judge(MetadataRing.of(before, keyspace), node, new EngineReplication(quotas));
    if (verdict instanceof EngineJoin.Unsafe unsafe) {
      throw new ConfigurationException(message(name, unsafe));
    }
  }

  private String message(String joining, EngineJoin.Unsafe unsafe) {
    String legal =
        unsafe.legal().isEmpty()
            ? "a replacement in the rack of the node that it replaces, or other tokens"
            : "initial_token: "
                + unsafe.legal().stream().map(String::valueOf).collect(Collectors.joining(","));
    return ("%s cannot join with these tokens: keyspace %s is under HeterogeneousStrategy, and shares"
            + " of the ring that nobody would send would fall to %s; legal: %s")
        .formatted(joining, keyspace, JoinCheck.lacking(unsafe.gained()), legal);
  }
}
