package io.counterpart.lab.tier;

/**
 * Requests of one kind of load.
 *
 * @param name of the phase
 * @param writeShare share of requests that write, 0 to 1
 */
public record MixPhase(String name, double writeShare) {
  /** Checks the range. */
  public MixPhase {
    if (!(writeShare >= 0 && writeShare <= 1)) {
      throw new IllegalArgumentException("write share %s: must be 0 to 1".formatted(writeShare));
    }
  }
}
