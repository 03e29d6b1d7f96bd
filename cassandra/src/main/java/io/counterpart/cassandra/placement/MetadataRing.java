package io.counterpart.cassandra.placement;

import io.counterpart.core.ring.change.RingNode;
import io.counterpart.core.ring.change.TokenRing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.TokenMetadata;
import org.apache.cassandra.utils.Pair;

/** One state of Cassandra's ring as a {@link TokenRing}; nodes are named by {@code ip:port}. */
final class MetadataRing {
  private MetadataRing() {}

  /**
   * The nodes with tokens.
   *
   * @param keyspace named in the error
   * @throws ConfigurationException if tokens are not Murmur3Partitioner's
   */
  static TokenRing of(TokenMetadata metadata, String keyspace) {
    if (!metadata.sortedTokens().stream().allMatch(LongToken.class::isInstance)) {
      throw new ConfigurationException(
          "keyspace %s: its strategy is for Murmur3Partitioner alone".formatted(keyspace));
    }
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
