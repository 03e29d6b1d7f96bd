package io.counterpart.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.counterpart.cluster.layout.ClusterSpec;
import io.counterpart.cluster.layout.NodeFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CancellationException;

/** NodeTool in a JVM of its own. */
final class Nodetool {
  private Nodetool() {}

  /**
   * Runs a command to its end.
   *
   * @return what it printed
   * @throws NodetoolException if it ends with an error
   */
  static String run(ClusterSpec spec, int jmxPort, List<String> arguments) {
    ProcessBuilder tool = process(spec, jmxPort, arguments).redirectErrorStream(true);
    try {
      // in a file: a thread that reads from a process cannot be interrupted
      Path output = Files.createTempFile(spec.home().resolve("nodetool"), "output", ".txt");
      try {
        int exitCode = run(tool.redirectOutput(output.toFile()));
        String text = new String(Files.readAllBytes(output), UTF_8);
        if (exitCode != 0) {
          throw new NodetoolException(String.join(" ", arguments), exitCode, text);
        }
        return text;
      } finally {
        Files.deleteIfExists(output);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run nodetool", e);
    }
  }

  /**
   * Runs a process to its end, or kills it when this thread is interrupted; what it has asked of a
   * node may go on there.
   *
   * @return its exit code
   */
  static int run(ProcessBuilder builder) throws IOException {
    Process process = builder.start();
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted in nodetool");
    }
  }

  /** A process ready to start, with standard streams to be set. */
  static ProcessBuilder process(ClusterSpec spec, int jmxPort, List<String> arguments) {
    try {
      NodeFiles.writeNodetool(spec);
      return new ProcessBuilder(NodeCommandLine.nodetool(spec, jmxPort, arguments));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot prepare nodetool", e);
    }
  }
}
