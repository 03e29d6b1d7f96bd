package io.counterpart.integration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.control.CodedReport;
import io.counterpart.cache.control.ControlClient;
import io.counterpart.cache.control.TierReport;
import io.counterpart.cache.proxy.Access;
import io.counterpart.cache.proxy.MemoryLimits;
import io.counterpart.cache.service.CacheService;
import io.counterpart.cache.service.Scheme;
import io.counterpart.cache.service.SchemeOptions;
import io.counterpart.cache.service.ServiceOptions;
import io.counterpart.memcached.ItemFiles;
import io.counterpart.memcached.MemcachedProgram;
import io.counterpart.memcached.MemcachedServer;
import io.counterpart.memcached.MemcachedServers;
import io.counterpart.memcached.MemcachedSpec;
import io.counterpart.process.TcpPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Real memcached servers that keep their items over a stop and a start, alone and in a tier. */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class WarmRestartIT {
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");
  private static final CodeShape CODE = new CodeShape(5, 3);
  private static final int OBJECTS = 1000;

  @TempDir Path directory;
  private Path items;

  @BeforeEach
  void make_a_directory_in_memory() throws IOException {
    assumeThat(MemcachedProgram.find("memcached")).as(MemcachedProgram.ADVICE).isPresent();
    assumeThat(SHARED_MEMORY).isDirectory().isWritable();
    items = Files.createTempDirectory(SHARED_MEMORY, "counterpart-test-");
  }

  @AfterEach
  void delete_it() throws IOException {
    if (items != null) {
      try (Stream<Path> files = Files.walk(items)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  @Test
  void servers_that_missed_no_write_have_their_items_and_need_no_repair() throws Exception {
    MemcachedSpec spec = MemcachedSpec.forTier(64).with(new ItemFiles(items));
    try (MemcachedServers all =
        MemcachedServers.start(spec, directory.resolve("logs"), freePorts(), CODE.n() + 1)) {
      List<MemcachedServer> servers = all.servers().subList(0, CODE.n());
      MemcachedServer alone = all.servers().get(CODE.n());
      assertThat(ask(alone.port(), "set flushed 0 0 1\r\nv\r\n")).isEqualTo("STORED\r\n");
      assertThat(ask(alone.port(), "flush_all\r\n")).isEqualTo("OK\r\n");
      assertThat(ask(alone.port(), "set kept 7 0 1\r\nv\r\n")).isEqualTo("STORED\r\n");
      String kept = ask(alone.port(), "mg kept c f v\r\n");
      try (CacheService service = CacheService.start(options(servers))) {
        store(service);
        awaitQuiet();
        List<MemcachedServer> stopped = List.of(servers.get(0), servers.get(1), alone);
        stopped.forEach(MemcachedServer::stopWarm);
        awaitRings(3);
        readAll(service);

        stopped.forEach(MemcachedServer::start);

        awaitRings(CODE.n());
        CodedReport coded = report().coded();
        assertThat(coded).isNotNull();
        assertThat(coded.restoredObjects()).isZero();
        assertThat(coded.restoredParity()).isZero();
        assertThat(report().servers()).allMatch(server -> server.state().equals("up"));
        servers.get(2).kill();
        servers.get(3).kill();
        readAll(service);
      }
      assertThat(ask(alone.port(), "mg kept c f v\r\n")).isEqualTo(kept).startsWith("VA 1 ");
      assertThat(ask(alone.port(), "get flushed\r\n")).isEqualTo("END\r\n");
      // what it had kept once is not taken twice
      alone.kill();
      alone.start();
      assertThat(ask(alone.port(), "get kept\r\n")).isEqualTo("END\r\n");
    }
  }

  /** Stripes are folded behind the answers, and a server that stops then misses its parity. */
  private void awaitQuiet() {
    AtomicReference<List<Long>> last = new AtomicReference<>(List.of());
    await("nothing is written any more")
        .during(Duration.ofSeconds(3))
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              CodedReport coded = report().coded();
              List<Long> now = List.of(coded.journalBytes(), (long) coded.sealedStripes());
              return now.equals(last.getAndSet(now));
            });
  }

  private void awaitRings(int up) {
    await("rings that are up")
        .atMost(Duration.ofSeconds(60))
        .until(() -> report().coded().ringsUp(), rings -> rings == up);
  }

  private static int freePorts() {
    return IntStream.iterate(25_000, port -> port < 32_000, port -> port + CODE.n() + 1)
        .filter(
            first ->
                IntStream.rangeClosed(first, first + CODE.n())
                    .allMatch(port -> TcpPort.isFree(MemcachedSpec.ADDRESS, port)))
        .findFirst()
        .orElseThrow();
  }

  private ServiceOptions options(List<MemcachedServer> servers) {
    return new ServiceOptions(
        new SchemeOptions(Scheme.ECHASH, CODE, directory.resolve("metadata")),
        servers.stream()
            .map(server -> new ServerAddress(MemcachedSpec.ADDRESS, server.port()))
            .toList(),
        null,
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        Access.OPEN,
        MemoryLimits.ofJvm(),
        null,
        directory.resolve("control"));
  }

  private TierReport report() throws IOException {
    try (ControlClient client = ControlClient.connect(directory.resolve("control"))) {
      return client.report();
    }
  }

  private static void store(CacheService service) throws IOException {
    StringBuilder requests = new StringBuilder();
    for (int i = 0; i < OBJECTS; i++) {
      String value = value(i);
      requests.append("set k%d 0 0 %d\r\n%s\r\n".formatted(i, value.length(), value));
    }
    assertThat(ask(service.address().getPort(), requests.toString()))
        .isEqualTo("STORED\r\n".repeat(OBJECTS));
  }

  private static void readAll(CacheService service) throws IOException {
    StringBuilder requests = new StringBuilder();
    StringBuilder expected = new StringBuilder();
    for (int i = 0; i < OBJECTS; i++) {
      String value = value(i);
      requests.append("get k%d\r\n".formatted(i));
      expected.append("VALUE k%d 0 %d\r\n%s\r\nEND\r\n".formatted(i, value.length(), value));
    }
    assertThat(ask(service.address().getPort(), requests.toString()))
        .isEqualTo(expected.toString());
  }

  private static String value(int i) {
    return ("value-" + i + "-").repeat(1 + i % 40);
  }

  private static String ask(int port, String requests) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout((int) Duration.ofSeconds(60).toMillis());
      socket.getOutputStream().write(requests.getBytes(UTF_8));
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes(), UTF_8);
    }
  }
}
