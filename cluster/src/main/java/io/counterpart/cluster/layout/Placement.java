package io.counterpart.cluster.layout;

import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** Where the tokens of a fresh cluster lie. */
public enum Placement {
  /** At equal distances, nodes in the order of their numbers, racks in turn: equal shares. */
  EVEN {
    @Override
    List<List<Long>> tokens(ClusterSpec spec) {
      return TokenPlan.plan(spec.locations(), spec.tokensPerNode());
    }
  },
  /**
   * At equal distances, nodes in the order of their addresses' hashes (PoR-T), racks in turn: equal
   * shares.
   */
  POR {
    @Override
    List<List<Long>> tokens(ClusterSpec spec) {
      return OrderedTokens.of(spec);
    }
  },
  /**
   * At random, as nodes without {@code initial_token} draw them: uneven shares, always the same.
   */
  RANDOM {
    @Override
    List<List<Long>> tokens(ClusterSpec spec) {
      return RandomTokens.of(spec);
    }
  },
  /** Of a heterogeneous cluster: by engine class, so that each row has copies of every class. */
  ENGINES {
    @Override
    List<List<Long>> tokens(ClusterSpec spec) {
      EngineLayout engines = Objects.requireNonNull(spec.layout());
      return engines.tokens(spec.nodes(), spec.tokensPerNode());
    }
  };

  /** Those that any cluster may have, as they are written on the command line. */
  public static final List<Placement> ANY = List.of(EVEN, POR, RANDOM);

  /** The tokens of every node, node 1 first. */
  abstract List<List<Long>> tokens(ClusterSpec spec);

  /** As it is written on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
