package io.counterpart.cli.engine;

import io.counterpart.cli.console.ExitCodes;
import io.counterpart.cli.console.Output;
import io.counterpart.cli.lab.LocalAccess;
import io.counterpart.cli.lab.RemoteOptions;
import io.counterpart.cli.nodes.HomeOption;
import io.counterpart.lab.remote.EngineMigration;
import io.counterpart.lab.remote.RemoteAccess;
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

/** {@code counterpart engine migrate}: a table to another engine, and back. */
@Command(
    name = "migrate",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Moves a table to another storage engine while it serves, and returns when every node has all"
          + " of its data there. The name is that of a memtable configuration of every node's"
          + " cassandra.yaml, which may be another engine on each; lsm gives all back to sstables.",
      "The nodes do the work. A command that was interrupted may be repeated: it watches on. To go"
          + " back, migrate to the engine of before."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every node is done",
      "1:not done within the time; the nodes go on",
      "2:a bad option",
      "3:no cluster, no such table, one with an index or view, or a node that is down or whose"
          + " configuration is no engine; nothing was changed",
      "130:interrupted; the nodes go on"
    })
public final class EngineMigrateCommand implements Callable<Integer> {
  private static final int LEAST_SECONDS = 1;
  private static final int MOST_SECONDS = 604_800;

  @Spec private CommandSpec command;

  @Parameters(index = "0", paramLabel = "KEYSPACE.TABLE", description = "The table.")
  private String qualified = "";

  @Parameters(
      index = "1",
      paramLabel = "ENGINE",
      description = "As lmdb, memory, sql, redis, engine, lsm.")
  private String engine = "";

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "3600",
      description = "How long to watch, 1 to 604800 (default: 3600).")
  private int seconds;

  @Mixin private HomeOption home;
  @Mixin private Output output;

  @ArgGroup(exclusive = false, heading = "%nOf a cluster that somebody else runs:%n")
  private @Nullable RemoteOptions remote;

  @Override
  public Integer call() throws InterruptedException {
    int dot = qualified.indexOf('.');
    if (dot <= 0 || dot == qualified.length() - 1) {
      throw usage("the table is '" + qualified + "', legal: KEYSPACE.TABLE");
    }
    if (!engine.matches("\\w+")) {
      throw usage("the engine is '" + engine + "', legal: letters, digits and _");
    }
    if (seconds < LEAST_SECONDS || seconds > MOST_SECONDS) {
      throw usage(
          "--timeout is %d, legal: %d to %d".formatted(seconds, LEAST_SECONDS, MOST_SECONDS));
    }
    RemoteAccess access =
        remote == null ? LocalAccess.of(home) : remote.accessToAll(command.commandLine());
    try (EngineMigration migration =
        EngineMigration.open(
            access, qualified.substring(0, dot), qualified.substring(dot + 1), engine)) {
      MigrationWatch.Outcome outcome =
          new MigrationWatch(output, seconds).run(migration, qualified, engine);
      output.result(outcome.nodes(), outcome.text());
      return outcome.isDone() ? ExitCodes.OK : ExitCodes.FAILURE;
    }
  }

  private ParameterException usage(String message) {
    return new ParameterException(command.commandLine(), message);
  }
}
