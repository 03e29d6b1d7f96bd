package io.counterpart.cache.service;

import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.control.ControlFile;
import io.counterpart.cache.proxy.Access;
import io.counterpart.cache.proxy.MemoryLimits;
import io.counterpart.cache.service.peer.PeerOptions;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options of a proxy.
 *
 * @param scheme the scheme of the tier
 * @param servers memcached servers, each once, at least as many as the scheme needs; an existing
 *     coded tier knows its own
 * @param store the persistent store behind the tier; null for none
 * @param listen address for clients; port 0 for any free one. Outside of loopback TLS and
 *     authentication are required
 * @param access the requirements of clients
 * @param memory bounds on the memory of clients' requests
 * @param metrics address of the metrics; port 0 for any free one; null for none
 * @param control the socket for operators' commands; null for none
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
   * Validates the components.
   *
   * @throws IllegalArgumentException with the value and the legal range
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
    if (store != null && store.behind() != null && scheme.peers() != null) {
      throw new IllegalArgumentException(
          "write-behind with proxies on several machines, legal: write-through; another machine"
              + " that takes over has no log of the changes that the store lacks");
    }
    memory.divided(budgets(scheme.shards()));
    if (scheme.peers() != null) {
      scheme.peers().requirePorts(scheme.shards());
      scheme.peers().requireOther(scheme.shards(), listen);
      if (metrics != null) {
        scheme.peers().requireOther(scheme.shards(), metrics);
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

  /** Number of budgets that divide the memory for requests: of several shards, each has two. */
  public static int budgets(int shards) {
    return shards == 1 ? 1 : 2 * shards;
  }

  /** Limits of one budget. */
  MemoryLimits memoryOfBudget() {
    return memory.divided(budgets(scheme.shards()));
  }

  /** The same, with proxies on other machines. */
  public ServiceOptions with(PeerOptions peers) {
    return new ServiceOptions(
        scheme.with(peers), servers, store, listen, access, memory, metrics, control);
  }
}
