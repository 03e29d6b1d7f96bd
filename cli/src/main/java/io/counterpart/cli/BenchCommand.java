package io.counterpart.cli;

import picocli.CommandLine.Command;

/** {@code counterpart bench}. */
@Command(
    name = "bench",
    description = "Runs the project's measurements.",
    mixinStandardHelpOptions = true,
    subcommands = {BenchDecouplingCommand.class, BenchTableCommand.class})
final class BenchCommand {}
