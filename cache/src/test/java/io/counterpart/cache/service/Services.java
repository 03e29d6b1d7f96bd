package io.counterpart.cache.service;

import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.protocol.MemcachedProcess;
import io.counterpart.cache.proxy.Access;
import io.counterpart.cache.proxy.MemoryLimits;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

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

  static ServerAddress address(CacheService service) {
    return new ServerAddress("127.0.0.1", service.address().getPort());
  }
}
