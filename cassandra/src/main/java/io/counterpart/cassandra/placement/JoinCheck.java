package io.counterpart.cassandra.placement;

import io.counterpart.core.placement.HashOrderedJoin;
import io.counterpart.core.placement.HashOrderedReplication;
import io.counterpart.core.ring.change.RingNode;
import io.counterpart.core.ring.change.TokenRing;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.TokenMetadata;
import org.apache.cassandra.utils.Pair;

/**
 * Refuses a bootstrap that would leave other nodes without data they are asked for: {@link
 * HashOrderedJoin}.
 *
 * @param copies by datacenter
 */
record JoinCheck(String keyspace, Map<String, Integer> copies) {

  /**
   * @throws ConfigurationException with tokens that would be legal
   */
  void require(TokenMetadata metadata, Collection<Token> tokens, InetAddressAndPort joining) {
    TokenMetadata before = metadata.cloneOnlyTokenMap();
    if (copies.isEmpty() || before.sortedTokens().isEmpty()) {
      return;
    }
    TokenMetadata after = before.cloneOnlyTokenMap();
    after.updateNormalTokens(tokens, joining);
    if (!after.sortedTokens().stream().allMatch(LongToken.class::isInstance)) {
      throw new ConfigurationException(
          "keyspace %s: PorStrategy is for Murmur3Partitioner alone".formatted(keyspace));
    }
    HashOrderedJoin verdict =
        HashOrderedJoin.judge(
            ring(before),
            ring(after),
            joining.getHostAddressAndPort(),
            new HashOrderedReplication(copies, Map.of()));
    if (verdict instanceof HashOrderedJoin.Unsafe unsafe) {
      throw new ConfigurationException(message(joining, unsafe));
    }
  }

  private String message(InetAddressAndPort joining, HashOrderedJoin.Unsafe unsafe) {
    String lacking =
        unsafe.gained().entrySet().stream()
            .map(
                gain ->
                    String.format(
                        Locale.ROOT, "%s (%.1f %%)", gain.getKey(), 100 * gain.getValue()))
            .sorted()
            .collect(Collectors.joining(", "));
    String legal =
        unsafe.legal().isEmpty()
            ? "a replacement on the address of the node that it replaces"
            : "tokens in arcs of %s, its successor by hash, such as initial_token: %s"
                .formatted(
                    unsafe.successor(),
                    unsafe.legal().stream().map(String::valueOf).collect(Collectors.joining(",")));
    return "%s cannot join with these tokens: keyspace %s is under PorStrategy, and shares of the"
            .formatted(joining.getHostAddressAndPort(), keyspace)
        + " ring that nobody would send would fall to "
        + lacking
        + "; legal: "
        + legal;
  }

  private static TokenRing ring(TokenMetadata metadata) {
    Map<InetAddressAndPort, List<Long>> tokens = new TreeMap<>();
    for (Token token : metadata.sortedTokens()) {
      tokens
          .computeIfAbsent(metadata.getEndpoint(token), node -> new ArrayList<>())
          .add((Long) token.getTokenValue());
    }
    List<RingNode> nodes = new ArrayList<>();
    tokens.forEach(
        (node, own) -> {
          Pair<String, String> location = metadata.getTopology().getLocation(node);
          nodes.add(new RingNode(node.getHostAddressAndPort(), location.left, location.right, own));
        });
    return TokenRing.of(nodes);
  }
}
