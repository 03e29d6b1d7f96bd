package io.counterpart.lab.run;

import io.counterpart.lab.result.LabResult;
import java.io.IOException;
import java.util.concurrent.TimeoutException;

/** A run of an experiment, on Cassandra or on the memory tier. */
public interface LabRun {
  /**
   * Runs everything, once; nothing that it started is left.
   *
   * @throws TimeoutException if what was started does not come to rest
   */
  LabResult run() throws IOException, InterruptedException, TimeoutException;

  /** What there is of a run that is not at its end; may be asked on any thread. */
  LabResult brokenOff(String reason);
}
