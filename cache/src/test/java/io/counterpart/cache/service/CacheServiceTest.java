package io.counterpart.cache.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.protocol.MemcachedProcess;
import io.counterpart.cache.proxy.Access;
import io.counterpart.cache.proxy.MemoryLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A proxy as a whole, on real memcached servers. */
@Timeout(120)
class CacheServiceTest {
  private MemcachedProcess first;
  private MemcachedProcess second;

  @BeforeEach
  void start() throws IOException {
    first = MemcachedProcess.start();
    second = MemcachedProcess.start();
  }

  @AfterEach
  void stop() {
    first.close();
    second.close();
  }

  @Test
  void the_next_proxy_finds_what_the_servers_hold() throws Exception {
    try (CacheService service = CacheService.start(Services.options(Access.OPEN, first, second))) {
      for (int i = 0; i < 40; i++) {
        assertThat(ask(service, "set k" + i + " 0 0 1\r\nv\r\n")).isEqualTo("STORED\r\n");
      }
    }

    // in another order
    try (CacheService next = CacheService.start(Services.options(Access.OPEN, second, first))) {
      for (int i = 0; i < 40; i++) {
        assertThat(ask(next, "get k" + i + "\r\n"))
            .isEqualTo("VALUE k" + i + " 0 1\r\nv\r\nEND\r\n");
      }
    }
    for (MemcachedProcess server : List.of(first, second)) {
      assertThat(new String(server.answers("stats\r\n".getBytes(ISO_8859_1)), ISO_8859_1))
          .as("both hold some")
          .containsPattern("STAT curr_items [1-9]");
    }
  }

  @Test
  void metrics_tell_of_clients_objects_and_servers() throws Exception {
    try (CacheService service = CacheService.start(Services.options(Access.OPEN, first, second))) {
      ask(service, "set k 0 0 1\r\nv\r\nget k none\r\nmg k v\r\nmg other v\r\nms m 1\r\nv\r\n");
      ask(service, "touch k 0\r\nflush_all\r\n");

      assertThat(metrics(service))
          .contains(
              "counterpart_cache_connections_total 2.0",
              "counterpart_cache_requests_total 7.0",
              "counterpart_cache_gets_total{result=\"hit\"} 2.0",
              "counterpart_cache_gets_total{result=\"miss\"} 2.0",
              "counterpart_cache_gets_total{result=\"unavailable\"} 0.0",
              "counterpart_cache_stores_total 2.0",
              "counterpart_cache_touches_total 1.0",
              "counterpart_cache_flushes_total 1.0",
              "counterpart_cache_server_up{server=\"127.0.0.1:%d\"} 1.0".formatted(first.port()));
      // the proxy hears of their end a little later than they do
      await()
          .atMost(Duration.ofSeconds(40))
          .untilAsserted(
              () -> assertThat(metrics(service)).contains("counterpart_cache_clients 0.0"));
      assertThat(ask(service, "stats\r\n"))
          .contains("STAT cmd_get 4\r\n", "STAT get_hits 2\r\n", "STAT get_misses 2\r\n")
          .contains("STAT cmd_set 2\r\n", "STAT cmd_touch 1\r\n", "STAT cmd_flush 1\r\n");

      second.close();

      String lost = "{server=\"127.0.0.1:%d\"}".formatted(second.port());
      await()
          .atMost(Duration.ofSeconds(40))
          .untilAsserted(
              () ->
                  // it may have been reached once more while it ended
                  assertThat(metrics(service))
                      .contains("counterpart_cache_server_up" + lost + " 0.0")
                      .doesNotContain("counterpart_cache_server_losses_total" + lost + " 0.0"));
    }
  }

  @Test
  void a_server_that_is_down_does_not_hold_up_the_start() throws Exception {
    second.close();
    try (CacheService service = CacheService.start(Services.options(Access.OPEN, first, second))) {
      StringBuilder answers = new StringBuilder();
      for (int i = 0; i < 20; i++) {
        answers.append(ask(service, "get k" + i + "\r\n"));
      }

      assertThat(answers.toString())
          .contains("END\r\n", "SERVER_ERROR too many servers are down\r\n");
      assertThat(metrics(service)).containsPattern("result=\"unavailable\"} [1-9]");
    }
  }

  @Test
  void an_address_in_use_is_told_and_nothing_is_left() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      InetSocketAddress address =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), taken.getLocalPort());
      List<ServerAddress> servers = Services.addresses(first);
      ServiceOptions clients =
          new ServiceOptions(
              SchemeOptions.VANILLA,
              servers,
              null,
              address,
              Access.OPEN,
              MemoryLimits.ofJvm(),
              null,
              null);
      ServiceOptions metrics =
          new ServiceOptions(
              SchemeOptions.VANILLA,
              servers,
              null,
              Services.ANY_PORT,
              Access.OPEN,
              MemoryLimits.ofJvm(),
              address,
              null);

      assertThatThrownBy(() -> CacheService.start(clients))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("cannot listen on")
          .hasMessageContaining(String.valueOf(taken.getLocalPort()));
      assertThatThrownBy(() -> CacheService.start(metrics))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("cannot tell metrics on")
          .hasMessageContaining(String.valueOf(taken.getLocalPort()));
    }
    await()
        .atMost(Duration.ofSeconds(40))
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().startsWith("cache-proxy")));
  }

  @Test
  void bad_options_are_refused_with_value_and_what_is_legal() {
    List<ServerAddress> servers = Services.addresses(first);
    assertThatThrownBy(() -> Scheme.parse("best"))
        .hasMessage("scheme is 'best', legal: echash, vanilla");
    assertThat(Scheme.parse("vanilla")).isEqualTo(Scheme.VANILLA);
    assertThatThrownBy(() -> Services.options(Access.OPEN))
        .hasMessage("0 servers, legal with scheme vanilla: 1 or more");
    assertThatThrownBy(() -> Services.options(Access.OPEN, first, first))
        .hasMessage("server 127.0.0.1:%d twice, legal: each once", first.port());
    assertThatThrownBy(
            () ->
                new ServiceOptions(
                    SchemeOptions.VANILLA,
                    servers,
                    null,
                    new InetSocketAddress("0.0.0.0", 0),
                    Access.OPEN,
                    MemoryLimits.ofJvm(),
                    null,
                    null))
        .hasMessage("0.0.0.0 is not loopback, legal: with TLS and authentication, or 127.0.0.1");
  }

  private static String ask(CacheService service, String requests) {
    return new String(
        MemcachedProcess.answers(service.address().getPort(), requests.getBytes(ISO_8859_1)),
        ISO_8859_1);
  }

  private static String metrics(CacheService service) throws Exception {
    URI uri = URI.create("http://127.0.0.1:%d/metrics".formatted(service.metricsPort()));
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
        .body();
  }
}
