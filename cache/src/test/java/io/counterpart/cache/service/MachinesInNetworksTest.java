package io.counterpart.cache.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.counterpart.testkit.random.SeededRandom;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Proxies of one tier on machines with networks of their own: {@link MachinesScenario}, in
 * namespaces of networks and processes that end with it, whatever happens. The host's network is
 * not touched.
 */
@Timeout(860)
@ExtendWith(SeededRandom.class)
class MachinesInNetworksTest {
  private static final int LIMIT_SECONDS = 800;

  private static final List<String> APART =
      List.of("unshare", "--net", "--pid", "--fork", "--kill-child", "--mount-proc", "--");

  private static final String PROBE =
      "for program in nsenter ip memcached; do command -v $program > /dev/null"
          + " || { echo $program is not installed; exit 1; }; done; ip link add type bridge";

  @TempDir Path directory;

  @Test
  void machines_are_cut_off_and_lost_without_a_loss_of_what_was_acknowledged(Random random)
      throws Exception {
    requireNamespaces();
    List<String> command = new ArrayList<>(APART);
    command.addAll(
        List.of(
            ProcessHandle.current().info().command().orElse("java"),
            "-Xmx256m",
            "-XX:+UseSerialGC",
            // its process id is another's outside
            "-XX:-UsePerfData",
            "-cp",
            System.getProperty("java.class.path"),
            MachinesScenario.class.getName(),
            directory.toString(),
            Long.toString(random.nextLong())));
    Path output = directory.resolve("scenario.log");

    // it ends when its input does
    Process scenario = start(command, output);
    try {
      boolean ended = scenario.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);

      System.out.println(Files.readString(output));
      assertThat(ended).as("the scenario ends").isTrue();
      assertThat(scenario.exitValue()).as("%s", Files.readString(output)).isZero();
    } finally {
      scenario.destroyForcibly().waitFor();
      keepLogs();
    }
  }

  private static Process start(List<String> command, Path output) throws IOException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
  }

  private void requireNamespaces() throws Exception {
    Path output = directory.resolve("probe.log");
    List<String> probe = new ArrayList<>(APART);
    probe.addAll(List.of("sh", "-c", PROBE));
    String missing;
    try {
      missing = start(probe, output).waitFor() == 0 ? "" : Files.readString(output).strip();
    } catch (IOException e) {
      missing = String.valueOf(e.getMessage());
    }
    String skipped =
        "SKIPPED, because networks of its own need root, unshare, nsenter, ip and memcached: "
            + missing;
    if (!missing.isEmpty()) {
      System.err.println(skipped);
    }
    assumeTrue(missing.isEmpty(), skipped);
  }

  private void keepLogs() throws IOException {
    try (DirectoryStream<Path> logs = Files.newDirectoryStream(directory, "*.log")) {
      for (Path log : logs) {
        Path kept = Path.of("target", "machines-in-networks-" + log.getFileName());
        Files.copy(log, kept, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }
}
