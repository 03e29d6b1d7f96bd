package io.counterpart.integration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.counterpart.cluster.Installation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

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

  /** Commands that may record the archive of a node's classes, which no JVM does beside another. */
  private static final Set<String> RECORDING = Set.of("up", "demo", "lab", "bench", "node");

  // a test run in the background has SIGINT ignored, and its children would inherit that
  private static final List<String> LAUNCH = List.of("env", "--default-signal=INT");

  private static final String JVM_OPTIONS = "JDK_JAVA_OPTIONS";
  private static final String OPTIONS_WITH_ARCHIVE = optionsWithArchive();

  /** Arguments may be strings or lists of strings. */
  Outcome run(Object... arguments) throws IOException, InterruptedException {
    Files.createDirectories(scratch);
    Path out = Files.createTempFile(scratch, "out", ".txt");
    Path err = Files.createTempFile(scratch, "err", ".txt");
    Process process =
        process(arguments).redirectOutput(out.toFile()).redirectError(err.toFile()).start();
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
    return process(arguments).redirectOutput(streams).redirectError(streams).start();
  }

  private static ProcessBuilder process(Object... arguments) {
    List<String> command = command(arguments);
    ProcessBuilder process = new ProcessBuilder(command);
    if (!RECORDING.contains(command.get(LAUNCH.size() + 1))) {
      process.environment().put(JVM_OPTIONS, OPTIONS_WITH_ARCHIVE);
    }
    return process;
  }

  /**
   * JVM options of a command, with an archive of its classes: reading them is most of the work of a
   * short one. Made by a command that ends at once, for its driver finds no node.
   */
  private static String optionsWithArchive() {
    String usual = System.getenv().getOrDefault(JVM_OPTIONS, "");
    Path archive = Path.of("target/command.jsa").toAbsolutePath();
    try {
      Files.deleteIfExists(archive);
      ProcessBuilder recording =
          new ProcessBuilder(
                  command("engine", "advise", "--contact-points=127.0.0.1:1", "none.none"))
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD);
      recording.environment().put(JVM_OPTIONS, usual + " -XX:ArchiveClassesAtExit=" + archive);
      recording.start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Files.exists(archive)
        ? usual + " -XX:SharedArchiveFile=" + archive + " -Xlog:cds*=off"
        : usual;
  }

  /** Ctrl-C. By the shell: a small system has no kill of its own. */
  static void interrupt(Process process) throws IOException, InterruptedException {
    new ProcessBuilder("sh", "-c", "kill -INT " + process.pid()).start().waitFor();
  }

  private static List<String> command(Object... arguments) {
    List<String> command = new ArrayList<>(LAUNCH);
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
