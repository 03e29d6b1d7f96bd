package io.counterpart.cli.node;

import io.counterpart.cli.console.ExitCodes;
import io.counterpart.cli.console.Output;
import io.counterpart.cli.console.PreconditionException;
import io.counterpart.cli.nodes.StartLock;
import io.counterpart.cli.nodes.StartProgress;
import io.counterpart.cluster.Cluster;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.NodeState;
import io.counterpart.cluster.Preflight;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code counterpart node}: one node of a local cluster, taken away and brought back. */
@Command(
    name = "node",
    mixinStandardHelpOptions = true,
    description = {
      "Takes one node of the local cluster away, and brings it back.",
      "Each command returns when its effect is there; status shows RUNNING nodes by their mode,"
          + " others as PAUSED, STOPPED (asked to end) or DOWN (killed, or ended unasked)."
    },
    exitCodeListHeading = "%nExit codes of each:%n",
    exitCodeList = {
      "0:the node is as it was asked to be",
      "1:tried, and failed: the node is not as it was asked to be",
      "2:no such node; nothing was done",
      "3:no cluster, or the node is in another state than the command needs, or a port, memory or"
          + " disk is missing; nothing was done",
      "130:interrupted; a node that was starting is gone, the others are as they were"
    })
public final class NodeCommand {

  /** SIGKILL. */
  @Command(
      name = "kill",
      mixinStandardHelpOptions = true,
      description = "Kills a node as a crash does (SIGKILL); returns when its process is gone.")
  int kill(@Mixin OneNode target, @Mixin Output output) {
    Node node = target.alive();
    node.kill();
    return done(node, output, "is killed");
  }

  /** SIGTERM. */
  @Command(
      name = "stop",
      mixinStandardHelpOptions = true,
      description = {
        "Stops a node cleanly: it drains itself (SIGTERM) and its process ends, within a minute or"
            + " by SIGKILL.",
        "A paused node is resumed for that."
      })
  int stop(@Mixin OneNode target, @Mixin Output output) {
    Node node = target.alive();
    node.stop();
    return done(node, output, "is stopped");
  }

  /** SIGSTOP. */
  @Command(
      name = "pause",
      mixinStandardHelpOptions = true,
      description = {
        "Has a node stand still, as a machine that hangs (SIGSTOP): it keeps memory and ports and"
            + " answers nobody.",
        "Returns when none of its threads runs; the other nodes miss it some ten seconds later."
      })
  int pause(@Mixin OneNode target, @Mixin Output output) {
    Node node = target.alive();
    if (node.state() == NodeState.PAUSED) {
      throw new PreconditionException(node + " is paused already");
    }
    node.pause();
    return done(node, output, "stands still");
  }

  /** SIGCONT. */
  @Command(
      name = "resume",
      mixinStandardHelpOptions = true,
      description =
          "Lets a paused node go on; returns when it and the others that run see one another.")
  int resume(@Mixin OneNode target, @Mixin Output output) {
    Node node = target.alive();
    if (node.state() != NodeState.PAUSED) {
      throw new PreconditionException(node + " is not paused: it runs");
    }
    node.resume();
    return done(node, output, "goes on, and the ring sees it");
  }

  /** A process for a dead node. */
  @Command(
      name = "start",
      mixinStandardHelpOptions = true,
      description = {
        "Starts a killed or stopped node on its data; returns when it is in the ring, serves CQL and"
            + " agrees with the other nodes that run.",
        "What it missed meanwhile comes by hints and repair, as always: counterpart recover N."
      })
  int start(@Mixin OneNode target, @Mixin Output output) throws IOException {
    try (StartLock lock = StartLock.take(target.of(target.cluster()))) {
      // read again: another command may just have started it
      Cluster cluster = target.cluster();
      Node node = target.of(cluster);
      if (cluster.isReplaced(node)) {
        throw new PreconditionException(node + " was replaced: another node has its tokens");
      }
      switch (node.state()) {
        case RUNNING -> throw new PreconditionException(node + " runs already, pid " + node.pid());
        case PAUSED ->
            throw new PreconditionException(
                node + " is paused; let it go on with: counterpart node resume " + node.index());
        case STOPPED, DEAD -> Preflight.requireNode(cluster, node);
      }
      node.start(new StartProgress(output, 1));
      return done(node, output, "serves, and the ring sees it");
    }
  }

  private static int done(Node node, Output output, String effect) {
    boolean alive = node.isAlive();
    output.result(
        Map.of(
            "node", node.index(),
            "address", node.address(),
            "state", node.state().name().toLowerCase(Locale.ROOT),
            "pid", alive ? node.pid() : 0),
        node + " " + effect);
    return ExitCodes.OK;
  }
}
