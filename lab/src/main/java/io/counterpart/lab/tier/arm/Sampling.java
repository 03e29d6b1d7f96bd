package io.counterpart.lab.tier.arm;

import io.counterpart.lab.result.Sample;
import io.counterpart.lab.run.ArmServers;
import io.counterpart.lab.tier.client.ClientWatch;
import java.io.IOException;
import java.util.function.Consumer;

/**
 * Where the samples of a run go.
 *
 * @param startNanos {@link System#nanoTime()} of the run's start
 * @param onSample called on a sampler's thread, and on that of the block at its end
 * @param onServers likewise
 */
public record Sampling(long startNanos, Consumer<Sample> onSample, Consumer<ArmServers> onServers) {
  private static final double NANOS = 1e9;

  /** Goes nowhere. */
  public static Sampling none() {
    return new Sampling(0, sample -> {}, servers -> {});
  }

  /** The work whose throughput a block measures. */
  public enum Work {
    /** Answers to clients. */
    ANSWERS,
    /** Objects that a change of servers moves. */
    MOVED,
    /** Objects and parity items that repair restores. */
    RESTORED
  }

  /**
   * Begins to sample a block.
   *
   * @param client whose answers count
   * @throws IOException if the tier does not answer
   */
  public TierSampler begin(SampledTier tier, String phase, ClientWatch client, Work work)
      throws IOException {
    return TierSampler.begin(this, tier, phase, client, work);
  }

  /** Seconds from the run's start to a moment of {@link System#nanoTime()}. */
  public double second(long nanos) {
    return (nanos - startNanos) / NANOS;
  }
}
