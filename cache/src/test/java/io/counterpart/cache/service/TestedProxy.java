package io.counterpart.cache.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.control.ControlClient;
import io.counterpart.cache.control.ServerReport;
import io.counterpart.cache.protocol.MemcachedProcess;
import io.counterpart.cache.proxy.Access;
import io.counterpart.cache.proxy.MemoryLimits;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A proxy of a scheme in this JVM, with its own real servers. */
final class TestedProxy implements AutoCloseable {
  private static final CodeShape CODE = new CodeShape(5, 3);
  private static final int SERVERS = 5;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final List<MemcachedProcess> servers = new ArrayList<>();
  private final Path control;
  private final String[] options;
  private CacheService service;

  private TestedProxy(Path directory, String... options) {
    control = directory.resolve("control");
    this.options = options;
  }

  /**
   * Starts the proxy, with five servers that suit the scheme: those of a code refuse items that
   * they have no room for, the others evict.
   *
   * @param directory for metadata
   * @param megabytes of each server
   */
  static TestedProxy start(Scheme scheme, Path directory, int megabytes) throws IOException {
    String memory = Integer.toString(megabytes);
    TestedProxy proxy =
        scheme.evicts()
            ? new TestedProxy(directory, "-I", "2m", "-m", memory)
            : new TestedProxy(directory, "-I", "2m", "-M", "-m", memory);
    try {
      for (int i = 0; i < SERVERS; i++) {
        proxy.servers.add(MemcachedProcess.start(MemcachedProcess.freePort(), proxy.options));
      }
      proxy.service = CacheService.start(proxy.options(scheme, directory));
      return proxy;
    } catch (IOException | RuntimeException | Error failure) {
      proxy.close();
      throw failure;
    }
  }

  private ServiceOptions options(Scheme scheme, Path directory) {
    List<ServerAddress> addresses =
        servers.stream().map(server -> new ServerAddress("127.0.0.1", server.port())).toList();
    return new ServiceOptions(
        scheme.isCoded()
            ? new SchemeOptions(scheme, CODE, directory.resolve("metadata"))
            : new SchemeOptions(scheme, null, null),
        addresses,
        null,
        Services.ANY_PORT,
        Access.OPEN,
        MemoryLimits.ofJvm(),
        null,
        control);
  }

  /** Kills and restarts a server; returns when its objects are restored. */
  void killAndRestore(int server) throws IOException {
    try (ControlClient operator = ControlClient.connect(control)) {
      long losses = losses(operator);
      kill(server);
      await().atMost(LIMIT).until(() -> losses(operator) > losses);
      restart(server);
      await().atMost(LIMIT).until(() -> isWhole(operator));
    }
  }

  private static long losses(ControlClient operator) throws IOException {
    return operator.report().servers().stream().mapToLong(ServerReport::losses).sum();
  }

  private static boolean isWhole(ControlClient operator) throws IOException {
    return operator.report().servers().stream().allMatch(server -> server.state().equals("up"));
  }

  int port() {
    return service.address().getPort();
  }

  TextClient client() throws IOException {
    return new TextClient(port());
  }

  /** Number of connected clients, without the one that asks. */
  int clients() {
    try (TextClient client = client()) {
      client.send("stats\r\n".getBytes(ISO_8859_1));
      int found = -1;
      for (String line = client.line(); !line.equals("END"); line = client.line()) {
        if (line.startsWith("STAT curr_connections ")) {
          found = Integer.parseInt(line.substring("STAT curr_connections ".length())) - 1;
        }
      }
      return found;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends a server by SIGKILL. */
  void kill(int server) {
    servers.get(server).close();
  }

  /** Restarts a server, empty. */
  void restart(int server) throws IOException {
    servers.set(server, MemcachedProcess.start(servers.get(server).port(), options));
  }

  /** Heap bytes in use after a collection, for everything in this JVM. */
  static long heapBytes() {
    System.gc();
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** Bytes of the allocator of connections, used or not. */
  static long bufferBytes() {
    return PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory()
        + PooledByteBufAllocator.DEFAULT.metric().usedHeapMemory();
  }

  /** Number of large buffers that connections hold now; these are freed at once. */
  static long largeBuffers() {
    return PooledByteBufAllocator.DEFAULT.metric().directArenas().stream()
        .mapToLong(arena -> arena.numActiveNormalAllocations() + arena.numActiveHugeAllocations())
        .sum();
  }

  @Override
  public void close() {
    if (service != null) {
      service.close();
    }
    servers.forEach(MemcachedProcess::close);
  }
}
