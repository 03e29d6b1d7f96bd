package io.counterpart.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.counterpart.cluster.layout.ClusterSpec;
import io.counterpart.cluster.layout.NodeFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
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
    try {
      Process tool = process(spec, jmxPort, arguments).redirectErrorStream(true).start();
      String output = new String(tool.getInputStream().readAllBytes(), UTF_8);
      int exitCode = tool.waitFor();
      if (exitCode != 0) {
        throw new NodetoolException(String.join(" ", arguments), exitCode, output);
      }
      return output;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run nodetool", e);
    } catch (InterruptedException e) {
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
