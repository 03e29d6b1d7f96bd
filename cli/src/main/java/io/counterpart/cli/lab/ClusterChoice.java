package io.counterpart.cli.lab;

import io.counterpart.cluster.Installation;
import io.counterpart.lab.remote.RemoteCluster;
import io.counterpart.lab.setup.ClusterSource;
import io.counterpart.lab.setup.LabCluster;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** Which cluster an experiment runs on. */
final class ClusterChoice {
  private ClusterChoice() {}

  /**
   * One of the lab's own, unless the options name somebody else's.
   *
   * @throws io.counterpart.lab.setup.RunRefusedException if that one cannot be worked on
   */
  static ClusterSource of(
      @Nullable RemoteOptions remote, Installation installation, CommandLine command) {
    return remote == null
        ? new LabCluster(
            installation.root().resolve("target/lab/cluster"),
            installation.serverLib(),
            installation.pluginJar())
        : RemoteCluster.survey(remote.access(command));
  }
}
