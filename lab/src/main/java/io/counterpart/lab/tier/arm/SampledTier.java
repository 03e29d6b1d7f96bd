package io.counterpart.lab.tier.arm;

import io.counterpart.lab.run.ArmServers;
import java.io.IOException;
import java.util.Map;

/** A tier that can be read while it works. Reading is thread-safe. */
public interface SampledTier {
  /** The arm's name. */
  String name();

  /**
   * Its present state. Asks no server, so that the bytes between it and the proxy stay what they
   * are.
   *
   * @throws IOException if the tier does not answer
   */
  Reading read() throws IOException;

  /**
   * The state of a tier.
   *
   * @param counted since its start, by the names of {@link ShardCounters}
   * @param states by the names of {@link io.counterpart.lab.result.SampledMeasure}
   * @param servers of the arm
   */
  record Reading(Map<String, Long> counted, Map<String, Double> states, ArmServers servers) {
    long counted(String name) {
      return counted.getOrDefault(name, 0L);
    }
  }
}
