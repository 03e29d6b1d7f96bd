package io.counterpart.cli;

import io.counterpart.cli.lab.BenchFormatsCommand;
import picocli.CommandLine.Command;

/** {@code counterpart bench}. */
@Command(
    name = "bench",
    description = "Runs the project's measurements.",
    mixinStandardHelpOptions = true,
    subcommands = {
      BenchDecouplingCommand.class,
      BenchFormatsCommand.class,
      BenchTableCommand.class
    })
final class BenchCommand {}
