package io.counterpart.integration;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.counterpart.cluster.Ports;
import io.counterpart.cluster.ProcessIdentity;
import io.counterpart.cluster.memcached.MemcachedProgram;
import io.counterpart.cluster.tier.Tier;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The memory tier as a user runs it, each command in a process of its own. */
@Timeout(120)
@OnUsualPorts
class CacheCommandIT {

  private static final Path HOME = Path.of("target/cache-command-it").toAbsolutePath();

  private final Launcher launcher = new Launcher(HOME.resolveSibling("cache-command-it-output"));
  private int port;

  @BeforeEach
  void find_ports() {
    assumeThat(MemcachedProgram.find("memcached")).as(MemcachedProgram.ADVICE).isPresent();
    port =
        IntStream.iterate(13_011, i -> i + 4)
            .filter(
                first ->
                    IntStream.rangeClosed(first - 1, first + 2)
                        .allMatch(one -> Ports.isFree("127.0.0.1", one)))
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
        List.of("--home=" + HOME, "--port=" + port, "--servers=2", "--memory=8", "--heap=64");
    JsonNode up = launcher.run("cache", "up", options, "--json").ok().json();
    assertThat(up.at("/proxy/address").asText()).isEqualTo("127.0.0.1:" + port);
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
    assertThat(status.at("/proxy/state").asText()).isEqualTo("up");
    assertThat(status.at("/proxy/hitPercent").asDouble()).isEqualTo(100);
    assertThat(status.at("/proxy/gets").asLong()).isEqualTo(20);
    assertThat(status.at("/servers/0/items").asLong() + status.at("/servers/1/items").asLong())
        .isEqualTo(20);
    assertThat(metrics(status.at("/proxy/metrics").asText()))
        .contains("counterpart_cache_gets_total{result=\"hit\"} 20.0");

    launcher.run("cache", "down", "--home=" + HOME).ok();

    List<Long> all = new ArrayList<>(pids(again));
    all.addAll(pids);
    assertThat(all).allMatch(CacheCommandIT::hasEnded);
    assertThat(IntStream.rangeClosed(port - 1, port + 2))
        .allMatch(one -> Ports.isFree("127.0.0.1", one));
    assertThat(Tier.recorded(HOME)).isEmpty();
  }

  @Test
  void ctrl_c_during_the_start_leaves_no_process() throws Exception {
    Process up = launcher.start("cache", "up", "--home=" + HOME, "--port=" + port, "--servers=2");
    await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(2))
        .until(() -> Tier.recorded(HOME).filter(Tier::isProxyAlive).isPresent());
    Tier tier = Tier.recorded(HOME).orElseThrow();

    Launcher.interrupt(up);

    assertThat(up.waitFor()).isEqualTo(130);
    assertThat(tier.isRunning()).isFalse();
    assertThat(Tier.recorded(HOME)).isEmpty();
  }

  private static List<Long> pids(JsonNode view) {
    List<Long> pids = new ArrayList<>(List.of(view.at("/proxy/pid").asLong()));
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

  private static String metrics(String url) throws Exception {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString())
        .body();
  }
}
