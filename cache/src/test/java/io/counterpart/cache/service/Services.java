package io.counterpart.cache.service;

import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.protocol.MemcachedProcess;
import io.counterpart.cache.proxy.Access;
import io.counterpart.cache.proxy.MemoryLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Options of tests' proxies: on any free port of loopback. */
final class Services {
  static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private Services() {}

  static ServiceOptions options(Access access, MemcachedProcess... servers) {
    return new ServiceOptions(
        SchemeOptions.VANILLA,
        addresses(servers),
        null,
        ANY_PORT,
        access,
        MemoryLimits.ofJvm(),
        ANY_PORT,
        null);
  }

  static List<ServerAddress> addresses(MemcachedProcess... servers) {
    return List.of(servers).stream()
        .map(server -> new ServerAddress("127.0.0.1", server.port()))
        .toList();
  }

  /** Starts memcached servers for a coded tier, on any free ports. */
  static List<MemcachedProcess> coded(int number) throws IOException {
    List<MemcachedProcess> started = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      started.add(codedOn(MemcachedProcess.freePort()));
    }
    return started;
  }

  /** Starts one on a port. */
  static MemcachedProcess codedOn(int port) throws IOException {
    return MemcachedProcess.start(port, "-I", "2m", "-M", "-m", "64");
  }

  /** Deletes a directory, as a machine loses its disk. */
  static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  static ServerAddress address(CacheService service) {
    return new ServerAddress("127.0.0.1", service.address().getPort());
  }
}
