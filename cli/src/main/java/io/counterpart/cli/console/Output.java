package io.counterpart.cli.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code --json} option and the two streams; mixed into a command. */
public final class Output {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  @Option(
      names = "--json",
      description =
          "Print the result as JSON on standard output; progress stays on standard error.")
  private boolean json;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  public boolean isJson() {
    return json;
  }

  /** Prints the result: {@code value} as JSON or else {@code text}. */
  public void result(Object value, String text) {
    PrintWriter out = command.commandLine().getOut();
    out.println(json ? toJson(value) : text);
    out.flush();
  }

  /** Says on standard error what goes on. */
  public void progress(String line) {
    PrintWriter err = command.commandLine().getErr();
    err.println(line);
    err.flush();
  }

  private static String toJson(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not a JSON value: " + value, e);
    }
  }
}
