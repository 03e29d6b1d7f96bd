package io.counterpart.cassandra.placement;

import io.counterpart.core.placement.HashOrderedJoin;
import io.counterpart.core.placement.HashOrderedReplication;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.TokenMetadata;

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
    new Move(tokens, joining, copies.keySet()).refuse(metadata, keyspace, "PorStrategy");
    TokenMetadata before = metadata.cloneOnlyTokenMap();
    if (copies.isEmpty() || before.sortedTokens().isEmpty()) {
      return;
    }
    TokenMetadata after = before.cloneOnlyTokenMap();
    after.updateNormalTokens(tokens, joining);
    HashOrderedJoin verdict =
        HashOrderedJoin.judge(
            MetadataRing.of(before, keyspace),
            MetadataRing.of(after, keyspace),
            joining.getHostAddressAndPort(),
            new HashOrderedReplication(copies, Map.of()));
    if (verdict instanceof HashOrderedJoin.Unsafe unsafe) {
      throw new ConfigurationException(message(joining, unsafe));
    }
  }

  /** A check of a node's tokens. */
  interface OfTokens {
    void require(TokenMetadata metadata, Collection<Token> tokens, InetAddressAndPort joining);
  }

  /**
   * Cassandra asks about a node when it begins to join, and so not about a keyspace that is made
   * meanwhile.
   *
   * @throws ConfigurationException naming a node that joins now and would leave others without data
   */
  static void requireOfJoining(TokenMetadata members, OfTokens check) {
    members
        .getBootstrapTokens()
        .inverse()
        .asMap()
        .forEach(
            (node, tokens) -> {
              try {
                check.require(members, tokens, node);
              } catch (ConfigurationException e) {
                throw new ConfigurationException(
                    "%s is joining, legal: wait until it has joined: %s"
                        .formatted(node.getHostAddressAndPort(), e.getMessage()),
                    e);
              }
            });
  }

  /**
   * Tokens for a node.
   *
   * @param datacenters with copies
   */
  record Move(Collection<Token> tokens, InetAddressAndPort node, Set<String> datacenters) {
    /**
     * Refuses other tokens for a member, which would give copies to others. Cassandra asks when it
     * has announced the move.
     */
    void refuse(TokenMetadata metadata, String keyspace, String strategy) {
      // a replacement at its own address has these tokens already
      if (metadata.isMember(node)
          && datacenters.contains(metadata.getTopology().getLocation(node).left)
          && !metadata.getTokens(node).containsAll(tokens)) {
        throw new ConfigurationException(
            ("%s cannot move: keyspace %s is under %s, legal: decommission it, and let it join anew."
                    + " Restart it first: until then the others count it as moving")
                .formatted(node.getHostAddressAndPort(), keyspace, strategy));
      }
    }
  }

  private String message(InetAddressAndPort joining, HashOrderedJoin.Unsafe unsafe) {
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
        + lacking(unsafe.gained())
        + "; legal: "
        + legal;
  }

  /** Names of nodes with the shares of the ring that they would be asked for. */
  static String lacking(Map<String, Double> gained) {
    return gained.entrySet().stream()
        .map(
            gain ->
                String.format(Locale.ROOT, "%s (%.1f %%)", gain.getKey(), 100 * gain.getValue()))
        .sorted()
        .collect(Collectors.joining(", "));
  }
}
