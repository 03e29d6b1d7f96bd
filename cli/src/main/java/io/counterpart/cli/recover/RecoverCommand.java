package io.counterpart.cli.recover;

import io.counterpart.cli.console.ExitCodes;
import io.counterpart.cli.console.Output;
import io.counterpart.cli.console.PreconditionException;
import io.counterpart.cli.nodes.HomeOption;
import io.counterpart.cli.nodes.JmxAddress;
import io.counterpart.cli.nodes.StartLock;
import io.counterpart.cluster.Cluster;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.NodeState;
import io.counterpart.cluster.Preflight;
import io.counterpart.cluster.jmx.JmxEndpoint;
import io.counterpart.cluster.jmx.NodeJmx;
import io.counterpart.core.recovery.RecoveryMode;
import io.counterpart.core.recovery.RecoveryPolicy;
import io.counterpart.recovery.Recovery;
import io.counterpart.recovery.RecoveryRefusedException;
import io.counterpart.recovery.RecoveryResult;
import io.counterpart.recovery.RecoverySettings;
import io.counterpart.recovery.Replacement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code counterpart recover}: DEPART §4.5 as a command. */
@Command(
    name = "recover",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Restores what a node misses, primary and redundant copies side by side, and compares all"
          + " replicas of its ranges at the end.",
      "An empty node is rebuilt, one with data is repaired, a dead one can be replaced."
          + " Ctrl-C stops cleanly; the same command resumes."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:restored, and all replicas agree (with --dry-run: this could be done)",
      "1:Cassandra gave up, or the replicas differ or could not be compared at the end",
      "2:unknown node or option, illegal value; nothing was tried",
      "3:no such cluster, the node does not run or serve, unknown keyspace, nothing to recover"
          + " from, a replica down that is needed; nothing was touched",
      "130:stopped by Ctrl-C; the same command goes on"
    })
public final class RecoverCommand implements Callable<Integer> {
  private static final Duration JMX_LIMIT = Duration.ofSeconds(10);

  @Spec private CommandSpec command;
  @Mixin private HomeOption home;
  @Mixin private Output output;

  @Parameters(
      paramLabel = "NODE",
      arity = "0..1",
      description = "Index of a node of the local cluster, unless --jmx names one.")
  private @Nullable Integer index;

  @Option(
      names = "--jmx",
      paramLabel = "HOST:PORT",
      description = "A node of any Cassandra cluster, by its JMX address (no authentication).")
  private @Nullable String jmx;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      description =
          "auto, rebuild, repair or replace (default: auto). replace is for a dead node that will"
              + " not come back, and for the local cluster only.")
  private @Nullable RecoveryMode mode;

  @Option(
      names = "--paper",
      description =
          "The paper's way: compare Merkle trees even if the node is empty, with a repair session"
              + " for primary and one for redundant ranges at once. The same as --mode repair.")
  private boolean paper;

  @Option(
      names = "--keyspace",
      paramLabel = "NAME",
      description = "Repeatable (default: every keyspace that is not Cassandra's own).")
  private List<String> keyspaces = new ArrayList<>();

  @Option(
      names = "--steps",
      paramLabel = "N",
      description =
          "Parts that a keyspace is restored in, 1 to 256 (default: one for each GiB that other"
              + " nodes hold, 64 at most). An interruption loses a part; fewer parts let more"
              + " sstables stream whole.")
  private @Nullable Integer steps;

  @Option(names = "--start", description = "Start the node first if it does not run.")
  private boolean start;

  @Option(names = "--dry-run", description = "Say what would be done and why; touch nothing.")
  private boolean dryRun;

  @Override
  public Integer call() throws InterruptedException {
    RecoveryPolicy policy = policy();
    requireOneNode();
    try {
      return jmx == null ? local(policy) : remote(policy, address(jmx));
    } catch (RecoveryRefusedException e) {
      throw new PreconditionException(String.valueOf(e.getMessage()));
    }
  }

  private RecoveryPolicy policy() {
    if (paper && mode != null && mode != RecoveryMode.REPAIR) {
      throw usage("--paper repairs; it excludes --mode " + lowerCase(mode), null);
    }
    try {
      RecoveryMode asked = mode == null ? RecoveryMode.AUTO : mode;
      return new RecoveryPolicy(
          paper ? RecoveryMode.REPAIR : asked,
          steps == null ? OptionalInt.empty() : OptionalInt.of(steps));
    } catch (IllegalArgumentException e) {
      throw usage("--" + e.getMessage(), e);
    }
  }

  private void requireOneNode() {
    if ((index == null) == (jmx == null)) {
      throw usage("name one node: either NODE or --jmx HOST:PORT", null);
    }
    if (jmx != null && (start || mode == RecoveryMode.REPLACE)) {
      throw usage(
          "--start and --mode replace start processes, so they are for the local cluster; with"
              + " --jmx start the node yourself (a replacement with"
              + " -Dcassandra.replace_address_first_boot), then recover it",
          null);
    }
  }

  private JmxAddress address(String text) {
    try {
      return JmxAddress.parse("--jmx", text, JmxAddress.USUAL_PORT);
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()), e);
    }
  }

  private int remote(RecoveryPolicy policy, JmxAddress address) throws InterruptedException {
    try (NodeJmx connection =
        new JmxEndpoint(address.host(), address.port(), null).connect(JMX_LIMIT)) {
      return recover(connection, policy, address.toString().replaceAll("[^A-Za-z0-9.-]", "_"));
    } catch (IOException | SecurityException e) {
      throw new PreconditionException(
          "no JMX connection to " + address + ": " + firstLine(e.getMessage()));
    }
  }

  private int local(RecoveryPolicy policy) throws InterruptedException {
    Cluster cluster = home.running();
    Node node = node(cluster);
    if (policy.mode() == RecoveryMode.REPLACE) {
      Replacement.require(cluster, node);
      if (dryRun) {
        output.result(
            Map.of("dryRun", true, "way", RecoveryMode.REPLACE, "node", node.address()),
            "would start a new node in place of " + node + " and compare all replicas");
        return ExitCodes.OK;
      }
      output.progress("a new node takes the place of " + node + " and streams its ranges");
      node = replaced(node);
    } else if (!node.isAlive()) {
      node = started(node);
    }
    try (NodeJmx connection = connection(node)) {
      return recover(connection, policy, "node" + node.index());
    }
  }

  /** What another command may just have done is looked at again, as none else does it now. */
  private Node replaced(Node dead) {
    try (StartLock lock = StartLock.take(dead)) {
      Cluster cluster = home.running();
      return Replacement.replace(cluster, node(cluster), new StartLines(output));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot lock " + dead, e);
    }
  }

  /** Likewise. */
  private Node started(Node dead) {
    if (!start || dryRun) {
      throw new PreconditionException(
          dead
              + " does not run; add --start to start it first, or --mode replace if it will not"
              + " come back");
    }
    try (StartLock lock = StartLock.take(dead)) {
      Cluster cluster = home.running();
      Node node = node(cluster);
      if (cluster.isReplaced(node)) {
        throw new PreconditionException(node + " was replaced: another node has its tokens");
      }
      if (!node.isAlive()) {
        Preflight.requireNode(cluster, node);
        node.start(new StartLines(output));
      }
      return node;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot lock " + dead, e);
    }
  }

  private static NodeJmx connection(Node node) {
    if (node.state() == NodeState.PAUSED) {
      throw new PreconditionException(
          node + " is paused; let it go on with: counterpart node resume " + node.index());
    }
    try {
      return node.jmx();
    } catch (UncheckedIOException e) {
      throw new PreconditionException(node + " does not serve: " + e.getMessage());
    }
  }

  private Node node(Cluster cluster) {
    try {
      return cluster.node(index == null ? 0 : index);
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()), e);
    }
  }

  private int recover(NodeJmx connection, RecoveryPolicy policy, String stateName)
      throws InterruptedException {
    Path stateFile = home.path().resolve("recovery").resolve(stateName + ".json");
    Recovery recovery =
        new Recovery(connection, new RecoverySettings(keyspaces, policy, stateFile));
    if (dryRun) {
      var plan = recovery.plan();
      output.result(RecoverView.json(plan), RecoverView.text(plan));
      return ExitCodes.OK;
    }
    RecoveryResult result;
    try (CtrlC ctrlC = CtrlC.stops(recovery)) {
      result = recovery.run(new RecoverProgress(output));
    }
    output.result(RecoverView.json(result), RecoverView.text(result));
    return result.inSync() ? ExitCodes.OK : ExitCodes.FAILURE;
  }

  private static String lowerCase(RecoveryMode mode) {
    return mode.name().toLowerCase(Locale.ROOT);
  }

  private static String firstLine(@Nullable String message) {
    return String.valueOf(message).lines().findFirst().orElse("");
  }

  private ParameterException usage(String message, @Nullable Throwable cause) {
    return new ParameterException(command.commandLine(), message, cause);
  }
}
