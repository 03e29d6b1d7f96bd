package io.counterpart.cli.engine;

import io.counterpart.cli.console.ExitCodes;
import io.counterpart.cli.console.Output;
import io.counterpart.cli.console.PreconditionException;
import io.counterpart.cli.lab.LocalAccess;
import io.counterpart.cli.lab.RemoteOptions;
import io.counterpart.cli.nodes.HomeOption;
import io.counterpart.lab.remote.RemoteAccess;
import io.counterpart.lab.remote.advice.WorkloadAdvice;
import io.counterpart.lab.remote.advice.WorkloadSurvey;
import io.counterpart.lab.setup.RunRefusedException;
import java.io.Console;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

/** {@code counterpart engine advise}: the engine that fits each table's load, with its reason. */
@Command(
    name = "advise",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Counts reads and writes of tables on every node, and recommends for each table: leave; an"
          + " engine, lmdb, memory or lsm; or decoupled compaction. Also which mix of engine classes"
          + " (N, W, R) a heterogeneous cluster should have, and whether it pays.",
      "The figures behind it are rough, so small gains are no reason. Without --apply it changes"
          + " nothing. --apply changes tables; and with --reads-at the mix of keyspaces under"
          + " HeterogeneousStrategy, as engine mix does."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:printed, and with --apply every table is changed",
      "1:with --apply, a table was not done within an hour, or a repair failed, which engine mix"
          + " repeats; the nodes go on, the rest was not begun",
      "2:a bad option",
      "3:no cluster, no such table, a node that is down; or with --apply a node that lacks a"
          + " configuration or the plugin, or no consent; nothing was changed",
      "130:interrupted; a table goes on; of a mix keep the levels and run engine mix, as was printed"
    })
public final class EngineAdviseCommand implements Callable<Integer> {
  @Spec private CommandSpec command;

  @Parameters(
      arity = "0..*",
      paramLabel = "KEYSPACE.TABLE",
      description = "The tables (default: all but Cassandra's own).")
  private List<String> tables = new ArrayList<>();

  @ArgGroup private AdviseWindow window = new AdviseWindow();

  @Option(
      names = "--apply",
      description =
          "Then change the tables, one after the other, as engine migrate does. Asks first.")
  private boolean apply;

  @Option(
      names = "--reads-at",
      paramLabel = "LEVEL",
      description =
          "With --apply: change mixes too; the level at which all applications read meanwhile, as"
              + " engine mix prints it.")
  private @Nullable String reads;

  @Option(
      names = "--writes-at",
      paramLabel = "LEVEL",
      description = "With --reads-at: the same of writes, where it has to be another one than now.")
  private @Nullable String writes;

  @Option(names = "--yes", description = "With --apply: do not ask.")
  private boolean yes;

  @Mixin private HomeOption home;
  @Mixin private Output output;

  @ArgGroup(exclusive = false, heading = "%nOf a cluster that somebody else runs:%n")
  private @Nullable RemoteOptions remote;

  @Override
  public Integer call() throws InterruptedException {
    for (String table : tables) {
      int dot = table.indexOf('.');
      if (dot <= 0 || dot == table.length() - 1) {
        throw usage("the table is '" + table + "', legal: KEYSPACE.TABLE");
      }
    }
    if (!apply && (yes || reads != null)) {
      throw usage((yes ? "--yes" : "--reads-at") + ": only with --apply");
    }
    if (reads == null && writes != null) {
      throw usage("--writes-at: only with --reads-at");
    }
    MixLevels levels = MixLevels.stated(command, reads, writes);
    Console console = System.console();
    if (apply && !yes && (console == null || output.isJson())) {
      throw usage("--apply asks on a terminal: there is none, or --json is given; add --yes");
    }
    int seconds = seconds();
    RemoteAccess access =
        remote == null ? LocalAccess.of(home) : remote.accessToAll(command.commandLine());
    WorkloadAdvice advice = survey(access, seconds);
    AdviceView view = new AdviceView(advice);
    if (!apply) {
      output.result(view.json(List.of()), view.text());
      return ExitCodes.OK;
    }
    if (!output.isJson()) {
      output.progress(view.text());
    }
    Optional<LocalRepairs> repairs =
        remote == null
            ? Optional.of(new LocalRepairs(output, home.running().members()))
            : Optional.empty();
    MixChanges mixes = new MixChanges(access, new MixRun(output, repairs, false), advice, levels);
    return apply(new TableChanges(access, output, advice), mixes, view, console);
  }

  private int seconds() {
    try {
      return window.seconds();
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()));
    }
  }

  private WorkloadAdvice survey(RemoteAccess access, int seconds) throws InterruptedException {
    try (WorkloadSurvey survey = WorkloadSurvey.open(access, tables)) {
      if (!window.isSinceStart()) {
        survey.begin();
        output.progress("counting reads and writes for %d s".formatted(seconds));
        Thread.sleep(seconds * 1_000L);
      }
      return survey.advise();
    }
  }

  private int apply(
      TableChanges changes, MixChanges mixes, AdviceView view, @Nullable Console console)
      throws InterruptedException {
    view.notInPlace().forEach(output::progress);
    if (changes.isEmpty() && mixes.count() == 0) {
      output.result(view.json(List.of()), "there is nothing to change");
      return ExitCodes.OK;
    }
    changes.requirePossible();
    mixes.requirePossible();
    if (console != null && !yes) {
      String answer =
          console.readLine(
              "change %d table(s) and the mix of %d keyspace(s)? [y/N] ",
              changes.count(), mixes.count());
      if (answer == null || !answer.strip().equalsIgnoreCase("y")) {
        output.progress("nothing was changed");
        return ExitCodes.PRECONDITION;
      }
    }
    boolean isDone = false;
    String refusal = "";
    try {
      isDone = changes.run() && mixes.run();
    } catch (RunRefusedException | PreconditionException e) {
      if (!changes.hasBegun() && !mixes.hasBegun()) {
        throw e;
      }
      refusal = "the rest was not begun: " + e.getMessage();
    }
    List<Map<String, Object>> json = new ArrayList<>(changes.json());
    json.addAll(mixes.json());
    List<String> text = new ArrayList<>(changes.isEmpty() ? List.of() : List.of(changes.text()));
    text.addAll(mixes.text());
    if (!refusal.isEmpty()) {
      text.add(refusal);
    }
    output.result(view.json(json), String.join(System.lineSeparator(), text));
    if (isDone) {
      return ExitCodes.OK;
    }
    return changes.hasBegun() || mixes.hasChanged() ? ExitCodes.FAILURE : ExitCodes.PRECONDITION;
  }

  private ParameterException usage(String message) {
    return new ParameterException(command.commandLine(), message);
  }
}
