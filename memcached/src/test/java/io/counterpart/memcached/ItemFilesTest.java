package io.counterpart.memcached;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.counterpart.process.Check;
import io.counterpart.process.TcpPort;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The effect of each kind of stop on the items of the installed memcached. */
@Timeout(60)
class ItemFilesTest {
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");

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
        IntStream.range(16_500, 18_500)
            .filter(candidate -> TcpPort.isFree(MemcachedSpec.ADDRESS, candidate))
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
  void a_start_waits_until_the_stop_is_a_minute_ago() throws IOException {
    Instant now = Instant.ofEpochSecond(1_800_000_000);
    assertThat(files.waiting(List.of(port), now)).isZero();

    notes("Tmain\nKmaxbytes 67108864\nKstop_time 1799999990\nKcurrent_cas 2\n");
    assertThat(files.waiting(List.of(port), now)).isEqualTo(Duration.ofSeconds(55));
    assertThat(files.waiting(List.of(port - 1, port), now)).isEqualTo(Duration.ofSeconds(55));
    assertThat(files.waiting(List.of(port), now.plusSeconds(60))).isZero();

    notes("Tmain\nKstop_time soon\n");
    assertThat(files.waiting(List.of(port), now)).isZero();
    files.delete(List.of(port));
    assertThat(directory).isEmptyDirectory();
  }

  private void notes(String text) throws IOException {
    Files.writeString(directory.resolve("memcached-%d.meta".formatted(port)), text, UTF_8);
  }

  @Test
  void a_stop_leaves_items_and_notes_and_a_killed_server_starts_empty() throws IOException {
    try (MemcachedServers servers = start()) {
      MemcachedServer server = servers.servers().get(0);
      assertThat(ask("set k 7 0 1\r\nv")).isEqualTo("STORED");
      server.kill();
      server.start();
      assertThat(ask("get k")).isEqualTo("END");

      server.stopWarm();

      assertThat(server.isAlive()).isFalse();
      assertThat(directory)
          .isDirectoryContaining("glob:**/memcached-" + port)
          .isDirectoryContaining("glob:**/memcached-" + port + ".meta");
      assertThat(files.waiting(List.of(port), Instant.now())).isPositive();
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
    MemcachedSpec spec = MemcachedSpec.forTier(64);
    assertThat(files.check(List.of(port), spec).passed()).isTrue();

    Check missing = new ItemFiles(directory.resolve("none")).check(List.of(1, 2), spec);
    assertThat(missing)
        .hasToString(
            "warm: %s/none is no directory, or not to be written,".formatted(directory)
                + " needed: a directory on a tmpfs with 128 MiB for 2 servers");
    Check large = files.check(List.of(port), MemcachedSpec.forTier(1 << 20));
    assertThat(large.passed()).isFalse();
    assertThat(large.toString()).contains(" MiB free in " + directory);
  }

  @Test
  void holes_of_a_file_are_no_room() throws IOException {
    try (RandomAccessFile kept =
        new RandomAccessFile(directory.resolve("memcached-" + port).toFile(), "rw")) {
      kept.setLength(2L << 40);
    }

    assertThat(files.check(List.of(port), MemcachedSpec.forTier(1 << 20)).passed()).isFalse();
  }

  private MemcachedServers start() {
    return MemcachedServers.start(MemcachedSpec.forTier(64).with(files), logs, port, 1);
  }

  private String ask(String command) throws IOException {
    try (Socket socket = new Socket(MemcachedSpec.ADDRESS, port);
        Stream<String> lines = exchange(socket, command)) {
      return String.join(" ", lines.toList());
    }
  }

  private static Stream<String> exchange(Socket socket, String command) throws IOException {
    socket.setSoTimeout(40_000);
    socket.getOutputStream().write((command + "\r\nquit\r\n").getBytes(UTF_8));
    return new String(socket.getInputStream().readAllBytes(), UTF_8).lines();
  }
}
