package io.counterpart.cassandra.placement;

import io.counterpart.core.placement.engine.EngineClass;
import io.counterpart.core.placement.engine.EngineNode;
import io.counterpart.core.placement.engine.EngineQuotas;
import io.counterpart.core.placement.engine.EngineReplicas;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.TokenMetadata;
import org.apache.cassandra.utils.Pair;

/**
 * One datacenter of a heterogeneous cluster in one state of the ring: its tokens with their owners'
 * engine classes and servers. Nodes whose rack names neither are apart, and have no part in it.
 * Immutable and thread-safe.
 */
final class EngineRing {
  private final List<Token> tokens = new ArrayList<>();
  private final List<EngineNode> owners = new ArrayList<>();
  private final Map<EngineNode, InetAddressAndPort> addresses = new HashMap<>();
  private final Map<InetAddressAndPort, String> strangers = new HashMap<>();
  private final EngineReplicas replicas;

  private EngineRing(TokenMetadata metadata, String datacenter, EngineQuotas quotas) {
    for (Token token : metadata.sortedTokens()) {
      InetAddressAndPort node = metadata.getEndpoint(token);
      Pair<String, String> location = metadata.getTopology().getLocation(node);
      if (location.left.equals(datacenter)) {
        EngineNode.inRack(node.getHostAddressAndPort(), location.right)
            .ifPresentOrElse(
                known -> {
                  tokens.add(token);
                  owners.add(known);
                  addresses.put(known, node);
                },
                () -> strangers.put(node, location.right));
      }
    }
    replicas = new EngineReplicas(addresses.keySet(), quotas);
  }

  /** The rings of datacenters that have copies. */
  static Map<String, EngineRing> of(TokenMetadata metadata, Map<String, EngineQuotas> quotas) {
    Map<String, EngineRing> rings = new HashMap<>();
    quotas.forEach(
        (datacenter, wanted) ->
            rings.put(datacenter, new EngineRing(metadata, datacenter, wanted)));
    return rings;
  }

  /** The replicas of a token, in the order in which they are met clockwise. */
  List<InetAddressAndPort> replicas(Token token) {
    return replicas.choose(clockwise(token)).stream()
        .map(node -> Objects.requireNonNull(addresses.get(node)))
        .toList();
  }

  private Iterable<EngineNode> clockwise(Token token) {
    int found = Collections.binarySearch(tokens, token);
    int first = found >= 0 ? found : -found - 1;
    int all = owners.size();
    return () ->
        (Iterator<EngineNode>)
            IntStream.range(first, first + all).mapToObj(i -> owners.get(i % all)).iterator();
  }

  /** Nodes whose rack names no server and class, with the rack. */
  Map<InetAddressAndPort, String> strangers() {
    return strangers;
  }

  /** The nodes of a class. */
  long nodes(EngineClass engine) {
    return addresses.keySet().stream().filter(node -> node.engine() == engine).count();
  }

  /** The most servers that hold copies of one row. */
  int distinctServers() {
    return replicas.distinctServers();
  }
}
