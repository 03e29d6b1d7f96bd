package io.counterpart.cassandra.consistency;

import io.counterpart.cassandra.consistency.policy.Policies;
import io.counterpart.cassandra.consistency.sampling.Estimates;
import io.counterpart.cassandra.consistency.sampling.ReplicaSets;
import io.counterpart.core.staleness.estimate.Absences;
import java.util.Random;
import java.util.function.LongSupplier;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * What the requests of this coordinator share.
 *
 * @param random draws shadow reads; thread-safe
 */
record Coordinator(
    Policies policies,
    Estimates estimates,
    ReplicaSets replicaSets,
    SessionKeys sessionKeys,
    Tallies tallies,
    Absences<InetAddressAndPort> absences,
    LongSupplier nanoClock,
    Random random) {

  /** Counts and memories of requests. */
  record Tallies(
      DecisionCounts counts,
      PageLevels pages,
      ShadowTables shadows,
      UsualTimes usualTimes,
      KeptDecisions decisions,
      RepairCounts repairs) {
    /** Of a node that starts. */
    static Tallies none() {
      return new Tallies(
          new DecisionCounts(),
          new PageLevels(),
          new ShadowTables(),
          new UsualTimes(),
          new KeptDecisions(),
          new RepairCounts());
    }
  }
}
