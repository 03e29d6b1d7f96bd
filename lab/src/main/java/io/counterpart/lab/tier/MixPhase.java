package io.counterpart.lab.tier;

/**
 * Requests of one kind of load.
 *
 * @param name of the phase
 * @param writeShare share of requests that write, 0 to 1
 * @param requests of each block at least, 1 and above
 */
public record MixPhase(String name, double writeShare, int requests) {
  /** Checks the ranges. */
  public MixPhase {
    if (requests < 1) {
      throw new IllegalArgumentException("requests %d: must be at least 1".formatted(requests));
    }
    if (!(writeShare >= 0 && writeShare <= 1)) {
      throw new IllegalArgumentException("write share %s: must be 0 to 1".formatted(writeShare));
    }
  }
}
