package io.counterpart.lab.run;

import io.counterpart.lab.plan.Experiment;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.RingSummary;
import io.counterpart.lab.result.Sample;

/**
 * Listens to an experiment in progress. Implementations must be quick, because they run beside the
 * measurement.
 */
public interface RunListener {
  /** Hears nothing. */
  RunListener DEAF = new RunListener() {};

  /**
   * The cluster serves and the tables exist.
   *
   * @param ring of every table: all are replicated alike
   */
  default void started(Experiment experiment, RingSummary ring) {}

  /** A moment of a block, on a thread of its own. */
  default void sampled(Sample sample) {}

  /** A block is over. */
  default void measured(BlockResult block) {}

  /** Every row was judged; nothing follows. */
  default void finished(LabResult result) {}
}
