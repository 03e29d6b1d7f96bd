package io.counterpart.cli.lab;

import picocli.CommandLine.Command;

/** {@code counterpart lab}. */
@Command(
    name = "lab",
    description = "Runs the papers' experiments, beside stock Cassandra and plain memcached.",
    mixinStandardHelpOptions = true,
    subcommands = {
      LabListCommand.class,
      LabRunCommand.class,
      LabCustomCommand.class,
      LabReportCommand.class,
      LabReplayCommand.class,
      LabCompareCommand.class,
      LabFiguresCommand.class,
      LabPublishCommand.class,
    })
public final class LabCommand {}
