package io.counterpart.integration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.counterpart.cluster.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs {@code ./counterpart}.
 *
 * @param scratch directory for the processes' output
 */
record Launcher(Path scratch) {

  /** How a command ended. */
  record Outcome(int exitCode, String out, String err) {

    Outcome ok() {
      assertThat(exitCode).as(err).isZero();
      return this;
    }

    JsonNode json() throws IOException {
      return new ObjectMapper().readTree(out);
    }
  }

  /** Arguments may be strings or lists of strings. */
  Outcome run(Object... arguments) throws IOException, InterruptedException {
    Files.createDirectories(scratch);
    Path out = Files.createTempFile(scratch, "out", ".txt");
    Path err = Files.createTempFile(scratch, "err", ".txt");
    Process process =
        new ProcessBuilder(command(arguments))
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    int exitCode = process.waitFor();
    Outcome outcome =
        new Outcome(exitCode, Files.readString(out, UTF_8), Files.readString(err, UTF_8));
    Files.delete(out);
    Files.delete(err);
    return outcome;
  }

  Process start(Object... arguments) throws IOException {
    return start(ProcessBuilder.Redirect.DISCARD, arguments);
  }

  /** Both streams go into a file. */
  Process startInto(Path file, Object... arguments) throws IOException {
    Files.createDirectories(scratch);
    return start(ProcessBuilder.Redirect.appendTo(file.toFile()), arguments);
  }

  private static Process start(ProcessBuilder.Redirect streams, Object... arguments)
      throws IOException {
    return new ProcessBuilder(command(arguments))
        .redirectOutput(streams)
        .redirectError(streams)
        .start();
  }

  /** Ctrl-C. By the shell: a small system has no kill of its own. */
  static void interrupt(Process process) throws IOException, InterruptedException {
    new ProcessBuilder("sh", "-c", "kill -INT " + process.pid()).start().waitFor();
  }

  private static List<String> command(Object... arguments) {
    // a test run in the background has SIGINT ignored, and its children would inherit that
    List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
    command.add(Installation.locate().root().resolve("counterpart").toString());
    for (Object argument : arguments) {
      if (argument instanceof List<?> several) {
        several.forEach(one -> command.add(String.valueOf(one)));
      } else {
        command.add(String.valueOf(argument));
      }
    }
    return command;
  }
}
