package io.counterpart.memcached.tier;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.memcached.MemcachedProgram;
import io.counterpart.memcached.MemcachedSpec;
import io.counterpart.process.Check;
import io.counterpart.process.PreflightException;
import io.counterpart.process.TcpPort;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A tier's processes, all real; a further memcached stands in for the proxy. */
@Timeout(120)
class TierTest {

  private static final MemcachedSpec SPEC = MemcachedSpec.forCache(8);
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Map<String, String> OPTIONS = Map.of("--port", "1");

  @TempDir Path directory;

  private Path home;
  private int port;
  private List<Integer> serverPorts;

  @BeforeEach
  void find_ports() {
    assumeThat(MemcachedProgram.find("memcached")).as("memcached").isPresent();
    home = directory.resolve("tier");
    port =
        IntStream.iterate(14_311 + (int) (ProcessHandle.current().pid() % 2000), i -> i + 3)
            .filter(
                first ->
                    IntStream.rangeClosed(first, first + 2)
                        .allMatch(one -> TcpPort.isFree("127.0.0.1", one)))
            .findFirst()
            .orElseThrow();
    serverPorts = List.of(port + 1, port + 2);
  }

  @AfterEach
  void leave_nothing() {
    Tier.recorded(home).ifPresent(Tier::stop);
  }

  @Test
  void a_tier_is_found_again_and_stopped() {
    Tier tier = Tier.planned(home, OPTIONS, serverPorts);
    assertThat(tier.isRunning()).isFalse();
    assertThat(home).doesNotExist();

    tier.start(SPEC, proxy());

    assertThat(tier.isComplete()).isTrue();
    Tier found = Tier.recorded(home).orElseThrow();
    assertThat(found.isComplete()).isTrue();
    assertThat(found.options()).isEqualTo(OPTIONS);
    assertThat(found.proxies().get(0).pid()).isEqualTo(tier.proxies().get(0).pid()).isPositive();
    assertThat(found.servers()).isEqualTo(tier.servers());

    assertThat(found.stop()).isEqualTo(3);

    assertThat(tier.isRunning()).isFalse();
    assertThat(Tier.recorded(home)).isEmpty();
    assertThat(TcpPort.isFree("127.0.0.1", port)).isTrue();
  }

  @Test
  void a_proxy_has_time_to_write_what_its_store_lacks() {
    Path begun = directory.resolve("begun");
    Path written = directory.resolve("written");
    String script =
        "trap 'sleep 4; echo > %s; exit 0' TERM; echo > %s; while :; do sleep 0.1; done"
            .formatted(written, begun);
    Tier tier = Tier.planned(home, OPTIONS, List.of());
    tier.start(
        SPEC, new ProxyLaunch(List.of("sh", "-c", script), () -> Files.exists(begun), LIMIT));

    assertThat(tier.stop()).isEqualTo(1);

    assertThat(written).exists();
  }

  @Test
  void each_of_several_proxies_is_started_again_when_it_has_ended() {
    Tier tier = Tier.planned(home, OPTIONS, List.of(port + 2), 2);
    IntFunction<ProxyLaunch> launches =
        number -> new ProxyLaunch(proxyCommand(port + number), () -> accepts(port + number), LIMIT);
    tier.start(SPEC, launches);
    List<TierProxy> before = tier.proxies();
    assertThat(before).extracting(TierProxy::isAlive).containsExactly(true, true);
    kill(before.get(1).pid());
    Tier damaged = Tier.recorded(home).orElseThrow();
    assertThat(damaged.isComplete()).isFalse();
    assertThat(damaged.isProxyAlive()).isTrue();
    assertThat(damaged.deadProxies()).containsExactly(1);

    damaged.start(SPEC, launches);

    assertThat(damaged.isComplete()).isTrue();
    assertThat(damaged.proxies().get(0)).isEqualTo(before.get(0));
    assertThat(home.resolve("proxy.log")).exists();
    assertThat(home.resolve("proxy-2.log")).exists();
    assertThat(damaged.stop()).isEqualTo(3);
    assertThat(damaged.isProxyAlive()).isFalse();
  }

  @Test
  void what_has_ended_is_started_again_and_the_rest_left_alone() {
    Tier tier = Tier.planned(home, OPTIONS, serverPorts);
    tier.start(SPEC, proxy());
    List<TierServer> before = tier.servers();
    kill(tier.proxies().get(0).pid());
    kill(before.get(1).process().pid());
    Tier damaged = Tier.recorded(home).orElseThrow();
    assertThat(damaged.isComplete()).isFalse();
    assertThat(damaged.isRunning()).isTrue();
    assertThat(damaged.deadPorts()).containsExactly(port + 2);

    damaged.start(SPEC, proxy());

    assertThat(damaged.isComplete()).isTrue();
    assertThat(damaged.servers().get(0)).isEqualTo(before.get(0));
    assertThat(damaged.servers().get(1)).isNotEqualTo(before.get(1));
    assertThat(Tier.recorded(home).orElseThrow().isComplete()).isTrue();
  }

  @Test
  void a_proxy_that_does_not_start_is_told_in_its_own_words_and_nothing_is_left() {
    Tier tier = Tier.planned(home, OPTIONS, serverPorts);
    ProxyLaunch failing =
        new ProxyLaunch(
            List.of("sh", "-c", "echo first; echo no such luck; exit 3"), () -> false, LIMIT);

    assertThatThrownBy(() -> tier.start(SPEC, failing))
        .isInstanceOf(TierStartException.class)
        .hasMessage(
            "the proxy did not start: first; no such luck (log: %s)", home.resolve("proxy.log"));

    assertThat(tier.isRunning()).isFalse();
    assertThat(Tier.recorded(home)).isEmpty();
    assertThat(serverPorts).allMatch(one -> TcpPort.isFree("127.0.0.1", one));
  }

  @Test
  void servers_that_ran_before_outlive_a_proxy_that_does_not_start() {
    Tier tier = Tier.planned(home, OPTIONS, serverPorts);
    tier.start(SPEC, proxy());
    kill(tier.proxies().get(0).pid());

    assertThatThrownBy(
            () ->
                tier.start(
                    SPEC, new ProxyLaunch(List.of("sh", "-c", "exit 3"), () -> false, LIMIT)))
        .isInstanceOf(TierStartException.class)
        .hasMessageContaining("its process ended without a message");

    assertThat(Tier.recorded(home).orElseThrow().deadPorts()).isEmpty();
  }

  @Test
  void a_tier_that_does_not_start_again_keeps_its_options() {
    Tier tier = Tier.planned(home, OPTIONS, serverPorts);
    tier.start(SPEC, proxy());
    kill(tier.proxies().get(0).pid());
    tier.servers().forEach(server -> kill(server.process().pid()));
    Tier ended = Tier.recorded(home).orElseThrow();

    assertThatThrownBy(
            () ->
                ended.start(
                    SPEC, new ProxyLaunch(List.of("sh", "-c", "exit 3"), () -> false, LIMIT)))
        .isInstanceOf(TierStartException.class);

    Tier kept = Tier.recorded(home).orElseThrow();
    assertThat(kept.isRunning()).isFalse();
    assertThat(kept.options()).isEqualTo(OPTIONS);
    kept.start(SPEC, proxy());
    assertThat(kept.isComplete()).isTrue();
  }

  @Test
  void metadata_live_as_long_as_one_of_the_servers() throws IOException {
    Path kept = Tier.metadata(home).resolve("shard-0/start");
    Files.createDirectories(kept.getParent());
    Files.writeString(kept, "of servers that are gone", UTF_8);
    Tier tier = Tier.planned(home, OPTIONS, serverPorts);

    tier.start(SPEC, proxy());

    assertThat(Tier.metadata(home)).doesNotExist();
    Files.createDirectories(kept.getParent());
    Files.writeString(kept, "of these servers", UTF_8);
    kill(tier.proxies().get(0).pid());
    kill(tier.servers().get(0).process().pid());
    Tier.recorded(home).orElseThrow().start(SPEC, proxy());
    assertThat(kept).exists();

    Tier.recorded(home).orElseThrow().stop();

    assertThat(Tier.metadata(home)).doesNotExist();
  }

  @Test
  void metadata_of_servers_that_somebody_else_runs_stay() throws IOException {
    Path kept = Tier.metadata(home).resolve("shard-0/start");
    Files.createDirectories(kept.getParent());
    Files.writeString(kept, "of servers that run elsewhere", UTF_8);
    Tier tier = Tier.planned(home, OPTIONS, List.of());

    tier.start(SPEC, proxy());
    tier.stop();

    assertThat(kept).exists();
  }

  @Test
  void servers_are_recorded_when_they_are_added_and_forgotten_when_they_are_removed() {
    Tier tier = Tier.planned(home, OPTIONS, List.of(port + 1));
    tier.start(SPEC, proxy());

    tier.addServers(SPEC, List.of(port + 2));
    tier.setOptions(Map.of("--port", "2"));

    Tier found = Tier.recorded(home).orElseThrow();
    assertThat(found.servers()).extracting(TierServer::port).containsExactly(port + 1, port + 2);
    assertThat(found.isComplete()).isTrue();
    assertThat(found.options()).containsExactly(Map.entry("--port", "2"));

    found.removeServers(List.of(port + 1));

    assertThat(TcpPort.isFree("127.0.0.1", port + 1)).isTrue();
    assertThat(Tier.recorded(home).orElseThrow().servers())
        .extracting(TierServer::port)
        .containsExactly(port + 2);
    assertThat(Tier.recorded(home).orElseThrow().isComplete()).isTrue();
  }

  @Test
  void servers_that_cannot_be_added_are_forgotten() throws IOException {
    Tier tier = Tier.planned(home, OPTIONS, List.of(port + 1));
    tier.start(SPEC, proxy());
    try (ServerSocket taken = new ServerSocket(port + 2, 1, InetAddress.getByName("127.0.0.1"))) {
      assertThatThrownBy(() -> tier.addServers(SPEC, List.of(taken.getLocalPort())))
          .isInstanceOf(PreflightException.class);
    }

    Tier found = Tier.recorded(home).orElseThrow();
    assertThat(found.servers()).extracting(TierServer::port).containsExactly(port + 1);
    assertThat(found.isComplete()).isTrue();
  }

  @Test
  void a_process_that_only_has_the_number_of_one_is_left_alone() throws IOException {
    Tier tier = Tier.planned(home, OPTIONS, serverPorts);
    tier.start(SPEC, proxy());
    Path file = TierState.file(home);
    String state = Files.readString(file);
    Files.writeString(file, state.replaceAll("\"startTicks\" : \\d+", "\"startTicks\" : 1"), UTF_8);

    assertThat(Tier.recorded(home).orElseThrow().stop()).isZero();

    assertThat(tier.isComplete()).isTrue();
    Files.writeString(file, state, UTF_8);
  }

  @Test
  void a_damaged_record_is_told_with_its_file() throws IOException {
    Files.createDirectories(home);
    Files.writeString(TierState.file(home), "{", UTF_8);

    assertThatThrownBy(() -> Tier.recorded(home))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageStartingWith("cannot read the tier's state in " + TierState.file(home));
    Files.delete(TierState.file(home));
  }

  @Test
  void one_command_at_a_time_has_the_lock() throws Exception {
    TierLock lock = TierLock.take(home).orElseThrow();
    assertThat(TierLock.take(home)).isEmpty();

    lock.close();

    TierLock.take(home).orElseThrow().close();
  }

  @Test
  void what_is_missing_is_found_before_a_start() throws IOException {
    try (ServerSocket taken = new ServerSocket(port + 1, 1, InetAddress.getByName("127.0.0.1"))) {
      TierPreflight.Need need =
          new TierPreflight.Need(
              serverPorts,
              new MemcachedSpec("memcached-absent", 1 << 20, true, 1 << 20, List.of()),
              List.of(new TierPreflight.Listening("clients", "127.0.0.1", port)),
              1,
              512);

      assertThat(TierPreflight.check(need))
          .extracting(Check::passed, Check::name)
          .containsExactly(
              tuple(false, "memcached"), tuple(false, "ports"), tuple(false, "memory"));
      assertThat(new PreflightException(TierPreflight.check(need)))
          .hasMessageContaining("no program memcached-absent in PATH")
          .hasMessageContaining("in use: 127.0.0.1:" + taken.getLocalPort() + " (memcached)")
          .hasMessageContaining("MiB for 2 servers of 1048576 MiB and the proxy");
    }
  }

  @Test
  void a_start_that_is_interrupted_leaves_no_process() throws Exception {
    Process starting =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Starter.class.getName(),
                home.toString(),
                String.valueOf(port))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader lines = starting.inputReader(UTF_8)) {
      assertThat(lines.readLine()).isEqualTo("asked");
      Tier tier = Tier.recorded(home).orElseThrow();
      assertThat(tier.isComplete()).isTrue();

      starting.destroy();

      assertThat(starting.waitFor()).isEqualTo(143);
      await().atMost(40, TimeUnit.SECONDS).until(() -> !tier.isRunning());
      assertThat(Tier.recorded(home)).isEmpty();
    } finally {
      starting.destroyForcibly();
    }
  }

  /** Starts a tier whose proxy never answers. */
  static final class Starter {
    private Starter() {}

    public static void main(String[] arguments) {
      int port = Integer.parseInt(arguments[1]);
      Tier.planned(Path.of(arguments[0]), OPTIONS, List.of(port + 1, port + 2))
          .start(
              SPEC,
              new ProxyLaunch(
                  proxyCommand(port),
                  () -> {
                    System.out.println("asked");
                    return false;
                  },
                  LIMIT));
    }
  }

  private ProxyLaunch proxy() {
    return new ProxyLaunch(proxyCommand(port), () -> accepts(port), LIMIT);
  }

  private static List<String> proxyCommand(int port) {
    return List.of(
        MemcachedProgram.find("memcached").orElseThrow().file().toString(),
        "-l",
        "127.0.0.1",
        "-p",
        String.valueOf(port),
        "-U",
        "0",
        "-u",
        System.getProperty("user.name"));
  }

  private static boolean accepts(int port) {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      return socket.isConnected();
    } catch (IOException notYet) {
      return false;
    }
  }

  private static void kill(long pid) {
    ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
    process.destroyForcibly();
    process.onExit().join();
  }
}
