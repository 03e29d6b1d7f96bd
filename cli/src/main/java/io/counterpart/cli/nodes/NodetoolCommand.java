package io.counterpart.cli.nodes;

import io.counterpart.cli.console.PreconditionException;
import io.counterpart.cluster.Cluster;
import io.counterpart.cluster.Node;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code counterpart nodetool}: Cassandra's own NodeTool against one node. */
@Command(
    name = "nodetool",
    mixinStandardHelpOptions = true,
    description = {
      "Runs Cassandra's own NodeTool against a node of the running cluster.",
      "Options of this command come first; all that follows the first word goes to NodeTool.",
      "Example: counterpart nodetool --node 2 compactionstats -H"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1, 2:as NodeTool ended",
      "3:no cluster runs, or that node is dead or paused"
    })
public final class NodetoolCommand implements Callable<Integer> {

  @Spec private CommandSpec command;

  @Mixin private HomeOption home;

  @Option(
      names = "--node",
      paramLabel = "N",
      defaultValue = "1",
      description = "Index of the node (default: 1).")
  private int index;

  @Option(names = "--json", description = "Ask NodeTool for JSON where it has it (adds -F json).")
  private boolean json;

  @Parameters(
      paramLabel = "ARG",
      arity = "1..*",
      description = "NodeTool's command and its arguments.")
  private List<String> arguments = new ArrayList<>();

  @Override
  public Integer call() throws IOException, InterruptedException {
    Node node = node(home.running());
    List<String> all = new ArrayList<>(arguments);
    if (json) {
      all.addAll(List.of("-F", "json"));
    }
    return node.nodetoolProcess(all).inheritIO().start().waitFor();
  }

  private Node node(Cluster cluster) {
    Node node;
    try {
      node = cluster.node(index);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), e.getMessage(), e);
    }
    if (!node.isRunning()) {
      throw new PreconditionException(node + (node.isAlive() ? " is paused" : " does not run"));
    }
    return node;
  }
}
