package io.counterpart.lab.tier.arm;

import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.proxy.Access;
import io.counterpart.cache.proxy.MemoryLimits;
import io.counterpart.cache.service.CacheService;
import io.counterpart.cache.service.Scheme;
import io.counterpart.cache.service.SchemeOptions;
import io.counterpart.cache.service.ServiceOptions;
import io.counterpart.memcached.MemcachedSpec;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The proxy of a coded tier in a process of its own, on any free port of 127.0.0.1. It prints the
 * port once clients can come, and ends with its standard input: also if the lab is killed.
 */
final class ProxyMain {
  private ProxyMain() {}

  /** The arguments of a proxy: of {@link #main}. */
  static List<String> arguments(
      CodeShape code, int shards, Path metadata, List<ServerAddress> servers) {
    List<String> all =
        new ArrayList<>(
            List.of(
                String.valueOf(code.n()),
                String.valueOf(code.k()),
                String.valueOf(shards),
                metadata.toString()));
    servers.forEach(server -> all.add(server.toString()));
    return all;
  }

  /**
   * Runs until the end of the standard input.
   *
   * @param arguments n, k, number of shards, directory for metadata, servers
   */
  public static void main(String[] arguments) throws IOException {
    CodeShape code = new CodeShape(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
    List<ServerAddress> servers =
        Arrays.stream(arguments).skip(4).map(ServerAddress::parse).toList();
    ServiceOptions options =
        new ServiceOptions(
            new SchemeOptions(Scheme.ECHASH, code, Path.of(arguments[3]))
                .sharded(Integer.parseInt(arguments[2])),
            servers,
            null,
            new InetSocketAddress(MemcachedSpec.ADDRESS, 0),
            Access.OPEN,
            MemoryLimits.ofJvm(),
            null,
            null);
    try (CacheService service = CacheService.start(options)) {
      System.out.println(service.address().getPort());
      while (System.in.read() >= 0) {
        // nothing to read: the lab has ended when there is no more of it
      }
    }
  }
}
