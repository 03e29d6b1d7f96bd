package io.counterpart.cli;

import io.counterpart.cli.cache.CacheCommand;
import io.counterpart.cli.console.ExitCodes;
import io.counterpart.cli.cql.CqlCommand;
import io.counterpart.cli.doctor.DoctorCommand;
import io.counterpart.cli.engine.EngineCommand;
import io.counterpart.cli.lab.LabCommand;
import io.counterpart.cli.node.NodeCommand;
import io.counterpart.cli.nodes.DownCommand;
import io.counterpart.cli.nodes.InstallCommand;
import io.counterpart.cli.nodes.NodetoolCommand;
import io.counterpart.cli.nodes.StatusCommand;
import io.counterpart.cli.nodes.UpCommand;
import io.counterpart.cli.plan.PlanRingCommand;
import io.counterpart.cli.predict.PredictCommand;
import io.counterpart.cli.recover.RecoverCommand;
import io.counterpart.cli.ring.RingCommand;
import io.counterpart.cli.simulate.SimulateCommand;
import io.counterpart.cli.tokens.TokensCommand;
import java.util.concurrent.Callable;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The list of sub-commands; without one of them it shows its help. */
@Command(
    name = "counterpart",
    description = {
      "Decoupled replicas, storage engines and a memory tier for Apache Cassandra:",
      "real clusters on this machine, and commands for yours."
    },
    mixinStandardHelpOptions = true,
    subcommands = {
      UpCommand.class,
      DownCommand.class,
      StatusCommand.class,
      DoctorCommand.class,
      NodeCommand.class,
      NodetoolCommand.class,
      CqlCommand.class,
      RecoverCommand.class,
      EngineCommand.class,
      RingCommand.class,
      PlanRingCommand.class,
      TokensCommand.class,
      PredictCommand.class,
      InstallCommand.class,
      CacheCommand.class,
      SimulateCommand.class,
      DemoCommand.class,
      BenchCommand.class,
      LabCommand.class,
      GenerateCompletion.class,
      HelpCommand.class,
    },
    exitCodeListHeading = "%nExit codes of every command:%n",
    exitCodeList = {
      "0:done",
      "1:tried, and failed",
      "2:unknown option or illegal value; nothing was tried",
      "3:something needed is missing (memory, port, running cluster …); nothing was changed",
      "130:interrupted",
    },
    footerHeading = "%nShell completion:%n",
    footer = "  source <(./counterpart generate-completion)")
final class RootCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitCodes.USAGE;
  }
}
