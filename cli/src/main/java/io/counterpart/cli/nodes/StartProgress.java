package io.counterpart.cli.nodes;

import io.counterpart.cli.console.Output;
import io.counterpart.cluster.StartListener;
import java.time.Duration;
import java.util.Locale;

/** The progress of a start, on standard error. */
public final class StartProgress implements StartListener {

  private final Output output;
  private final int nodes;
  private int ready;

  /**
   * @param nodes how many start
   */
  public StartProgress(Output output, int nodes) {
    this.output = output;
    this.nodes = nodes;
  }

  @Override
  public void launched(int nodeIndex, long pid) {
    output.progress("node " + nodeIndex + " starts, pid " + pid);
  }

  @Override
  public void ready(int nodeIndex, Duration sinceLaunch) {
    ready++;
    output.progress(
        String.format(
            Locale.ROOT,
            "node %d serves CQL after %.1f s (%d of %d)",
            nodeIndex,
            sinceLaunch.toMillis() / 1000.0,
            ready,
            nodes));
  }
}
