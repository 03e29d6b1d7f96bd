package io.counterpart.lab.run;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.Sample;

/**
 * Listens to an experiment in progress. Implementations must be quick, because they run beside the
 * measurement.
 */
public interface RunListener {
  /** Hears nothing. */
  RunListener DEAF = new RunListener() {};

  /** What serves is there; once for each stage on a cluster of its own. */
  default void started(RunOutline outline) {}

  /** The memcached servers of an arm, at the start of its blocks and whenever it is sampled. */
  default void served(ArmServers servers) {}

  /** A moment of a block, on a thread of its own. */
  default void sampled(Sample sample) {}

  /** A block is over. */
  default void measured(BlockResult block) {}

  /** Every value was judged; nothing follows. */
  default void finished(LabResult result) {}
}
