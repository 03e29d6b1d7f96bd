package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cluster.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The output of {@code scripts/bootstrap} on a machine without a browser, with the test's apt-get.
 */
class BootstrapTest {
  private static final List<String> TOOLS =
      List.of("sh", "dirname", "grep", "id", "env", "mktemp", "tail", "sed", "readlink", "rm");

  /** There is all that the build needs. */
  private final List<String> present =
      new ArrayList<>(
          List.of(
              "curl", "memcached", "mariadbd", "mariadb-install-db", "redis-server", "apt-get"));

  @TempDir private Path directory;

  @Test
  void prints_a_line_for_each_package_and_keeps_progress_in_a_log() throws Exception {
    Outcome outcome = bootstrap("exit 0", "--test");

    assertThat(outcome.exitCode).as(outcome.text).isZero();
    assertThat(outcome.text)
        .contains("installing chromium (tests of the live page)", "log: " + directory)
        .doesNotContain("much progress");
    assertThat(outcome.log).contains("much progress of install");
  }

  @Test
  void shows_the_end_of_the_log_if_the_installation_fails() throws Exception {
    Outcome outcome = bootstrap("echo E: no such package; [ $1 = update ] || exit 100", "--test");

    assertThat(outcome.exitCode).isEqualTo(100);
    assertThat(outcome.text)
        .contains("failed (100)", "E: no such package", "much progress of install");
  }

  @Test
  void looks_for_the_servers_of_engines_alone_where_they_are_named() throws Exception {
    Outcome there = bootstrap("exit 1", "--engine", "redis");

    assertThat(there.exitCode).as(there.text).isZero();
    assertThat(there.text).isEmpty();
  }

  /** Nobody's password is asked for in a test: sudo is not there. */
  @Test
  void says_so_where_a_server_that_is_asked_for_cannot_be_installed() throws Exception {
    present.remove("redis-server");
    present.remove("apt-get");

    Outcome missing = bootstrap("exit 1", "--engine", "redis");

    assertThat(missing.exitCode).isEqualTo(3);
    assertThat(missing.text).contains("missing: redis-server; this system has no apt-get");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--engines | '--engines': must be --test, or --engine with names",
        "--engine | --engine names no engine, must be redis or sql",
        "--engine lmdb | engine 'lmdb': must be redis or sql",
        "--test redis | after --test nothing may follow: 'redis'"
      })
  void refuses_what_it_does_not_know(String arguments, String message) throws Exception {
    Outcome unknown = bootstrap("exit 1", arguments.split(" "));

    assertThat(unknown.exitCode).isEqualTo(2);
    assertThat(unknown.text).contains(message);
  }

  private record Outcome(int exitCode, String text, String log) {}

  private Outcome bootstrap(String end, String... arguments)
      throws IOException, InterruptedException {
    Path drafts = Files.createDirectory(directory.resolve("drafts"));
    Path tools = directory.resolve("bin");
    for (String tool : TOOLS) {
      stub(drafts.resolve(tool), "exec " + found(tool) + " \"$@\"");
    }
    for (String tool : present) {
      stub(drafts.resolve(tool), "exit 0");
    }
    if (present.contains("apt-get")) {
      stub(drafts.resolve("apt-get"), "echo much progress of $1\n" + end);
    }
    stub(drafts.resolve("sudo"), "[ \"$1\" != -n ] || shift\nexec \"$@\"");
    copy(drafts, tools);
    Path text = directory.resolve("text");
    List<String> command = new ArrayList<>();
    command.add(tools.resolve("sh").toString());
    command.add(Installation.locate().root().resolve("scripts/bootstrap").toString());
    command.addAll(List.of(arguments));
    ProcessBuilder script =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(text.toFile());
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

  /**
   * By a process of its own: a program cannot be run while a process has it open to write, and one
   * that another test starts in this JVM has for a moment what is open here.
   */
  private static void copy(Path from, Path to) throws IOException, InterruptedException {
    Process copying = new ProcessBuilder("cp", "-rp", from.toString(), to.toString()).start();
    assertThat(copying.waitFor()).isZero();
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
