package io.counterpart.core.ring.change;

import io.counterpart.core.recovery.TokenRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The tokens of a whole cluster and their owners. The arc of a token ends there, inclusive, and
 * begins at the token before it; the arc of the lowest token wraps around. Immutable.
 */
public final class TokenRing {
  private final List<RingNode> nodes;
  private final List<Long> tokens;
  private final List<RingNode> owners;

  private TokenRing(List<RingNode> nodes, NavigableMap<Long, RingNode> byToken) {
    this.nodes = nodes;
    tokens = List.copyOf(byToken.keySet());
    owners = List.copyOf(byToken.values());
  }

  /**
   * A ring of nodes.
   *
   * @throws IllegalArgumentException if there is none, a name appears twice or two share a token
   */
  public static TokenRing of(Collection<RingNode> nodes) {
    if (nodes.isEmpty()) {
      throw new IllegalArgumentException("the ring has 0 nodes, legal: at least 1");
    }
    NavigableMap<Long, RingNode> byToken = new TreeMap<>();
    Map<String, RingNode> byName = new TreeMap<>();
    for (RingNode node : nodes) {
      if (byName.put(node.name(), node) != null) {
        throw new IllegalArgumentException("node " + node.name() + " is in the ring twice");
      }
      for (Long token : node.tokens()) {
        RingNode other = byToken.put(token, node);
        if (other != null) {
          throw new IllegalArgumentException(
              "token %d belongs to %s and to %s".formatted(token, other.name(), node.name()));
        }
      }
    }
    return new TokenRing(List.copyOf(nodes), byToken);
  }

  /** The ring with one node more. */
  public TokenRing with(RingNode node) {
    List<RingNode> more = new ArrayList<>(nodes);
    more.add(node);
    return of(more);
  }

  /**
   * The ring with one node less.
   *
   * @throws IllegalArgumentException if there is no such node, or no other
   */
  public TokenRing without(String name) {
    List<RingNode> fewer = nodes.stream().filter(node -> !node.name().equals(name)).toList();
    if (fewer.size() == nodes.size()) {
      throw new IllegalArgumentException("node " + name + " is not in the ring");
    }
    return of(fewer);
  }

  public List<RingNode> nodes() {
    return nodes;
  }

  /** Nodes of one datacenter. */
  public List<RingNode> nodes(String datacenter) {
    return nodes.stream().filter(node -> node.datacenter().equals(datacenter)).toList();
  }

  /** Names of the datacenters, sorted. */
  public Set<String> datacenters() {
    Set<String> names = new TreeSet<>();
    nodes.forEach(node -> names.add(node.datacenter()));
    return names;
  }

  /** All tokens, ascending: where the arcs end. */
  public List<Long> tokens() {
    return tokens;
  }

  /** The arc that ends at the token with an index. */
  public TokenRange arc(int index) {
    return new TokenRange(
        tokens.get(index == 0 ? tokens.size() - 1 : index - 1), tokens.get(index));
  }

  /** Index of the token where the arc of any token ends. */
  public int arcOf(long token) {
    int found = Collections.binarySearch(tokens, token);
    return (found >= 0 ? found : -found - 1) % tokens.size();
  }

  /** Owner of the token with an index, counted on around the ring. */
  public RingNode owner(int index) {
    return owners.get(index % owners.size());
  }
}
