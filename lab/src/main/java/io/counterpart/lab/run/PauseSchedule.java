package io.counterpart.lab.run;

import io.counterpart.lab.plan.Disturbance;
import java.util.Random;

/**
 * Pauses one after another, always the same for a seed: any node, after a gap and for a time of
 * half to one and a half times the means. Used by one thread.
 */
final class PauseSchedule {
  private final Disturbance disturbance;
  private final int nodes;
  private final Random random;

  /**
   * @param nodes how many may pause, at least 1
   */
  PauseSchedule(Disturbance disturbance, int nodes, long seed) {
    this.disturbance = disturbance;
    this.nodes = nodes;
    random = new Random(seed);
  }

  /**
   * One pause.
   *
   * @param node 0 to the number of nodes − 1
   * @param afterMillis time since the end of the pause before
   * @param millis its length
   */
  record Pause(int node, long afterMillis, long millis) {}

  Pause next() {
    return new Pause(
        random.nextInt(nodes),
        around(disturbance.pauseEveryMillis()),
        around(disturbance.pauseMillis()));
  }

  private long around(int mean) {
    return mean / 2 + random.nextInt(mean + 1);
  }
}
