package io.counterpart.cli.nodes;

import io.counterpart.cli.console.PreconditionException;
import io.counterpart.cluster.Cluster;
import io.counterpart.cluster.Installation;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that selects a cluster of this machine. */
public final class HomeOption {

  @Option(
      names = "--home",
      paramLabel = "DIR",
      description = "Directory of the cluster (default: .counterpart/cluster in the checkout).")
  private @Nullable Path home;

  public Path path() {
    return home != null
        ? home.toAbsolutePath().normalize()
        : Installation.locate().defaultClusterHome();
  }

  /**
   * The cluster, which must be running.
   *
   * @throws PreconditionException if no cluster runs there
   */
  public Cluster running() {
    return Cluster.attach(path())
        .orElseThrow(
            () ->
                new PreconditionException(
                    "no cluster runs under " + path() + "; start one with: counterpart up"));
  }
}
