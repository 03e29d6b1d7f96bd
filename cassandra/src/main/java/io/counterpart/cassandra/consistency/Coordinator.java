package io.counterpart.cassandra.consistency;

import io.counterpart.cassandra.consistency.policy.Policies;
import io.counterpart.cassandra.consistency.sampling.Estimates;
import java.util.Random;
import java.util.function.LongSupplier;

/**
 * What the requests of this coordinator share.
 *
 * @param random draws shadow reads; thread-safe
 */
record Coordinator(
    Policies policies,
    Estimates estimates,
    SessionKeys sessionKeys,
    Tallies tallies,
    LongSupplier nanoClock,
    Random random) {

  /** Counts and memories of requests. */
  record Tallies(
      DecisionCounts counts, PageLevels pages, ShadowTables shadows, UsualTimes usualTimes) {}
}
