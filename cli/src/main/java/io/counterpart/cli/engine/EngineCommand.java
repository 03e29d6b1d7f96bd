package io.counterpart.cli.engine;

import picocli.CommandLine.Command;

/** {@code counterpart engine}: tables and their storage engines. */
@Command(
    name = "engine",
    mixinStandardHelpOptions = true,
    description = "Tables and their storage engines, and nodes that have one.",
    subcommands = {
      EngineAdviseCommand.class,
      EngineMigrateCommand.class,
      EngineMixCommand.class,
      EngineTokensCommand.class
    })
public final class EngineCommand {}
