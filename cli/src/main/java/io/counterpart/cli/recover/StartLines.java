package io.counterpart.cli.recover;

import io.counterpart.cli.console.Output;
import io.counterpart.cluster.StartListener;
import java.time.Duration;

/** Lines on standard error about a node's start and readiness. */
record StartLines(Output output) implements StartListener {

  @Override
  public void launched(int nodeIndex, long pid) {
    output.progress("node " + nodeIndex + " starts, pid " + pid);
  }

  @Override
  public void ready(int nodeIndex, Duration sinceLaunch) {
    output.progress(
        "node "
            + nodeIndex
            + " serves after "
            + sinceLaunch.toSeconds()
            + " s; it runs on if this command is stopped");
  }
}
