package io.counterpart.cache.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.control.ControlClient;
import io.counterpart.cache.control.ServerChange;
import io.counterpart.cache.control.TierReport;
import io.counterpart.cache.protocol.MemcachedProcess;
import io.counterpart.cache.proxy.Access;
import io.counterpart.cache.proxy.MemoryLimits;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A proxy with a code on four real memcached servers, with shortcuts for requests. */
abstract class CodedServiceFixture {
  static final CodeShape CODE = new CodeShape(3, 2);
  static final int OBJECTS = 200;

  @TempDir Path directory;

  final List<MemcachedProcess> servers = new ArrayList<>();

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

  void grow() throws IOException {
    servers.add(MemcachedProcess.start(MemcachedProcess.freePort(), "-I", "2m", "-M", "-m", "64"));
  }

  String address(int server) {
    return "127.0.0.1:" + servers.get(server).port();
  }

  Path metadata() {
    return directory.resolve("metadata");
  }

  ServiceOptions options() {
    return options("control");
  }

  ServiceOptions options(String control) {
    return options(new SchemeOptions(Scheme.ECHASH, CODE, metadata()), control);
  }

  ServiceOptions options(SchemeOptions scheme) {
    return options(scheme, "control");
  }

  ServiceOptions options(SchemeOptions scheme, String control) {
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
        MemoryLimits.ofJvm(),
        Services.ANY_PORT,
        directory.resolve(control));
  }

  TierReport report() throws IOException {
    return report("control");
  }

  TierReport report(String control) throws IOException {
    try (ControlClient client = ControlClient.connect(directory.resolve(control))) {
      return client.report();
    }
  }

  static boolean restored(TierReport report) {
    return report.coded().stripesToRestore() == 0
        && report.servers().stream().allMatch(server -> server.state().equals("up"));
  }

  void cancel() throws IOException {
    try (ControlClient client = ControlClient.connect(directory.resolve("control"))) {
      client.cancelChange(progress -> {});
    }
  }

  void ask(String change) throws IOException {
    ask("control", change);
  }

  void ask(String control, String change) throws IOException {
    try (ControlClient client = ControlClient.connect(directory.resolve(control))) {
      client.change(ServerChange.parse(change), progress -> {});
    }
  }

  void askUntilTheEnd(String change) {
    assertThatThrownBy(() -> ask(change)).isInstanceOf(IOException.class);
  }

  void refused(Class<? extends Exception> kind, String message, String change) {
    assertThatThrownBy(() -> ask(change)).isInstanceOf(kind).hasMessageContaining(message);
  }

  static void store(CacheService service) {
    StringBuilder requests = new StringBuilder();
    for (int i = 0; i < OBJECTS; i++) {
      String value = value(i);
      requests.append("set k%d 0 0 %d\r\n%s\r\n".formatted(i, value.length(), value));
    }
    assertThat(exchange(service, requests.toString())).isEqualTo("STORED\r\n".repeat(OBJECTS));
  }

  static void readAll(CacheService service) {
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

  static String metrics(CacheService service) throws Exception {
    URI uri = URI.create("http://127.0.0.1:%d/metrics".formatted(service.metricsPort()));
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
        .body();
  }
}
