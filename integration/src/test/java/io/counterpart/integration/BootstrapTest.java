package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cluster.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The output of {@code scripts/bootstrap} on a machine without a browser, with the test's apt-get.
 */
class BootstrapTest {
  private static final List<String> TOOLS =
      List.of("sh", "dirname", "grep", "id", "env", "mktemp", "tail", "sed", "readlink", "rm");

  @TempDir private Path directory;

  @Test
  void prints_a_line_for_each_package_and_keeps_progress_in_a_log() throws Exception {
    Outcome outcome = bootstrap("exit 0");

    assertThat(outcome.exitCode).as(outcome.text).isZero();
    assertThat(outcome.text)
        .contains("installing chromium (tests of the live page)", "log: " + directory)
        .doesNotContain("much progress");
    assertThat(outcome.log).contains("much progress of install");
  }

  @Test
  void shows_the_end_of_the_log_if_the_installation_fails() throws Exception {
    Outcome outcome = bootstrap("echo E: no such package; [ $1 = update ] || exit 100");

    assertThat(outcome.exitCode).isEqualTo(100);
    assertThat(outcome.text)
        .contains("failed (100)", "E: no such package", "much progress of install");
  }

  private record Outcome(int exitCode, String text, String log) {}

  private Outcome bootstrap(String end) throws IOException, InterruptedException {
    Path tools = Files.createDirectory(directory.resolve("bin"));
    for (String tool : TOOLS) {
      stub(tools.resolve(tool), "exec " + found(tool) + " \"$@\"");
    }
    // there is all that the build needs
    for (String present : List.of("curl", "memcached", "mariadbd", "redis-server")) {
      stub(tools.resolve(present), "exit 0");
    }
    stub(tools.resolve("apt-get"), "echo much progress of $1\n" + end);
    stub(tools.resolve("sudo"), "[ \"$1\" != -n ] || shift\nexec \"$@\"");
    Path text = directory.resolve("text");
    ProcessBuilder script =
        new ProcessBuilder(
                tools.resolve("sh").toString(),
                Installation.locate().root().resolve("scripts/bootstrap").toString(),
                "--test")
            .redirectErrorStream(true)
            .redirectOutput(text.toFile());
    script
        .environment()
        .putAll(
            Map.of(
                "PATH", tools.toString(),
                "TMPDIR", directory.toString(),
                "JAVA_HOME", System.getProperty("java.home")));
    int exitCode = script.start().waitFor();
    StringBuilder log = new StringBuilder();
    try (var logs = Files.newDirectoryStream(directory, "counterpart-bootstrap.*.log")) {
      for (Path each : logs) {
        log.append(Files.readString(each));
      }
    }
    return new Outcome(exitCode, Files.readString(text), log.toString());
  }

  private static Path found(String tool) {
    return List.of("/usr/bin", "/bin").stream()
        .map(folder -> Path.of(folder, tool))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow();
  }

  private static void stub(Path file, String text) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + text + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
