package io.counterpart.cli;

import io.counterpart.cli.console.ErrorReport;
import io.counterpart.cli.console.UsageReport;
import java.util.Objects;
import picocli.CommandLine;

/** Entry point of the {@code counterpart} command. */
public final class Main {

  private Main() {}

  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  /** The command with its sub-commands, error report and parser settings. */
  static CommandLine commandLine() {
    CommandLine command = new CommandLine(new RootCommand());
    giveVersion(command);
    // NodeTool's own options, which follow its command, must not be taken for ours
    Objects.requireNonNull(command.getSubcommands().get("nodetool")).setStopAtPositional(true);
    return command
        .setExecutionExceptionHandler(new ErrorReport())
        .setParameterExceptionHandler(new UsageReport())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setAbbreviatedOptionsAllowed(false)
        .setUsageHelpAutoWidth(true);
  }

  private static void giveVersion(CommandLine command) {
    command.getCommandSpec().versionProvider(new VersionText());
    command.getSubcommands().values().forEach(Main::giveVersion);
  }
}
