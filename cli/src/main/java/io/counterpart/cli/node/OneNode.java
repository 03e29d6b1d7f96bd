package io.counterpart.cli.node;

import io.counterpart.cli.console.PreconditionException;
import io.counterpart.cli.nodes.HomeOption;
import io.counterpart.cluster.Cluster;
import io.counterpart.cluster.Node;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The options that name a node of a local cluster; mixed into the commands of {@link NodeCommand}.
 */
final class OneNode {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Mixin private HomeOption home;

  @Parameters(paramLabel = "N", description = "Index of the node, 1 or more: see status.")
  private int index;

  /**
   * The cluster that holds it, running or not.
   *
   * @throws PreconditionException if none is recorded
   */
  Cluster cluster() {
    return Cluster.recorded(home.path())
        .orElseThrow(
            () ->
                new PreconditionException(
                    "no cluster under " + home.path() + "; start one with: counterpart up"));
  }

  /**
   * The node.
   *
   * @throws ParameterException with the legal range if there is no such node
   */
  Node of(Cluster cluster) {
    try {
      return cluster.node(index);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * The node, which must have a process.
   *
   * @throws PreconditionException if it has none
   */
  Node alive() {
    Node node = of(cluster());
    if (!node.isAlive()) {
      throw new PreconditionException(
          node + " does not run; start it with: counterpart node start " + index);
    }
    return node;
  }
}
