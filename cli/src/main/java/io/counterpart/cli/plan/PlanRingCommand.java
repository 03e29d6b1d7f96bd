package io.counterpart.cli.plan;

import io.counterpart.cli.console.ExitCodes;
import io.counterpart.cli.console.Output;
import io.counterpart.cli.lab.LocalAccess;
import io.counterpart.cli.lab.RemoteOptions;
import io.counterpart.cli.nodes.HomeOption;
import io.counterpart.cluster.Cluster;
import io.counterpart.core.ring.change.RingChange;
import io.counterpart.core.ring.change.RingChanges;
import io.counterpart.core.ring.change.RingPlan;
import io.counterpart.lab.remote.ClusterRing;
import io.counterpart.lab.remote.RemoteAccess;
import io.counterpart.lab.remote.RingSurvey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code counterpart plan-ring}: what a change of the ring would cost. */
@Command(
    name = "plan-ring",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Says what a change of the ring would stream and rewrite, per node and table, before it is"
          + " made. Changes nothing.",
      "Looks at the local cluster, or with --contact-points at yours, over CQL and JMX.",
      "Tokens of new nodes: each takes the same from every node of its datacenter, and --json prints"
          + " them for initial_token. Cassandra's own allocator chooses others."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:planned",
      "2:not exactly one change, unknown nodes or datacenter, or more than the cluster could do",
      "3:no cluster, or it does not answer"
    })
public final class PlanRingCommand implements Callable<Integer> {
  @Spec private CommandSpec command;

  @ArgGroup(multiplicity = "1")
  private PlannedChange change = new PlannedChange();

  @Option(
      names = "--dc",
      paramLabel = "NAME",
      description =
          "Datacenter that nodes join, or whose copies change (default: the only one; for --rf"
              + " every one that has copies).")
  private @Nullable String datacenter;

  @Option(
      names = "--rack",
      paramLabel = "NAME",
      description = "Rack that nodes join (default: each the one with the fewest nodes).")
  private @Nullable String rack;

  @Option(
      names = "--tokens",
      paramLabel = "V",
      description = "Tokens of each new node, 1 to 256 (default: as the nodes there have).")
  private @Nullable Integer tokens;

  @Option(
      names = "--keyspace",
      paramLabel = "NAME",
      description = "Repeatable (default: every keyspace that is not Cassandra's own).")
  private List<String> keyspaces = new ArrayList<>();

  @Mixin private HomeOption home;
  @Mixin private Output output;

  @ArgGroup(exclusive = false, heading = "%nOf a cluster that somebody else runs:%n")
  private @Nullable RemoteOptions remote;

  @Override
  public Integer call() {
    requireFit();
    RemoteAccess access =
        remote == null ? LocalAccess.of(home) : remote.access(command.commandLine());
    if (access.datacenter() != null) {
      throw usage("--local-dc: every datacenter is looked at; nodes join one by --dc", null);
    }
    ClusterRing cluster = RingSurvey.of(access, keyspaces);
    List<RingChange> steps;
    try {
      steps =
          change.steps(
              new RingChanges(cluster.ring(), cluster.replications()),
              new RingChanges.Place(datacenter, rack, tokens),
              addresses());
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()), e);
    }
    RingPlan plan = new RingPlan(cluster.ring(), steps, cluster.silent());
    PlanRingView view = new PlanRingView(change.text(), cluster, steps, plan);
    output.result(view.json(), view.text());
    return ExitCodes.OK;
  }

  private void requireFit() {
    if (!change.isJoin() && (rack != null || tokens != null)) {
      throw usage((rack == null ? "--tokens" : "--rack") + ": only with --add", null);
    }
    if (change.isLeave() && datacenter != null) {
      throw usage("--dc: only with --add and --rf", null);
    }
  }

  /** Of the nodes to remove: an index of the local cluster stands for its node's. */
  private List<String> addresses() {
    List<String> addresses = new ArrayList<>();
    for (String name : change.removed()) {
      addresses.add(
          remote == null && name.matches("\\d{1,4}") ? address(Integer.parseInt(name)) : name);
    }
    return addresses;
  }

  private String address(int index) {
    Cluster cluster = home.running();
    return cluster.node(index).address();
  }

  private ParameterException usage(String message, @Nullable Throwable cause) {
    return new ParameterException(command.commandLine(), message, cause);
  }
}
