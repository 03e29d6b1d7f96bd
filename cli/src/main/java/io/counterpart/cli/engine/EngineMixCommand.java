package io.counterpart.cli.engine;

import io.counterpart.cli.console.ExitCodes;
import io.counterpart.cli.console.Output;
import io.counterpart.cli.lab.LocalAccess;
import io.counterpart.cli.lab.RemoteOptions;
import io.counterpart.cli.nodes.HomeOption;
import io.counterpart.core.placement.engine.EngineMix;
import io.counterpart.lab.remote.RemoteAccess;
import io.counterpart.lab.remote.mix.MixPlan;
import io.counterpart.lab.remote.mix.MixedKeyspace;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code counterpart engine mix}: another (N, W, R) for a keyspace that serves. */
@Command(
    name = "mix",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Changes how many copies of a keyspace's rows each engine class keeps, while it serves. The"
          + " keyspace is under HeterogeneousStrategy, and nodes of the classes are there.",
      "New copies are empty until a repair has filled them. Without --reads-at this prints at which"
          + " levels applications have to read and write until then, and changes nothing. With it,"
          + " it changes the keyspace and repairs it on every node, one after the other. With"
          + " --contact-points it prints the repairs in place of running them.",
      "A command that was interrupted may be repeated: it finds the mix changed, and repairs."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:changed and repaired, or with --contact-points ready to be repaired",
      "1:changed and not repaired, or a repair before the change failed; keep the levels and repeat"
          + " the command",
      "2:a bad option",
      "3:no cluster, no such keyspace, another strategy, too few nodes of a class, a node that is"
          + " down, or a level that is not stated or too weak; nothing was changed",
      "130:interrupted; keep the levels and repeat the command"
    })
public final class EngineMixCommand implements Callable<Integer> {
  @Spec private CommandSpec command;

  @Parameters(index = "0", paramLabel = "KEYSPACE", description = "The keyspace.")
  private String name = "";

  @Parameters(
      index = "1",
      paramLabel = "N,W,R",
      description = "Copies, and how many of them writes and reads wait for, W + R > N.")
  private String mix = "";

  @Option(
      names = "--datacenter",
      paramLabel = "NAME",
      description = "Whose N it is, where several have copies. W and R are the keyspace's.")
  private @Nullable String datacenter;

  @Option(
      names = "--reads-at",
      paramLabel = "LEVEL",
      description = "The level at which all applications read until the repair has ended.")
  private @Nullable String reads;

  @Option(
      names = "--writes-at",
      paramLabel = "LEVEL",
      description = "The same of writes, where it has to be another one than now.")
  private @Nullable String writes;

  @Option(
      names = "--repaired",
      description =
          "Where a repair has to come before the change: it was done, since all applications write"
              + " at --writes-at.")
  private boolean isRepaired;

  @Mixin private HomeOption home;
  @Mixin private Output output;

  @ArgGroup(exclusive = false, heading = "%nOf a cluster that somebody else runs:%n")
  private @Nullable RemoteOptions remote;

  @Override
  public Integer call() throws InterruptedException {
    EngineMix wanted = wanted();
    MixLevels levels = MixLevels.stated(command, reads, writes);
    RemoteAccess access =
        remote == null ? LocalAccess.of(home) : remote.accessToAll(command.commandLine());
    Optional<LocalRepairs> repairs =
        remote == null
            ? Optional.of(new LocalRepairs(output, home.running().members()))
            : Optional.empty();
    repairs.ifPresent(LocalRepairs::requireRunning);
    MixRun run = new MixRun(output, repairs, isRepaired);
    try (MixedKeyspace keyspace = MixedKeyspace.open(access, name)) {
      MixPlan plan = keyspace.plan(datacenter, wanted);
      run.requireRepaired(plan);
      if (!plan.isDone()) {
        if (levels.reads().isEmpty()) {
          return printed(plan);
        }
        levels.require(plan);
        output.progress(new MixView(plan).text());
      }
      MixRun.Outcome outcome = run.run(keyspace, plan);
      output.result(outcome.json(), outcome.text());
      return outcome.exitCode();
    }
  }

  private int printed(MixPlan plan) {
    MixLevels.weakest(plan.change()).require(plan);
    MixView view = new MixView(plan);
    output.result(view.json("nothing was changed", List.of()), view.text());
    output.progress(view.howToGoOn());
    return ExitCodes.PRECONDITION;
  }

  private EngineMix wanted() {
    try {
      return EngineMix.parse(mix);
    } catch (IllegalArgumentException e) {
      throw usage("the mix: " + e.getMessage());
    }
  }

  private ParameterException usage(String message) {
    return new ParameterException(command.commandLine(), message);
  }
}
