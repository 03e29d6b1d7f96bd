package io.counterpart.lab.run;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.Sample;

/**
 * Hears how an experiment goes while it runs. What it does with it must be quick: it bears on what
 * is measured.
 */
public interface RunListener {
  /** Hears nothing. */
  RunListener DEAF = new RunListener() {};

  /** The cluster serves and the tables exist. */
  default void started(Experiment experiment) {}

  /** A moment of a block, on a thread of its own. */
  default void sampled(Sample sample) {}

  /** A block is over. */
  default void measured(BlockResult block) {}
}
