package io.counterpart.memcached;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.process.PreflightException;
import io.counterpart.process.TcpPort;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real memcached processes, on ports below those that the system allocates. */
@Timeout(120)
class MemcachedServersTest {

  private static final int COUNT = 3;
  private static final int ANSWER_MILLIS = 40_000;
  private static final MemcachedSpec SPEC = MemcachedSpec.forTier(8);

  @TempDir Path directory;

  @BeforeAll
  static void memcached_is_installed() {
    if (MemcachedProgram.find("memcached").isEmpty()) {
      System.err.println(
          "tests of memcached servers are skipped: no memcached; needed: "
              + MemcachedProgram.ADVICE);
    }
    assumeThat(MemcachedProgram.find("memcached")).as("memcached").isPresent();
  }

  @Test
  void three_servers_start_and_answer_on_neighbouring_ports() throws IOException {
    int first = freePorts();
    try (MemcachedServers servers = MemcachedServers.start(SPEC, directory, first, COUNT)) {
      assertThat(servers.servers())
          .extracting(MemcachedServer::port)
          .containsExactly(first, first + 1, first + 2);
      assertThat(servers.servers()).extracting(MemcachedServer::pid).doesNotHaveDuplicates();
      for (MemcachedServer server : servers.servers()) {
        assertThat(server.isAlive()).isTrue();
        assertThat(ask(server, "version")).isEqualTo("VERSION " + version());
        assertThat(ask(server, "set k 0 0 1\r\nv")).isEqualTo("STORED");
      }
      assertThat(settings(servers.servers().get(0)))
          .contains("maxbytes 8388608", "evictions off", "num_threads 1", "item_size_max 2097152")
          .contains("udpport 0", "inter 127.0.0.1");
    }
  }

  @Test
  void a_killed_server_is_noticed_at_once_and_starts_again_empty() throws IOException {
    try (MemcachedServers servers = MemcachedServers.start(SPEC, directory, freePorts(), COUNT)) {
      MemcachedServer server = servers.servers().get(1);
      ask(server, "set k 0 0 1\r\nv");
      long pid = server.pid();

      server.kill();

      assertThat(server.isAlive()).isFalse();
      assertThat(ProcessHandle.of(pid)).isEmpty();
      assertThat(servers.servers()).filteredOn(MemcachedServer::isAlive).hasSize(COUNT - 1);

      server.start();

      assertThat(server.isAlive()).isTrue();
      assertThat(server.pid()).isNotEqualTo(pid);
      assertThat(ask(server, "get k")).isEqualTo("END");
      assertThatThrownBy(server::start).hasMessage(server + " already runs");
    }
  }

  @Test
  void a_server_that_somebody_else_kills_is_noticed_too() throws IOException {
    try (MemcachedServers servers = MemcachedServers.start(SPEC, directory, freePorts(), 1)) {
      MemcachedServer server = servers.servers().get(0);

      ProcessHandle.of(server.pid()).orElseThrow().destroyForcibly();

      await().atMost(40, TimeUnit.SECONDS).until(() -> !server.isAlive());
    }
  }

  @Test
  void a_paused_server_is_silent_and_keeps_its_items() throws IOException {
    try (MemcachedServers servers = MemcachedServers.start(SPEC, directory, freePorts(), 1)) {
      MemcachedServer server = servers.servers().get(0);
      ask(server, "set k 0 0 1\r\nv");

      server.pause();

      assertThat(server.isAlive()).isTrue();
      assertThatThrownBy(() -> ask(server, "version", 500))
          .isInstanceOf(SocketTimeoutException.class);

      server.resume();

      assertThat(ask(server, "get k")).isEqualTo("VALUE k 0 1");
      server.pause();
      server.kill();
      assertThat(server.isAlive()).isFalse();
      assertThatThrownBy(server::pause).hasMessage(server + " does not run");
    }
  }

  @Test
  void stopped_servers_free_their_ports_and_stay_stopped() {
    int first = freePorts();
    MemcachedServers servers = MemcachedServers.start(SPEC, directory, first, COUNT);
    servers.servers().get(0).stop();
    assertThat(servers.servers().get(0).isAlive()).isFalse();

    servers.close();

    assertThat(servers.servers()).noneMatch(MemcachedServer::isAlive);
    assertThat(IntStream.range(first, first + COUNT))
        .allMatch(port -> TcpPort.isFree("127.0.0.1", port));
    assertThatThrownBy(() -> servers.servers().get(0).start())
        .hasMessage("these memcached servers are closed");
  }

  @Test
  void a_port_in_use_is_told_before_anything_starts() throws IOException {
    int first = freePorts();
    try (ServerSocket taken = new ServerSocket(first + 2, 1, InetAddress.getByName("127.0.0.1"))) {
      assertThatThrownBy(() -> MemcachedServers.start(SPEC, directory.resolve("new"), first, COUNT))
          .isInstanceOf(PreflightException.class)
          .hasMessage(
              "cannot start: ports: in use: 127.0.0.1:%d, needed: free ports",
              taken.getLocalPort());
      assertThat(directory.resolve("new")).doesNotExist();
    }
  }

  @Test
  void a_missing_program_is_told_with_the_package_that_has_it() {
    MemcachedSpec missing = new MemcachedSpec("memcached-absent", 8, false, 1 << 20, List.of());

    assertThatThrownBy(() -> MemcachedServers.start(missing, directory, freePorts(), COUNT))
        .isInstanceOf(PreflightException.class)
        .hasMessageStartingWith("cannot start: memcached: memcached-absent is no program in ")
        .hasMessageEndingWith("needed: the Debian package memcached (apt-get install memcached)");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void ports_and_counts_beyond_the_range_are_refused() {
    assertThatThrownBy(() -> MemcachedServers.start(SPEC, directory, 80, 1))
        .hasMessage("first port of 1 servers is 80, not in 1024..65535");
    assertThatThrownBy(() -> MemcachedServers.start(SPEC, directory, 65_534, 3))
        .hasMessage("first port of 3 servers is 65534, not in 1024..65533");
    assertThatThrownBy(() -> MemcachedServers.start(SPEC, directory, 21_000, 0))
        .hasMessage("servers are 0, not 1 or more");
  }

  @Test
  void an_option_that_memcached_refuses_is_told_in_its_own_words() {
    MemcachedSpec wrong = new MemcachedSpec("memcached", 8, false, 1 << 20, List.of("nonsense"));
    int first = freePorts();

    assertThatThrownBy(() -> MemcachedServers.start(wrong, directory, first, 1))
        .isInstanceOf(MemcachedStartException.class)
        .hasMessage(
            "memcached on 127.0.0.1:%d did not start: Illegal suboption \"nonsense\" (log: %s)",
            first, directory.resolve("memcached-" + first + ".log"));
  }

  @Test
  void one_that_fails_stops_all_and_is_named() throws IOException {
    int first = freePorts();
    Path failing = directory.resolve("memcached");
    Files.writeString(
        failing,
        """
        #!/bin/sh
        case "$*" in *"-p %1$d "*)
          i=0
          while [ $(cat "%2$s" 2>/dev/null | wc -l) -lt %3$d ] && [ $i -lt 100 ]; do
            sleep 0.1; i=$((i + 1))
          done
          echo "no such luck" >&2; exit 71;;
        esac
        echo $$ >> "%2$s"
        exec "%4$s" "$@"
        """
            .formatted(
                first + 1,
                directory.resolve("pids"),
                COUNT - 1,
                MemcachedProgram.find("memcached").orElseThrow().file()));
    assertThat(failing.toFile().setExecutable(true)).isTrue();
    MemcachedSpec spec = new MemcachedSpec(failing.toString(), 8, false, 1 << 20, List.of());

    assertThatThrownBy(() -> MemcachedServers.start(spec, directory, first, COUNT))
        .isInstanceOf(MemcachedStartException.class)
        .hasMessageContaining("127.0.0.1:" + (first + 1))
        .hasMessageContaining("no such luck");

    assertThat(Files.readAllLines(directory.resolve("pids")))
        .hasSize(COUNT - 1)
        .allMatch(pid -> ProcessHandle.of(Long.parseLong(pid)).isEmpty());
  }

  @Test
  void servers_end_with_the_jvm_that_started_them() throws Exception {
    Process owner =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Owner.class.getName(),
                directory.toString(),
                String.valueOf(freePorts()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader lines = owner.inputReader(UTF_8)) {
      List<Long> pids = Stream.of(lines.readLine().split(" ")).map(Long::valueOf).toList();
      assertThat(pids).hasSize(COUNT).allMatch(pid -> ProcessHandle.of(pid).isPresent());

      owner.destroy();

      await()
          .atMost(40, TimeUnit.SECONDS)
          .until(() -> pids.stream().allMatch(MemcachedServersTest::hasEnded));
    } finally {
      owner.destroyForcibly();
    }
  }

  /** Starts servers, prints their process ids and waits. */
  static final class Owner {
    private Owner() {}

    public static void main(String[] arguments) throws IOException {
      Path directory = Path.of(arguments[0]);
      MemcachedServers servers =
          MemcachedServers.start(SPEC, directory, Integer.parseInt(arguments[1]), COUNT);
      // a paused one must not be left behind either
      servers.servers().get(1).pause();
      System.out.println(
          String.join(
              " ",
              servers.servers().stream().map(server -> String.valueOf(server.pid())).toList()));
      System.in.read();
    }
  }

  /** The first of {@link #COUNT} free ports. */
  private static int freePorts() {
    return IntStream.iterate(12_011 + (int) (ProcessHandle.current().pid() % 2000), i -> i + COUNT)
        .filter(
            first ->
                IntStream.range(first, first + COUNT)
                    .allMatch(port -> TcpPort.isFree("127.0.0.1", port)))
        .findFirst()
        .orElseThrow();
  }

  /** Whether a process has ended, even if its parent has not collected it yet. */
  private static boolean hasEnded(long pid) {
    try {
      return Files.readString(Path.of("/proc", String.valueOf(pid), "stat")).contains(") Z ");
    } catch (IOException gone) {
      return true;
    }
  }

  private static String version() {
    return MemcachedProgram.find("memcached").orElseThrow().version();
  }

  private static List<String> settings(MemcachedServer server) throws IOException {
    try (Socket socket = connect(server, ANSWER_MILLIS)) {
      socket.getOutputStream().write("stats settings\r\nquit\r\n".getBytes(UTF_8));
      return new String(socket.getInputStream().readAllBytes(), UTF_8)
          .lines()
          .map(line -> line.replaceFirst("^STAT ", ""))
          .toList();
    }
  }

  private static String ask(MemcachedServer server, String command) throws IOException {
    return ask(server, command, ANSWER_MILLIS);
  }

  private static String ask(MemcachedServer server, String command, int limitMillis)
      throws IOException {
    try (Socket socket = connect(server, limitMillis)) {
      socket.getOutputStream().write((command + "\r\nquit\r\n").getBytes(UTF_8));
      return new String(socket.getInputStream().readAllBytes(), UTF_8)
          .lines()
          .findFirst()
          .orElse("");
    }
  }

  private static Socket connect(MemcachedServer server, int limitMillis) throws IOException {
    Socket socket = new Socket("127.0.0.1", server.port());
    socket.setSoTimeout(limitMillis);
    return socket;
  }
}
