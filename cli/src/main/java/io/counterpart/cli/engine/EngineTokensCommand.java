package io.counterpart.cli.engine;

import io.counterpart.cli.console.ExitCodes;
import io.counterpart.cli.console.Output;
import io.counterpart.cli.lab.LocalAccess;
import io.counterpart.cli.lab.RemoteOptions;
import io.counterpart.cli.nodes.HomeOption;
import io.counterpart.core.placement.engine.EngineNode;
import io.counterpart.core.placement.engine.EngineTokens;
import io.counterpart.lab.remote.JoinTokens;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code counterpart engine tokens}: {@code initial_token} of a node that joins. */
@Command(
    name = "tokens",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Prints initial_token for a node that is to join a cluster with keyspaces under"
          + " HeterogeneousStrategy, so that only the new node gains copies. Changes nothing.",
      "For one node: let it join, and ask again for the next one."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:printed",
      "1:fewer than wanted are legal; those are printed",
      "2:a bad option",
      "3:no cluster, or no keyspace under the strategy has copies in the datacenter"
    })
public final class EngineTokensCommand implements Callable<Integer> {
  @Spec private CommandSpec command;

  @Option(
      names = "--rack",
      required = true,
      paramLabel = "SERVER/CLASS",
      description = "Rack of the new node, as s4/write.")
  private String rack = "";

  @Option(
      names = "--dc",
      paramLabel = "NAME",
      defaultValue = "dc1",
      description = "Its datacenter (default: dc1).")
  private String datacenter = "";

  @Option(
      names = "--tokens",
      paramLabel = "V",
      description = "How many, 1 to 256 (default: as many as a node of its class has).")
  private @Nullable Integer tokens;

  @Mixin private HomeOption home;
  @Mixin private Output output;

  @ArgGroup(exclusive = false, heading = "%nOf a cluster that somebody else runs:%n")
  private @Nullable RemoteOptions remote;

  @Override
  public Integer call() {
    if (EngineNode.inRack("new", rack).isEmpty()) {
      throw usage("--rack is '%s', legal: %s".formatted(rack, EngineNode.RACK_FORM));
    }
    if (tokens != null && (tokens < 1 || tokens > EngineTokens.MOST_TOKENS)) {
      throw usage("--tokens is %d, legal: 1 to %d".formatted(tokens, EngineTokens.MOST_TOKENS));
    }
    JoinTokens found =
        JoinTokens.find(
            remote == null ? LocalAccess.of(home) : remote.accessToAll(command.commandLine()),
            datacenter,
            rack,
            tokens == null ? OptionalInt.empty() : OptionalInt.of(tokens));
    boolean enough = found.tokens().size() == found.wanted();
    if (!enough) {
      output.progress(
          "%d of %d tokens are legal for %s"
              .formatted(found.tokens().size(), found.wanted(), found.keyspaces()));
    }
    output.result(
        found,
        "initial_token: "
            + found.tokens().stream().map(String::valueOf).collect(Collectors.joining(",")));
    return enough ? ExitCodes.OK : ExitCodes.FAILURE;
  }

  private ParameterException usage(String message) {
    return new ParameterException(command.commandLine(), message);
  }
}
