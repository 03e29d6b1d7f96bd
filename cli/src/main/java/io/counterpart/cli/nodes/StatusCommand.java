package io.counterpart.cli.nodes;

import io.counterpart.cli.console.ExitCodes;
import io.counterpart.cli.console.Output;
import io.counterpart.cli.console.PreconditionException;
import io.counterpart.cluster.Cluster;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code counterpart status}: nodes, ring and bytes by role. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description =
        "Shows each node's process, ports and share of the ring, and for each decoupled table the"
            + " bytes that the node holds as primary and as redundant copies.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every node runs",
      "1:at least one node is down, stopped or paused",
      "3:there is no cluster under this directory"
    })
public final class StatusCommand implements Callable<Integer> {

  @Mixin private HomeOption home;
  @Mixin private Output output;

  @Override
  public Integer call() {
    Cluster cluster =
        Cluster.recorded(home.path())
            .orElseThrow(
                () ->
                    new PreconditionException(
                        "no cluster under " + home.path() + "; start one with: counterpart up"));
    ClusterView view = ClusterView.of(cluster);
    RoleView roles = RoleView.of(cluster);
    Map<String, Object> json = new LinkedHashMap<>(view.json());
    json.put("roles", roles.rows());
    json.put("rolesNote", roles.note());
    output.result(
        json, view.text() + System.lineSeparator() + System.lineSeparator() + roles.text());
    return view.allUp() ? ExitCodes.OK : ExitCodes.FAILURE;
  }
}
