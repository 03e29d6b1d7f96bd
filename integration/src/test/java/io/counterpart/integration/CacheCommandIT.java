package io.counterpart.integration;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.counterpart.memcached.MemcachedProgram;
import io.counterpart.memcached.tier.Tier;
import io.counterpart.process.ProcessIdentity;
import io.counterpart.process.TcpPort;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The memory tier as a user runs it, each command in a process of its own. */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("tier of the command line") // one method after the other
class CacheCommandIT {

  private static final Path HOME = Path.of("target/cache-command-it").toAbsolutePath();

  private static final int OBJECTS = 400;

  private final Launcher launcher = new Launcher(HOME.resolveSibling("cache-command-it-output"));
  private int port;

  @BeforeEach
  void find_ports() {
    assumeThat(MemcachedProgram.find("memcached")).as(MemcachedProgram.ADVICE).isPresent();
    port =
        IntStream.iterate(13_011, i -> i + 10)
            .filter(
                first ->
                    IntStream.rangeClosed(first - 1, first + 8)
                        .allMatch(one -> TcpPort.isFree("127.0.0.1", one)))
            .findFirst()
            .orElseThrow();
  }

  @AfterEach
  void leave_nothing() {
    Tier.recorded(HOME).ifPresent(Tier::stop);
  }

  @Test
  void objects_outlive_a_killed_proxy_and_down_leaves_no_process() throws Exception {
    List<String> options =
        List.of(
            "--home=" + HOME,
            "--scheme=vanilla",
            "--port=" + port,
            "--servers=2",
            "--memory=8",
            "--heap=64");
    JsonNode up = launcher.run("cache", "up", options, "--json").ok().json();
    assertThat(up.at("/proxies/0/address").asText()).isEqualTo("127.0.0.1:" + port);
    assertThat(up.get("servers")).hasSize(2);
    for (int i = 0; i < 20; i++) {
      assertThat(ask("set k" + i + " 0 0 1\r\nv\r\n")).isEqualTo("STORED\r\n");
    }
    List<Long> pids = pids(up);
    ProcessIdentity proxy = ProcessIdentity.of(pids.get(0)).orElseThrow();

    Launcher.Outcome second = launcher.run("cache", "up", options);

    assertThat(second.exitCode()).isEqualTo(3);
    assertThat(second.err()).contains("already runs under " + HOME, "127.0.0.1:" + port);
    assertThat(launcher.run("cache", "up", "--home=" + HOME, "--servers=5").err())
        .contains("--servers is 5, but the tier that runs under " + HOME + " has 2");

    proxy.kill();

    Launcher.Outcome degraded = launcher.run("cache", "status", "--home=" + HOME);
    assertThat(degraded.exitCode()).isEqualTo(1);
    assertThat(degraded.out()).contains("down", "its process has ended");
    JsonNode again = launcher.run("cache", "up", options, "--json").ok().json();
    assertThat(pids(again).subList(1, 3)).isEqualTo(pids.subList(1, 3));
    for (int i = 0; i < 20; i++) {
      assertThat(ask("get k" + i + "\r\n")).isEqualTo("VALUE k" + i + " 0 1\r\nv\r\nEND\r\n");
    }

    JsonNode status = launcher.run("cache", "status", "--home=" + HOME, "--json").ok().json();
    assertThat(status.at("/proxies/0/state").asText()).isEqualTo("up");
    assertThat(status.at("/proxies/0/hitPercent").asDouble()).isEqualTo(100);
    assertThat(status.at("/proxies/0/gets").asLong()).isEqualTo(20);
    assertThat(status.at("/servers/0/items").asLong() + status.at("/servers/1/items").asLong())
        .isEqualTo(20);
    assertThat(CacheMonitoring.metrics(status.at("/proxies/0/metrics").asText()))
        .contains("counterpart_cache_gets_total{result=\"hit\"} 20.0");

    launcher.run("cache", "down", "--home=" + HOME).ok();

    List<Long> all = new ArrayList<>(pids(again));
    all.addAll(pids);
    assertThat(all).allMatch(CacheCommandIT::hasEnded);
    assertThat(IntStream.rangeClosed(port - 1, port + 2))
        .allMatch(one -> TcpPort.isFree("127.0.0.1", one));
    assertThat(Tier.recorded(HOME)).isEmpty();
  }

  @Test
  void ctrl_c_during_the_start_leaves_no_process() throws Exception {
    // one that has ended before it is interrupted proves nothing
    int exitCode = 0;
    for (int attempt = 1; attempt <= 5 && exitCode == 0; attempt++) {
      leave_nothing();
      exitCode = interruptUp();
    }

    assertThat(exitCode).isEqualTo(130);
    assertThat(Tier.recorded(HOME)).isEmpty();
    assertThat(Tier.metadata(HOME)).doesNotExist();
  }

  /** The exit code; 0 if all of the tier serves, since its start ended before the interrupt. */
  private int interruptUp() throws Exception {
    Process up = launcher.start("cache", "up", "--home=" + HOME, "--port=" + port, "--code=3,2");
    await()
        .atMost(Duration.ofSeconds(120))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> Tier.recorded(HOME).filter(Tier::isProxyAlive).isPresent());
    Tier tier = Tier.recorded(HOME).orElseThrow();

    Launcher.interrupt(up);

    int exitCode = up.waitFor();
    if (!tier.isRunning()) {
      return exitCode;
    }
    launcher.run("cache", "status", "--home=" + HOME).ok();
    return 0;
  }

  @Test
  void coded_objects_outlive_servers_the_proxy_and_changes_of_servers() throws Exception {
    String home = "--home=" + HOME;
    List<String> options =
        List.of(home, "--port=" + port, "--code=5,3", "--servers=6", "--memory=8", "--heap=64");
    Launcher.Outcome started = launcher.run("cache", "up", options, "--json").ok();
    JsonNode up = started.json();
    assertThat(up.at("/proxies/0/scheme").asText()).isEqualTo("echash");
    assertThat(up.at("/coded/objects/ringsUp").asInt()).isEqualTo(5);
    storeAll();
    String metrics = up.at("/proxies/0/metrics").asText();

    kill(pids(up).get(2));
    kill(pids(up).get(3));

    readAll();
    Launcher.Outcome refused = launcher.run("cache", "add-server", home);
    assertThat(refused.exitCode()).isEqualTo(3);
    assertThat(refused.err())
        .contains("2 of 5 rings have a server that is down, legal while servers change: 0 to 1");
    JsonNode status = launcher.run("cache", "status", home, "--json").json();
    assertThat(status.at("/coded/objects/ringsUp").asInt()).isEqualTo(3);
    assertThat(status.at("/coded/degradedPercent").asDouble()).isPositive();

    launcher.run("cache", "up", home).ok();

    awaitMetric(metrics, "counterpart_cache_servers{state=\"up\"} 6.0");
    readAll();

    Process adding = launcher.start("cache", "add-server", home, "--count=2");
    while (adding.isAlive()) {
      readAll();
    }
    assertThat(adding.waitFor()).isZero();
    assertThat(CacheMonitoring.metrics(metrics))
        .contains("counterpart_cache_servers{state=\"up\"} 8.0");
    Launcher.Outcome unknown = launcher.run("cache", "remove-server", home, "a:1");
    assertThat(unknown.exitCode()).isEqualTo(2);
    assertThat(unknown.err()).contains("server a:1, legal: one of [127.0.0.1:" + (port + 1));

    // one of each of three rings: two waves
    Process removing =
        launcher.start(
            "cache",
            "remove-server",
            home,
            String.valueOf(port + 1),
            String.valueOf(port + 2),
            String.valueOf(port + 3));
    Path change = Tier.metadata(HOME).resolve("change");
    await()
        .atMost(Duration.ofSeconds(120))
        .pollInterval(Duration.ofMillis(1))
        .until(() -> Files.exists(change) || !removing.isAlive());
    kill(Tier.recorded(HOME).orElseThrow().proxies().get(0).pid());
    assertThat(removing.waitFor()).isIn(0, 1);
    launcher.run("cache", "up", home).ok();
    readAll();
    await().atMost(Duration.ofSeconds(120)).until(() -> !Files.exists(change));
    // if the change has ended after the first one
    assertThat(launcher.run("cache", "up", home).exitCode()).isIn(0, 3);
    JsonNode removed = launcher.run("cache", "status", home, "--json").ok().json();
    assertThat(removed.get("servers"))
        .extracting(server -> server.get("address").asText())
        .containsExactlyInAnyOrder(
            IntStream.rangeClosed(port + 4, port + 8)
                .mapToObj(one -> "127.0.0.1:" + one)
                .toArray(String[]::new));
    assertThat(IntStream.rangeClosed(port + 1, port + 3))
        .allMatch(one -> TcpPort.isFree("127.0.0.1", one));
    readAll();
    assertThat(launcher.run("cache", "status", home).out())
        .contains("echash (5,3)", "5 of 5 rings up", "objects: " + OBJECTS, "no persistent store");

    launcher.run("cache", "down", home).ok();

    assertThat(IntStream.rangeClosed(port - 1, port + 8))
        .allMatch(one -> TcpPort.isFree("127.0.0.1", one));
    assertThat(Tier.metadata(HOME)).doesNotExist();
  }

  @Test
  void objects_of_two_shards_outlive_the_proxy_and_changes_of_servers() throws Exception {
    String home = "--home=" + HOME;
    List<String> options =
        List.of(home, "--port=" + port, "--shards=2", "--code=3,2", "--memory=8");
    JsonNode up = launcher.run("cache", "up", options, "--json").ok().json();
    assertThat(shards(up)).containsExactly(0, 0, 0, 1, 1, 1);
    assertThat(roles(up)).containsExactly("owner of 2 of 2 shards");
    storeAll();
    assertThat(launcher.run("cache", "up", home, "--shards=3").err())
        .contains("--shards is 3, but the tier that runs under " + HOME + " has 2");

    // a server that was late for the start is restored first
    String metrics = up.at("/proxies/0/metrics").asText();
    awaitMetric(metrics, "counterpart_cache_servers{state=\"up\"} 6.0");
    launcher.run("cache", "add-server", home).ok();

    assertThat(shards(launcher.run("cache", "status", home, "--json").ok().json()))
        .containsExactly(0, 0, 0, 1, 1, 1, 0);
    readAll();
    Launcher.Outcome mixed =
        launcher.run(
            "cache", "remove-server", home, String.valueOf(port + 1), String.valueOf(port + 4));
    assertThat(mixed.exitCode()).isEqualTo(2);
    assertThat(mixed.err()).contains("legal: some of one shard, of [");

    launcher.run("cache", "remove-server", home, String.valueOf(port + 7)).ok();

    assertThat(TcpPort.isFree("127.0.0.1", port + 7)).isTrue();
    readAll();
    kill(pids(up).get(0));
    launcher.run("cache", "up", home).ok();
    readAll();
    assertThat(launcher.run("cache", "status", home).ok().out())
        .contains("2 shards, each with at least 3 of 3 rings up", "objects: " + OBJECTS);

    launcher.run("cache", "down", home).ok();
    assertThat(IntStream.rangeClosed(port - 1, port + 8))
        .allMatch(one -> TcpPort.isFree("127.0.0.1", one));
    assertThat(Tier.metadata(HOME)).doesNotExist();
  }

  private static List<Integer> shards(JsonNode view) {
    List<Integer> shards = new ArrayList<>();
    view.get("servers").forEach(server -> shards.add(server.path("shard").asInt(-1)));
    return shards;
  }

  @Test
  void two_proxies_serve_one_tier_and_one_takes_over_from_the_other() throws Exception {
    String home = "--home=" + HOME;
    int first = port + 1; // the second one's metrics are two ports below
    List<String> options =
        List.of(
            home,
            "--port=" + first,
            "--proxies=2",
            "--code=3,2",
            "--servers=3",
            "--memory=8",
            "--heap=64");
    JsonNode up = launcher.run("cache", "up", options, "--json").ok().json();
    assertThat(roles(up)).containsExactly("owner", "follower");
    port = first;
    storeAll();
    port = first + 1;
    String follower = up.at("/proxies/1/metrics").asText();
    // `up` has asked it for its statistics, some of which the owner answers, before these reads
    readAll();
    long forwarded = forwarded(follower);
    readAll();
    assertThat(CacheMonitoring.metrics(follower)).contains("counterpart_cache_owner 0.0");
    assertThat(forwarded(follower)).isEqualTo(forwarded + OBJECTS);

    kill(up.at("/proxies/0/pid").asLong());

    // requests wait for the new owner, but not longer than clients do
    await().atMost(Duration.ofSeconds(60)).untilAsserted(this::readAll);
    Launcher.Outcome status = launcher.run("cache", "status", home, "--json");
    assertThat(status.exitCode()).isEqualTo(1);
    assertThat(roles(status.json())).containsExactly("", "owner");
    // a server that was late for the new owner's start is restored first
    awaitMetric(follower, "counterpart_cache_servers{state=\"up\"} 3.0");
    launcher.run("cache", "add-server", home).ok();
    JsonNode again = launcher.run("cache", "up", home, "--json").ok().json();
    assertThat(roles(again)).containsExactly("follower", "owner");
    assertThat(again.get("servers")).hasSize(4);
    port = first;
    readAll();

    // the first proxy hands it to the owner
    launcher.run("cache", "remove-server", home, String.valueOf(first + 5)).ok();
    assertThat(launcher.run("cache", "status", home, "--json").ok().json().get("servers"))
        .hasSize(3);
    readAll();

    launcher.run("cache", "down", home).ok();
    assertThat(IntStream.rangeClosed(first - 2, first + 5))
        .allMatch(one -> TcpPort.isFree("127.0.0.1", one));
  }

  private static long forwarded(String address) throws Exception {
    String name = "counterpart_cache_forwarded_total{result=\"answered\"} ";
    return CacheMonitoring.metrics(address)
        .lines()
        .filter(line -> line.startsWith(name))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(name.length())))
        .sum();
  }

  private static List<String> roles(JsonNode view) {
    List<String> roles = new ArrayList<>();
    view.get("proxies").forEach(proxy -> roles.add(proxy.path("role").asText()));
    return roles;
  }

  private void storeAll() throws IOException {
    StringBuilder requests = new StringBuilder();
    for (int i = 0; i < OBJECTS; i++) {
      requests.append("set k%d 0 0 %d\r\n%s\r\n".formatted(i, value(i).length(), value(i)));
    }
    assertThat(ask(requests.toString())).isEqualTo("STORED\r\n".repeat(OBJECTS));
  }

  private void readAll() throws IOException {
    StringBuilder requests = new StringBuilder();
    StringBuilder expected = new StringBuilder();
    for (int i = 0; i < OBJECTS; i++) {
      requests.append("get k%d\r\n".formatted(i));
      expected.append("VALUE k%d 0 %d\r\n%s\r\nEND\r\n".formatted(i, value(i).length(), value(i)));
    }
    assertThat(ask(requests.toString())).isEqualTo(expected.toString());
  }

  private static String value(int i) {
    return ("value-" + i + "-").repeat(1 + i % 30);
  }

  private static void kill(long pid) {
    ProcessIdentity.of(pid).orElseThrow().kill();
  }

  private static void awaitMetric(String url, String line) {
    await()
        .atMost(Duration.ofSeconds(120))
        .until(() -> CacheMonitoring.metrics(url).contains(line));
  }

  private static List<Long> pids(JsonNode view) {
    List<Long> pids = new ArrayList<>(List.of(view.at("/proxies/0/pid").asLong()));
    view.get("servers").forEach(server -> pids.add(server.get("pid").asLong()));
    return pids;
  }

  private static boolean hasEnded(long pid) {
    return ProcessIdentity.of(pid).filter(ProcessIdentity::isAlive).isEmpty();
  }

  private String ask(String request) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.getOutputStream().write((request + "quit\r\n").getBytes(ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }
  }
}
