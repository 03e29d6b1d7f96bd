package io.counterpart.cli.lab;

import io.counterpart.cluster.Installation;
import io.counterpart.lab.plan.LabPlan;
import io.counterpart.lab.remote.RemoteCluster;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.run.Lab;
import io.counterpart.lab.setup.ClusterSource;
import io.counterpart.lab.setup.EngineJars;
import io.counterpart.lab.setup.LabCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** A run on a cluster: the part that all commands with one share. */
final class ClusterRun {
  /** Exit code 1 of such a command, for its help. */
  static final String BROKEN_OFF =
      "1:values lost, wrong or unreadable, or the run broke off; what was measured is kept";

  /** Exit code 3. */
  static final String REFUSED =
      "3:a port in use, too little memory or disk, a cluster that does not answer or that cannot be"
          + " worked on: nothing was started or touched";

  /** Exit code 130. */
  static final String INTERRUPTED =
      "130:stopped by Ctrl-C; no process is left, nor a keyspace of the run; what was measured is"
          + " kept";

  private final Installation installation;
  private final ClusterSource cluster;
  private final RecordedRun record;

  private ClusterRun(Installation installation, ClusterSource cluster, RecordedRun record) {
    this.installation = installation;
    this.cluster = cluster;
    this.record = record;
  }

  /**
   * Looks at places and at the cluster: one of the lab's own, unless the options name somebody
   * else's. Touches nothing.
   *
   * @param name of the directory, unless the options have one
   * @throws CommandLine.ParameterException if a place cannot be written
   * @throws io.counterpart.lab.setup.RunRefusedException if somebody else's cluster cannot be
   *     worked on
   */
  static ClusterRun prepare(
      String name, KeepOptions keep, @Nullable RemoteOptions remote, CommandLine console) {
    keep.check();
    Installation installation = Installation.locate();
    Path lab = LabDirectory.of(installation);
    ClusterSource cluster =
        remote == null
            ? new LabCluster(
                    lab.resolve("cluster"), installation.serverLib(), installation.pluginJar())
                .with(EngineJars.of(installation))
            : RemoteCluster.survey(remote.access(console));
    return new ClusterRun(
        installation, cluster, new RecordedRun(keep.directory(lab.resolve(name)), keep.bundle()));
  }

  /** Runs, keeps the result and prints it. */
  LabResult run(LabPlan plan, LiveOptions live, CommandLine console)
      throws IOException, InterruptedException, TimeoutException {
    return record.run(
        (progress, listener) -> new Lab(plan, cluster, progress, listener), live, console);
  }

  /** What is installed here. */
  Installation installation() {
    return installation;
  }

  /** Where the result is kept. */
  Path directory() {
    return record.directory();
  }
}
