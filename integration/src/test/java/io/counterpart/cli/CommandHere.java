package io.counterpart.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/** Runs a command as its process does, in this one: for those of which many are refused. */
public final class CommandHere {
  private CommandHere() {}

  /** How it ended. */
  public record Outcome(int exitCode, String err) {}

  /** Runs it to its end. */
  public static Outcome run(List<String> arguments) {
    StringWriter err = new StringWriter();
    int exitCode =
        Main.commandLine()
            .setOut(new PrintWriter(new StringWriter()))
            .setErr(new PrintWriter(err, true))
            .execute(arguments.toArray(String[]::new));
    return new Outcome(exitCode, err.toString());
  }
}
