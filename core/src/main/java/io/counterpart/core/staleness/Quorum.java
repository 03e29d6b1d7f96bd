package io.counterpart.core.staleness;

/**
 * Numbers of replicas.
 *
 * @param replicas that keep a row, 1 to {@value #MOST}
 * @param reads that a read waits for, 1 to {@code replicas}
 * @param writes that a write waits for, 1 to {@code replicas}
 */
public record Quorum(int replicas, int reads, int writes) {
  /** Replicas at most. */
  public static final int MOST = 100;

  /** Checks. */
  public Quorum {
    require("n", replicas, MOST);
    require("r", reads, replicas);
    require("w", writes, replicas);
  }

  private static void require(String name, int value, int most) {
    if (value < 1 || value > most) {
      throw new IllegalArgumentException("%s is %d, legal: 1 to %d".formatted(name, value, most));
    }
  }
}
