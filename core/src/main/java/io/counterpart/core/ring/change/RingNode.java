package io.counterpart.core.ring.change;

import java.util.List;

/**
 * A node with its place in the ring.
 *
 * @param name its address
 * @param tokens at least one
 */
public record RingNode(String name, String datacenter, String rack, List<Long> tokens) {
  /** Checks and copies. */
  public RingNode {
    tokens = List.copyOf(tokens);
    if (tokens.isEmpty()) {
      throw new IllegalArgumentException("node " + name + " has no token, legal: at least 1");
    }
  }
}
