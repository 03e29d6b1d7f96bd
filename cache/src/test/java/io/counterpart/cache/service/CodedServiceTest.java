package io.counterpart.cache.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.control.ChangeCancelledException;
import io.counterpart.cache.control.CodedReport;
import io.counterpart.cache.control.ControlClient;
import io.counterpart.cache.control.ServerChange;
import io.counterpart.cache.control.ServerReport;
import io.counterpart.cache.control.TierReport;
import io.counterpart.cache.protocol.MemcachedProcess;
import io.counterpart.cache.proxy.Access;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A proxy with a code as a whole, on real memcached servers. */
@Timeout(90)
class CodedServiceTest {
  private static final CodeShape CODE = new CodeShape(3, 2);
  private static final int OBJECTS = 200;

  @TempDir Path directory;

  private final List<MemcachedProcess> servers = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    for (int i = 0; i < 4; i++) {
      grow();
    }
  }

  @AfterEach
  void stop() {
    servers.forEach(MemcachedProcess::close);
  }

  @Test
  void objects_outlive_a_server_and_the_proxy_and_metrics_tell_of_it() throws Exception {
    try (CacheService service = CacheService.start(options())) {
      store(service);
      servers.get(0).close();
      readAll(service);

      CodedReport coded = report().coded();
      assertThat(coded.objects()).isEqualTo(OBJECTS);
      assertThat(coded.degradedReads()).isPositive();
      assertThat(coded.ringsUp()).isEqualTo(2);
      assertThat(coded.indexBytes()).isPositive();
      assertThat(coded.logBytes()).isPositive();
      String metrics = metrics(service);
      assertThat(metrics)
          .contains(
              "counterpart_cache_rings{state=\"up\"} 2.0",
              "counterpart_cache_rings{state=\"down\"} 1.0",
              "counterpart_cache_servers{state=\"up\"} 3.0",
              "counterpart_cache_servers{state=\"down\"} 1.0",
              "counterpart_cache_server_up{server=\"%s\"} 0.0".formatted(address(0)),
              "counterpart_cache_objects " + (double) OBJECTS,
              "counterpart_cache_lost_objects_total 0.0",
              "counterpart_cache_emptied_stripes_total 0.0",
              "counterpart_cache_emptied_stripes_objects_total 0.0",
              "counterpart_cache_reaped_objects_total 0.0",
              "counterpart_cache_degraded_reads_total{result=\"failed\"} 0.0",
              "counterpart_cache_stripes_left{work=\"move\"} 0.0")
          // it may have been reached once more while it ended
          .containsPattern(
              "counterpart_cache_server_losses_total\\{server=\"%s\"} [1-9]".formatted(address(0)))
          .containsPattern("counterpart_cache_degraded_reads_total\\{result=\"decoded\"} [1-9]")
          .containsPattern("counterpart_cache_stripes\\{state=\"open\"} [1-9]")
          .containsPattern("counterpart_cache_slots [1-9]")
          .containsPattern("counterpart_cache_journal_bytes [1-9]")
          .containsPattern("counterpart_cache_index_bytes [1-9]")
          .containsPattern("counterpart_cache_metadata_log_bytes [1-9]");
    }

    try (CacheService next = CacheService.start(options())) {
      readAll(next);
      assertThat(report().coded().objects()).isEqualTo(OBJECTS);
      servers.set(0, MemcachedProcess.start(servers.get(0).port(), "-I", "2m", "-M", "-m", "64"));
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> report().coded().ringsUp() == 3 && restored(report()));
      assertThat(report().coded().restoredObjects()).isPositive();
      servers.get(1).close();
      readAll(next);
    }
  }

  @Test
  void servers_are_added_and_removed_while_it_runs() throws Exception {
    try (CacheService service = CacheService.start(options())) {
      store(service);
      grow();
      grow();
      ask("add " + address(4) + " " + address(5));
      assertThat(report().servers()).hasSize(6).allMatch(server -> server.ring() >= 0);
      readAll(service);
      assertThat(report().coded().movedObjects()).isPositive();

      ask("remove " + address(0) + " " + address(1) + " " + address(2));

      assertThat(report().servers()).extracting(ServerReport::address).hasSize(3);
      assertThat(directory.resolve("metadata/change")).doesNotExist();
      for (int gone : List.of(0, 1, 2)) {
        servers.get(gone).close();
      }
      readAll(service);
      assertThat(report().coded().degradedReads()).isZero();
      assertThat(report().coded().ringsUp()).isEqualTo(3);
    }
  }

  @Test
  void a_change_that_was_asked_for_outlives_the_proxy() throws Exception {
    try (CacheService service = CacheService.start(options())) {
      store(service);
    }
    grow();
    grow();
    Files.writeString(
        directory.resolve("metadata/change"),
        "add %s %s\n".formatted(address(4), address(5)),
        UTF_8);

    try (CacheService next = CacheService.start(options())) {
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> report().change() == null && report().servers().size() == 6);
      assertThat(directory.resolve("metadata/change")).doesNotExist();
      assertThat(report().servers()).allMatch(server -> server.ring() >= 0);
      readAll(next);
    }
  }

  @Test
  void illegal_changes_are_refused_and_nothing_changes() throws Exception {
    try (CacheService service = CacheService.start(options())) {
      store(service);
      refused(IllegalArgumentException.class, "server a:1, legal: one of [", "remove a:1");
      refused(
          IllegalArgumentException.class,
          "leaves ring 1 with 0 servers, legal: at least one server stays in each ring",
          "remove " + address(1));
      refused(
          IllegalArgumentException.class,
          "server %s to add, legal: once, and none of [".formatted(address(0)),
          "add " + address(0));
      servers.get(2).close();
      await().until(() -> report().coded().ringsUp() == 2);
      refused(
          IllegalStateException.class,
          "1 of 3 rings have a server that is down, legal while servers change: 0 to 0",
          "remove " + address(0));

      assertThat(directory.resolve("metadata/change")).doesNotExist();
      assertThat(report().servers()).hasSize(4);
      readAll(service);
    }
  }

  @Test
  void one_change_is_made_at_a_time() throws Exception {
    try (CacheService service = CacheService.start(options())) {
      store(service);
      // it waits for a server that nobody has started
      String absent = "127.0.0.1:" + MemcachedProcess.freePort();
      Thread waiting = new Thread(() -> askUntilTheEnd("add " + absent), "waiting");
      waiting.start();
      await().until(() -> report().change() != null);

      refused(
          IllegalStateException.class,
          "another change is under way: adding " + absent,
          "remove " + address(0));

      assertThat(report().change().doing()).isEqualTo("adding");
      assertThat(report().servers())
          .anyMatch(server -> server.address().equals(absent) && server.state().equals("down"));
      readAll(service);
      service.close();
      waiting.join();
    }
  }

  @Test
  void a_change_that_waits_for_a_server_is_cancelled() throws Exception {
    try (CacheService service = CacheService.start(options())) {
      store(service);
      assertThatThrownBy(this::cancel)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("no change of servers is under way, legal: while one is");
      String absent = "127.0.0.1:" + MemcachedProcess.freePort();
      CompletableFuture<Void> asked =
          CompletableFuture.runAsync(
              () ->
                  assertThatThrownBy(() -> ask("add " + absent))
                      .isInstanceOf(ChangeCancelledException.class)
                      .hasMessage("cancelled: adding %s; done: none; as before: %1$s", absent));
      await().until(() -> report().change() != null);

      cancel();

      asked.get(20, TimeUnit.SECONDS);
      assertThat(report().change()).isNull();
      assertThat(report().servers()).hasSize(4).allMatch(ServerReport::isUsed);
      assertThat(directory.resolve("metadata/change")).doesNotExist();
      grow();
      ask("add " + address(4));
      assertThat(report().servers()).hasSize(5).allMatch(ServerReport::isUsed);
      readAll(service);
    }
  }

  @Test
  void a_change_that_a_restart_finds_waiting_is_cancelled() throws Exception {
    try (CacheService service = CacheService.start(options())) {
      store(service);
    }
    servers.get(3).close();
    String absent = "127.0.0.1:" + MemcachedProcess.freePort();
    Files.writeString(directory.resolve("metadata/change"), "add " + absent + "\n", UTF_8);

    try (CacheService next = CacheService.start(options())) {
      assertThat(report().change()).isNotNull(); // a ring is down
      cancel();
      assertThat(report().change()).isNull();
      readAll(next);
    }
    try (CacheService last = CacheService.start(options())) {
      assertThat(report().change()).isNull();
      readAll(last);
    }
  }

  @Test
  void metadata_of_another_code_or_scheme_are_refused() throws Exception {
    CacheService.start(options()).close();
    ServiceOptions other =
        options(new SchemeOptions(Scheme.ECHASH, new CodeShape(4, 2), metadata()));

    assertThatThrownBy(() -> CacheService.start(other))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(
            "%s has the metadata of a tier with scheme echash (3,2), not echash (4,2)"
                .formatted(metadata()));
    assertThatThrownBy(() -> TierMetadata.check(metadata(), SchemeOptions.VANILLA))
        .hasMessageContaining("scheme echash (3,2), not vanilla");
  }

  @Test
  void a_second_proxy_forwards_to_the_first_and_takes_over_from_it() throws Exception {
    CacheService first = CacheService.start(options());
    try (first;
        CacheService second = CacheService.start(options("control-2"))) {
      store(second);
      readAll(first);
      assertThat(metrics(first))
          .contains("counterpart_cache_owner 1.0", "counterpart_cache_objects " + (double) OBJECTS);
      assertThat(metrics(second))
          .contains(
              "counterpart_cache_owner 0.0",
              "counterpart_cache_forwarded_total{result=\"answered\"} " + (double) OBJECTS)
          .doesNotContain("counterpart_cache_objects");

      grow();
      ask("control-2", "add " + address(4));
      assertThat(report().servers()).hasSize(5);
      assertThat(report("control-2").servers()).isEqualTo(report().servers());
      assertThatThrownBy(() -> ask("control-2", "add " + address(4)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("server %s to add, legal: once".formatted(address(4)));

      first.close();
      readAll(second);
      assertThat(metrics(second)).contains("counterpart_cache_owner 1.0");
      assertThat(report("control-2").coded().objects()).isEqualTo(OBJECTS);
    }
    try (CacheService again = CacheService.start(options())) {
      assertThat(again.ended()).isNotDone();
      readAll(again);
    }
  }

  @Test
  void bad_options_are_refused_with_value_and_what_is_legal() {
    assertThatThrownBy(
            () -> options(new SchemeOptions(Scheme.ECHASH, new CodeShape(5, 3), metadata())))
        .hasMessage("4 servers, legal with scheme echash (5,3): 5 or more");
    assertThatThrownBy(() -> new SchemeOptions(Scheme.ECHASH, CODE, null))
        .hasMessage("scheme echash without a code or a directory for metadata, legal: with both");
    assertThatThrownBy(() -> new SchemeOptions(Scheme.VANILLA, CODE, null))
        .hasMessage("scheme vanilla with a code or a directory for metadata, legal: without");
    assertThat(Scheme.ECHASH.evicts()).isFalse();
    assertThat(Scheme.parse("echash")).isEqualTo(Scheme.ECHASH);
  }

  private void grow() throws IOException {
    servers.add(MemcachedProcess.start(MemcachedProcess.freePort(), "-I", "2m", "-M", "-m", "64"));
  }

  private String address(int server) {
    return "127.0.0.1:" + servers.get(server).port();
  }

  private Path metadata() {
    return directory.resolve("metadata");
  }

  private ServiceOptions options() {
    return options("control");
  }

  private ServiceOptions options(String control) {
    return options(new SchemeOptions(Scheme.ECHASH, CODE, metadata()), control);
  }

  private ServiceOptions options(SchemeOptions scheme) {
    return options(scheme, "control");
  }

  private ServiceOptions options(SchemeOptions scheme, String control) {
    List<ServerAddress> first =
        servers.stream()
            .limit(4)
            .map(server -> new ServerAddress("127.0.0.1", server.port()))
            .toList();
    return new ServiceOptions(
        scheme,
        first,
        null,
        Services.ANY_PORT,
        Access.OPEN,
        Services.ANY_PORT,
        directory.resolve(control));
  }

  private TierReport report() throws IOException {
    return report("control");
  }

  private TierReport report(String control) throws IOException {
    try (ControlClient client = ControlClient.connect(directory.resolve(control))) {
      return client.report();
    }
  }

  private static boolean restored(TierReport report) {
    return report.coded().stripesToRestore() == 0
        && report.servers().stream().allMatch(server -> server.state().equals("up"));
  }

  private void cancel() throws IOException {
    try (ControlClient client = ControlClient.connect(directory.resolve("control"))) {
      client.cancelChange(progress -> {});
    }
  }

  private void ask(String change) throws IOException {
    ask("control", change);
  }

  private void ask(String control, String change) throws IOException {
    try (ControlClient client = ControlClient.connect(directory.resolve(control))) {
      client.change(ServerChange.parse(change), progress -> {});
    }
  }

  private void askUntilTheEnd(String change) {
    assertThatThrownBy(() -> ask(change)).isInstanceOf(IOException.class);
  }

  private void refused(Class<? extends Exception> kind, String message, String change) {
    assertThatThrownBy(() -> ask(change)).isInstanceOf(kind).hasMessageContaining(message);
  }

  private static void store(CacheService service) {
    StringBuilder requests = new StringBuilder();
    for (int i = 0; i < OBJECTS; i++) {
      String value = value(i);
      requests.append("set k%d 0 0 %d\r\n%s\r\n".formatted(i, value.length(), value));
    }
    assertThat(exchange(service, requests.toString())).isEqualTo("STORED\r\n".repeat(OBJECTS));
  }

  private static void readAll(CacheService service) {
    StringBuilder requests = new StringBuilder();
    StringBuilder expected = new StringBuilder();
    for (int i = 0; i < OBJECTS; i++) {
      String value = value(i);
      requests.append("get k%d\r\n".formatted(i));
      expected.append("VALUE k%d 0 %d\r\n%s\r\nEND\r\n".formatted(i, value.length(), value));
    }
    assertThat(exchange(service, requests.toString())).isEqualTo(expected.toString());
  }

  private static String value(int i) {
    return ("value-" + i + "-").repeat(1 + i % 40);
  }

  private static String exchange(CacheService service, String requests) {
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
