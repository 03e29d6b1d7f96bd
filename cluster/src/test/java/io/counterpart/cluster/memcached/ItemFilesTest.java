package io.counterpart.cluster.memcached;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.counterpart.cluster.Check;
import io.counterpart.cluster.Ports;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the installed memcached does with items when it is stopped in one way or another. */
@Timeout(60)
class ItemFilesTest {
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");
  private static final String VALUE = "VALUE k 7 1 v END";

  @TempDir Path logs;

  private Path directory;
  private ItemFiles files;
  private int port;

  @BeforeEach
  void make_a_directory() throws IOException {
    assumeThat(MemcachedProgram.find("memcached")).as("memcached").isPresent();
    assumeThat(SHARED_MEMORY).isDirectory().isWritable();
    directory = Files.createTempDirectory(SHARED_MEMORY, "counterpart-test-");
    files = new ItemFiles(directory);
    port =
        IntStream.range(22_000, 32_000)
            .filter(candidate -> Ports.isFree(MemcachedSpec.ADDRESS, candidate))
            .findFirst()
            .orElseThrow();
  }

  @AfterEach
  void delete_it() throws IOException {
    if (files != null) {
      files.delete(List.of(port));
      Files.deleteIfExists(directory);
    }
  }

  @Test
  void items_outlive_a_stop_by_sigusr1_with_their_versions() throws IOException {
    try (MemcachedServers servers = start()) {
      MemcachedServer server = servers.servers().get(0);
      assertThat(ask("set k 7 0 1\r\nv")).isEqualTo("STORED");
      String version = ask("mg k c");

      server.stopWarm();
      server.start();

      assertThat(ask("get k")).isEqualTo(VALUE);
      assertThat(ask("mg k c")).isEqualTo(version);
    }
  }

  @Test
  void what_was_flushed_stays_so() throws IOException {
    try (MemcachedServers servers = start()) {
      assertThat(ask("set k 7 0 1\r\nv")).isEqualTo("STORED");
      assertThat(ask("flush_all")).isEqualTo("OK");

      servers.servers().get(0).stopWarm();
      servers.servers().get(0).start();

      assertThat(ask("get k")).isEqualTo("END");
    }
  }

  @Test
  void a_server_that_is_killed_or_terminated_starts_empty_whatever_it_had_kept()
      throws IOException {
    try (MemcachedServers servers = start()) {
      MemcachedServer server = servers.servers().get(0);
      assertThat(ask("set k 7 0 1\r\nv")).isEqualTo("STORED");
      server.stopWarm();
      server.start();
      assertThat(ask("get k")).isEqualTo(VALUE);

      server.kill();
      server.start();
      assertThat(ask("get k")).isEqualTo("END");

      assertThat(ask("set k 7 0 1\r\nv")).isEqualTo("STORED");
      server.stop();
      server.start();
      assertThat(ask("get k")).isEqualTo("END");
    }
  }

  @Test
  void other_memory_starts_empty() throws IOException {
    try (MemcachedServers servers = start()) {
      assertThat(ask("set k 7 0 1\r\nv")).isEqualTo("STORED");
      servers.servers().get(0).stopWarm();
    }

    try (MemcachedServers others = start(MemcachedSpec.forTier(16))) {
      assertThat(others.servers()).hasSize(1);
      assertThat(ask("get k")).isEqualTo("END");
    }
  }

  @Test
  void a_server_without_a_file_is_not_stopped_that_way() {
    try (MemcachedServers servers =
        MemcachedServers.start(MemcachedSpec.forTier(8), logs, port, 1)) {
      MemcachedServer server = servers.servers().get(0);

      assertThatThrownBy(server::stopWarm)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(server + " has no file for its items");
      assertThat(server.isAlive()).isTrue();
    }
  }

  @Test
  void places_that_do_not_do_are_told_with_what_is_needed() {
    MemcachedSpec spec = MemcachedSpec.forTier(8);
    assertThat(files.check(List.of(port), spec).passed()).isTrue();

    Check missing = new ItemFiles(directory.resolve("none")).check(List.of(1, 2), spec);
    assertThat(missing)
        .hasToString(
            "warm: %s/none is no directory, or not to be written,".formatted(directory)
                + " needed: a directory on a tmpfs with 16 MiB for 2 servers");
    Check large = files.check(List.of(port), MemcachedSpec.forTier(1 << 20));
    assertThat(large.passed()).isFalse();
    assertThat(large.toString()).contains(" MiB free in " + directory);
  }

  private MemcachedServers start() {
    return start(MemcachedSpec.forTier(8));
  }

  private MemcachedServers start(MemcachedSpec spec) {
    return MemcachedServers.start(spec.with(files), logs, port, 1);
  }

  private String ask(String command) throws IOException {
    try (Socket socket = new Socket(MemcachedSpec.ADDRESS, port);
        Stream<String> lines = exchange(socket, command)) {
      return String.join(" ", lines.toList());
    }
  }

  private static Stream<String> exchange(Socket socket, String command) throws IOException {
    socket.setSoTimeout(10_000);
    socket.getOutputStream().write((command + "\r\nquit\r\n").getBytes(UTF_8));
    return new String(socket.getInputStream().readAllBytes(), UTF_8).lines();
  }
}
