package io.counterpart.cli.nodes;

import io.counterpart.cli.console.ExitCodes;
import io.counterpart.cli.console.Output;
import io.counterpart.cluster.Cluster;
import io.counterpart.cluster.Node;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code counterpart down}: stops the cluster. */
@Command(
    name = "down",
    mixinStandardHelpOptions = true,
    description =
        "Stops every node of the cluster, also after the process that started them was killed."
            + " Its data stays for the next up.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:nothing runs any more", "1:a process could not be stopped"})
public final class DownCommand implements Callable<Integer> {

  @Mixin private HomeOption home;
  @Mixin private Output output;

  @Option(names = "--purge", description = "Also delete the data and logs.")
  private boolean purge;

  @Override
  public Integer call() {
    Optional<Cluster> recorded = Cluster.recorded(home.path());
    List<Integer> stopped =
        recorded.stream()
            .flatMap(cluster -> cluster.nodes().stream())
            .filter(Node::isAlive)
            .map(Node::index)
            .toList();
    if (!stopped.isEmpty()) {
      output.progress("stopping " + stopped.size() + " nodes");
    }
    recorded.ifPresent(purge ? Cluster::purge : Cluster::close);
    output.result(
        Map.of("stopped", stopped, "purged", purge && recorded.isPresent()),
        stopped.isEmpty()
            ? "nothing runs under " + home.path()
            : "stopped " + stopped.size() + " nodes");
    return ExitCodes.OK;
  }
}
