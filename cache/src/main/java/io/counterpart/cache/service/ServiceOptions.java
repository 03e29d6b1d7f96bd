package io.counterpart.cache.service;

import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.control.ControlFile;
import io.counterpart.cache.proxy.Access;
import io.counterpart.cache.proxy.MemoryLimits;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options of a proxy.
 *
 * @param scheme how it keeps objects
 * @param servers memcached servers, each once, at least as many as the scheme needs; a coded tier
 *     whose metadata exist knows its own
 * @param store what is behind the tier; null for nothing
 * @param listen where clients reach it; port 0 for any that is free. Not only on loopback: then
 *     with TLS and authentication
 * @param access what it asks of clients
 * @param memory how much the requests of clients may take
 * @param metrics where it tells metrics; port 0 for any that is free; null for nowhere
 * @param control the socket on which operators' commands reach it; null for none
 */
public record ServiceOptions(
    SchemeOptions scheme,
    List<ServerAddress> servers,
    @Nullable StoreOptions store,
    InetSocketAddress listen,
    Access access,
    MemoryLimits memory,
    @Nullable InetSocketAddress metrics,
    @Nullable Path control) {
  /**
   * Checks.
   *
   * @throws IllegalArgumentException with the value and what is legal
   */
  public ServiceOptions {
    servers = List.copyOf(servers);
    if (servers.size() < scheme.minServers()) {
      throw new IllegalArgumentException(
          "%d servers, legal with scheme %s: %d or more"
              .formatted(servers.size(), scheme, scheme.minServers()));
    }
    HashSet<ServerAddress> seen = new HashSet<>();
    for (ServerAddress server : servers) {
      if (!seen.add(server)) {
        throw new IllegalArgumentException("server " + server + " twice, legal: each once");
      }
    }
    if (control != null) {
      ControlFile.requireLegal(control);
    }
    if (!listen.getAddress().isLoopbackAddress()
        && (access.tls() == null || access.credentials() == null)) {
      throw new IllegalArgumentException(
          "%s is not loopback, legal: with TLS and authentication, or 127.0.0.1"
              .formatted(listen.getAddress().getHostAddress()));
    }
  }
}
