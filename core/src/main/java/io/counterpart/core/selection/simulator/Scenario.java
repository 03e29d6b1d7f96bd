package io.counterpart.core.selection.simulator;

/**
 * A cluster under load.
 *
 * @param nodes n, {@code copies} to 1,000; node i is the primary of arc i
 * @param copies RF, 1 to 10: arc i is on the nodes i to i + RF − 1
 * @param coordinators C, 1 to {@code nodes}: reads arrive at the first C nodes, evenly
 */
public record Scenario(
    int nodes, int copies, int coordinators, Load load, NodeModel node, Trouble trouble) {
  /** Nodes at most. */
  public static final int MOST_NODES = 1_000;

  /** Reads of a simulation at most: about a minute for each rule. */
  public static final double MOST_READS = 20_000_000;

  /** Checks. */
  public Scenario {
    LegalRange.within("copies", copies, 1, 10);
    LegalRange.within("nodes", nodes, copies, MOST_NODES);
    LegalRange.within("coordinators", coordinators, 1, nodes);
    LegalRange.within("rate × seconds", load.ratePerSecond() * load.seconds(), 1, MOST_READS);
    LegalRange.within("slowNodes", trouble.slowNodes(), 0, nodes);
    if (load.clients() != Clients.ANY && coordinators != nodes) {
      throw new IllegalArgumentException(
          "coordinators is %d, legal where clients know the replicas: all nodes, %d"
              .formatted(coordinators, nodes));
    }
  }

  /**
   * Reads.
   *
   * @param keys K, spread evenly over the arcs
   * @param zipf s, the exponent of popularity: the i-th key is read as often as i to the power −s
   * @param ratePerSecond λ, reads of the whole cluster
   * @param seconds measured, after a warm-up of half of that
   * @param clients whom they send a read to
   */
  public record Load(int keys, double zipf, double ratePerSecond, int seconds, Clients clients) {
    /** Checks. */
    public Load {
      LegalRange.within("keys", keys, 1_000, 10_000_000);
      LegalRange.within("zipf", zipf, 0, 2);
      LegalRange.within("rate", ratePerSecond, 1, 1_000_000);
      LegalRange.within("seconds", seconds, 2, 3_600);
    }
  }

  /** Whom clients send a read to. */
  public enum Clients {
    /** Any coordinator, as drivers that know nothing of tokens do. */
    ANY,
    /** Any replica, as drivers do that shuffle replicas. */
    REPLICA,
    /** The primary replica. */
    PRIMARY
  }

  /**
   * A node and its network.
   *
   * @param hitMicros mean time of a read from the cache
   * @param diskMicros mean time that a read from disk adds
   * @param diskReadsPerSecond most reads from disk in a second, in any tenth of one at most a tenth
   *     of them; 0 for no limit
   * @param parallelReads reads that a node serves at once; the others queue
   * @param cachedShare share of a node's copies that its cache holds, of the last rows read
   * @param hopMicros one way between two nodes
   */
  public record NodeModel(
      double hitMicros,
      double diskMicros,
      double diskReadsPerSecond,
      int parallelReads,
      double cachedShare,
      double hopMicros) {
    /** Checks. */
    public NodeModel {
      LegalRange.within("hitMicros", hitMicros, 1, 1e6);
      LegalRange.within("diskMicros", diskMicros, 0, 1e6);
      LegalRange.within("diskReadsPerSecond", diskReadsPerSecond, 0, 1e6);
      LegalRange.within("parallelReads", parallelReads, 1, 1_024);
      LegalRange.within("cachedShare", cachedShare, 0, 1);
      LegalRange.within("hopMicros", hopMicros, 0, 1e6);
    }
  }

  /**
   * What goes wrong.
   *
   * @param slowNodes nodes that are slow while it is measured: the last ones
   * @param slowFactor times that their reads take; where disks have a limit, that their limit is
   *     divided by instead
   * @param pauseEverySeconds mean time between two pauses of a node; 0 for none
   * @param pauseMillis mean length of a pause, in which a node does nothing
   */
  public record Trouble(
      int slowNodes, double slowFactor, double pauseEverySeconds, double pauseMillis) {
    /** Checks. */
    public Trouble {
      LegalRange.within("slowFactor", slowFactor, 1, 10_000);
      LegalRange.within("pauseEverySeconds", pauseEverySeconds, 0, 86_400);
      LegalRange.within("pauseMillis", pauseMillis, 0, 600_000);
    }
  }
}
