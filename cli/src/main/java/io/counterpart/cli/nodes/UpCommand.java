package io.counterpart.cli.nodes;

import io.counterpart.cli.console.ExitCodes;
import io.counterpart.cli.console.Output;
import io.counterpart.cli.console.PreconditionException;
import io.counterpart.cli.console.ProcessEnd;
import io.counterpart.cluster.Cluster;
import io.counterpart.cluster.Installation;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.ThrowawayHome;
import io.counterpart.cluster.layout.ClusterSpec;
import io.counterpart.cluster.layout.EngineLayout;
import io.counterpart.cluster.server.ServerPackages;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code counterpart up}: starts a cluster that stays. */
@Command(
    name = "up",
    mixinStandardHelpOptions = true,
    description = {
      "Starts a real Cassandra cluster on 127.0.0.1, 127.0.0.2 … and leaves it running.",
      "Starts a stopped cluster again with its data."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all nodes serve CQL",
      "1:a node did not start; the message holds the cause, and nothing is left running, but for"
          + " the other nodes where it was to replace a dead one",
      "2:a bad option; nothing was started",
      "3:a port, memory, disk or a jar is missing, or a cluster already runs; nothing was started"
    })
public final class UpCommand implements Callable<Integer> {

  private static final int DEFAULT_RF = 3;

  @Spec private CommandSpec command;
  @Mixin private HomeOption home;
  @Mixin private ShapeOptions shape;
  @Mixin private Output output;

  @Option(
      names = "--rf",
      paramLabel = "K",
      description =
          "Copies of each row in keyspace app, which is created if absent; in each datacenter at"
              + " most its nodes (default: 3, or all nodes if there are fewer).")
  private @Nullable Integer replicationFactor;

  @Option(names = "--fresh", description = "Delete the data of a stopped cluster and begin anew.")
  private boolean fresh;

  @Option(
      names = "--install",
      description =
          "Install the servers of engines that this machine lacks, Debian's packages; needs root or"
              + " sudo.")
  private boolean install;

  @Override
  public Integer call() throws IOException, InterruptedException {
    ClusterSpec spec = validSpec();
    try (StartLock lock = StartLock.take(home.path())) {
      return up(spec);
    }
  }

  private int up(ClusterSpec spec) throws IOException, InterruptedException {
    Optional<Cluster> recorded = Cluster.recorded(home.path());
    if (recorded.isPresent() && recorded.get().isRunning()) {
      throw new PreconditionException(
          "a cluster already runs under "
              + home.path()
              + "; see: counterpart status (one node of it: counterpart node start N)");
    }
    boolean resume = recorded.isPresent() && !fresh;
    if (resume) {
      requireNoShape();
    }
    if (install) {
      installServers(resume ? recorded.get().spec() : spec);
    }
    // a bench may have left its mark there: it would delete what comes in from now on
    ThrowawayHome.keep(home.path());
    StartProgress progress =
        new StartProgress(output, resume ? recorded.get().members().size() : spec.nodes());
    Cluster cluster = resume ? resumed(progress) : Cluster.start(spec, progress);
    try {
      FirstKeyspace.create(cluster, copies(cluster.spec()));
    } catch (RuntimeException failure) {
      cluster.close();
      throw failure;
    }
    cluster.detach();
    ClusterView view = ClusterView.of(cluster);
    output.result(view.json(), view.text() + System.lineSeparator() + hint(cluster));
    return ExitCodes.OK;
  }

  /** A node that is to replace a dead one starts last; if it fails, the others run on. */
  private Cluster resumed(StartProgress progress) throws IOException, InterruptedException {
    try {
      return Cluster.resume(home.path(), progress).orElseThrow();
    } catch (RuntimeException failure) {
      if (!ProcessEnd.isUnderWay() && Cluster.attach(home.path()).isPresent()) {
        output.progress("the other nodes run on; see: counterpart status");
      }
      throw failure;
    }
  }

  private static void installServers(ClusterSpec spec) throws InterruptedException {
    try {
      ServerPackages.install(spec, Installation.locate().root());
    } catch (IOException e) {
      throw new PreconditionException(String.valueOf(e.getMessage()));
    }
  }

  /** Of a heterogeneous cluster they follow from its tokens, also when it starts again. */
  private int copies(ClusterSpec started) {
    EngineLayout engines = started.layout();
    if (engines != null) {
      return engines.quotas().copies();
    }
    return replicationFactor == null ? DEFAULT_RF : replicationFactor;
  }

  private ClusterSpec validSpec() {
    try {
      if (shape.isHeterogeneous()) {
        requireNone(
            EngineOptions.EXCLUDED, option -> "--engines and " + option + " exclude each other");
      } else if (replicationFactor != null
          && (replicationFactor < 1 || replicationFactor > shape.nodes())) {
        throw new IllegalArgumentException(
            "--rf is " + replicationFactor + ", not in 1.." + shape.nodes() + " (the nodes)");
      }
      return shape.spec(home.path());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), e.getMessage(), e);
    } catch (IllegalStateException e) {
      throw new PreconditionException(String.valueOf(e.getMessage()));
    }
  }

  private void requireNoShape() {
    requireNone(
        ShapeOptions.NAMES,
        option ->
            option
                + " does not apply to the stopped cluster under "
                + home.path()
                + ": add --fresh to delete its data, or start it as it was without this option");
  }

  private void requireNone(List<String> options, UnaryOperator<String> message) {
    for (String option : options) {
      if (command.commandLine().getParseResult().hasMatchedOption(option)) {
        throw new ParameterException(command.commandLine(), message.apply(option));
      }
    }
  }

  private static String hint(Cluster cluster) {
    Node first = cluster.members().get(0);
    return String.join(
        System.lineSeparator(),
        "",
        "connect drivers and cqlsh to "
            + first.address()
            + ":"
            + first.cqlPort()
            + (cluster.spec().layout() == null
                ? ""
                : System.lineSeparator()
                    + "tables on the engines: CREATE TABLE … WITH memtable = 'engine'"),
        "try   ./counterpart cql \"SELECT peer, release_version FROM system.peers\"",
        "      ./counterpart nodetool status",
        "stop  ./counterpart down    (keeps the data; up starts the same cluster again)");
  }
}
