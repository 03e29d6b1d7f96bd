package io.counterpart.cluster.layout;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Tokens of consistent hashing: drawn alike from the whole ring, node by node. All clusters of the
 * same nodes and tokens have the same ones, so that measurements can be repeated.
 */
final class RandomTokens {
  /** Its ring of five nodes with 16 tokens each is a usual one: {@code RandomTokensTest}. */
  private static final long SEED = 5;

  private RandomTokens() {}

  /** The tokens of every node, node 1 first. */
  static List<List<Long>> of(ClusterSpec spec) {
    return of(spec.nodes(), spec.tokensPerNode(), SEED);
  }

  static List<List<Long>> of(int nodes, int tokensPerNode, long seed) {
    Random random = new Random(seed);
    List<List<Long>> tokens = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      // the least long is no token
      tokens.add(
          random.longs(Long.MIN_VALUE + 1, Long.MAX_VALUE).limit(tokensPerNode).boxed().toList());
    }
    return List.copyOf(tokens);
  }
}
