package io.counterpart.cluster.server;

import io.counterpart.cluster.layout.ClusterSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Debian's packages of engines' servers. Stateless. */
public final class ServerPackages {
  private ServerPackages() {}

  /**
   * Installs the servers that a cluster needs and the machine lacks, by {@code scripts/bootstrap};
   * what it says goes to this process' own output. Whether all are there then, the preflight says.
   *
   * @param root of the checkout
   * @throws IOException if the script cannot be run, or fails
   */
  public static void install(ClusterSpec spec, Path root) throws IOException, InterruptedException {
    List<String> engines = missing(spec);
    if (engines.isEmpty()) {
      return;
    }
    List<String> command = new ArrayList<>();
    command.add(root.resolve("scripts/bootstrap").toString());
    command.add("--engine");
    command.addAll(engines);
    int exitCode =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.INHERIT)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start()
            .waitFor();
    if (exitCode != 0) {
      throw new IOException("%s has ended with %d".formatted(String.join(" ", command), exitCode));
    }
  }

  private static List<String> missing(ClusterSpec spec) {
    return ServerKind.ALL.stream()
        .filter(kind -> kind.missing().isPresent())
        .map(ServerKind::engine)
        .filter(spec::hasEngine)
        .toList();
  }
}
