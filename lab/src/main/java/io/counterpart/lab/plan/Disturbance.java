package io.counterpart.lab.plan;

import java.util.Locale;

/**
 * What goes wrong on nodes during measured blocks: one node's disk is slow, and nodes pause now and
 * then, as in garbage collections. The pauses of a repeat are the same for every arm.
 *
 * @param node number of the slow node, 1 or above; 0 for none
 * @param readsPerSecond most reads of the slow node that reach its disk, 10 to 1,000,000; 0 without
 *     one
 * @param pauseEveryMillis mean time between the ends of a pause and the begin of the next, 100 to
 *     3,600,000; 0 for no pauses
 * @param pauseMillis mean length of a pause, 50 to 1,000: nodes hold one another for dead later
 */
public record Disturbance(int node, int readsPerSecond, int pauseEveryMillis, int pauseMillis) {
  /** Nothing goes wrong. */
  public static final Disturbance NONE = new Disturbance(0, 0, 0, 0);

  private static final int LEAST_READS = 10;
  private static final int MOST_READS = 1_000_000;
  private static final int LEAST_EVERY_MILLIS = 100;
  private static final int MOST_EVERY_MILLIS = 3_600_000;
  private static final int LEAST_PAUSE_MILLIS = 50;
  private static final int MOST_PAUSE_MILLIS = 1_000;

  /** Checks every range. */
  public Disturbance {
    if (node < 0) {
      throw new IllegalArgumentException("node %d: must be 0 or above".formatted(node));
    }
    require("reads per second of the slow node", node, readsPerSecond, LEAST_READS, MOST_READS);
    require(
        "milliseconds between pauses",
        pauseEveryMillis,
        pauseEveryMillis,
        LEAST_EVERY_MILLIS,
        MOST_EVERY_MILLIS);
    require(
        "milliseconds of a pause",
        pauseEveryMillis,
        pauseMillis,
        LEAST_PAUSE_MILLIS,
        MOST_PAUSE_MILLIS);
  }

  /** The same without a slow node. */
  public Disturbance pausesAlone() {
    return new Disturbance(0, 0, pauseEveryMillis, pauseMillis);
  }

  /** Whether a node is slow. */
  public boolean hasSlowNode() {
    return node > 0;
  }

  /** Whether nodes pause. */
  public boolean hasPauses() {
    return pauseEveryMillis > 0;
  }

  /** For people: "node 3: 20 disk reads/s; pauses of about 150 ms, every 5.0 s one node". */
  public String describe() {
    String slow = hasSlowNode() ? "node %d: %d disk reads/s".formatted(node, readsPerSecond) : "";
    String pauses =
        hasPauses()
            ? String.format(
                Locale.ROOT,
                "pauses of about %d ms, every %.1f s one node",
                pauseMillis,
                pauseEveryMillis / 1e3)
            : "";
    return slow.isEmpty() || pauses.isEmpty() ? slow + pauses : slow + "; " + pauses;
  }

  private static void require(String name, int governing, int value, int least, int most) {
    boolean legal = governing == 0 ? value == 0 : value >= least && value <= most;
    if (!legal) {
      throw new IllegalArgumentException(
          "%s %d: must be %s"
              .formatted(name, value, governing == 0 ? "0" : "%d to %d".formatted(least, most)));
    }
  }
}
