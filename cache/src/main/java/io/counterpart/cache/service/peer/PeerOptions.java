package io.counterpart.cache.service.peer;

import io.counterpart.cache.backend.ConnectionSecurity;
import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.forward.OwnershipSecret;
import io.counterpart.cache.metadata.copy.CopySource;
import io.counterpart.cache.ownership.CopySet;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.proxy.Access;
import io.counterpart.cache.proxy.MemoryBudget;
import io.counterpart.cache.proxy.ProxyServer;
import io.counterpart.cache.tier.ObjectTier;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;

/**
 * The proxies of a tier on several machines.
 *
 * @param self address at which this proxy listens to its peers while it owns the tier
 * @param all addresses of all proxies, this one's included, in one order everywhere: the first
 *     makes a new tier
 * @param copies copies of the metadata that shall count, the owner's included; 1 to the number of
 *     proxies
 * @param access the requirements of peers that connect
 * @param security what this proxy shows to its peers
 * @param question by which the owner is asked for
 */
public record PeerOptions(
    ServerAddress self,
    List<ServerAddress> all,
    int copies,
    Access access,
    ConnectionSecurity security,
    Key question) {
  private static final int MOST_PORT = 65_535;

  /**
   * Validates the components.
   *
   * @throws IllegalArgumentException with the value and the legal range
   */
  public PeerOptions {
    all = List.copyOf(all);
    int most = Math.min(all.size(), CopySet.MOST);
    if (!all.contains(self)) {
      throw new IllegalArgumentException(
          "peers %s without this proxy's own address %s, legal: with it".formatted(all, self));
    }
    if (new HashSet<>(all).size() < all.size()) {
      throw new IllegalArgumentException("peers " + all + ", legal: each once");
    }
    if (copies < 1 || copies > most) {
      throw new IllegalArgumentException(
          "%d copies of the metadata, legal with %d proxies: 1 to %d"
              .formatted(copies, all.size(), most));
    }
    InetSocketAddress address = new InetSocketAddress(self.host(), self.port());
    boolean isLoopback = !address.isUnresolved() && address.getAddress().isLoopbackAddress();
    if (!isLoopback && (access.tls() == null || access.credentials() == null)) {
      throw new IllegalArgumentException(
          "%s is not loopback, legal: with TLS and authentication, or 127.0.0.1"
              .formatted(self.host()));
    }
  }

  /** Of the only shard of a tier. */
  public PeerOptions(
      ServerAddress self,
      List<ServerAddress> all,
      int copies,
      Access access,
      ConnectionSecurity security) {
    this(self, all, copies, access, security, OwnershipSecret.question());
  }

  /**
   * The proxies as one of several shards sees them: its number is added to each port, and another
   * one of them is the first. So the shards of a new tier are spread over the proxies, and so are
   * those that a proxy leaves behind.
   */
  public PeerOptions ofShard(int shard, int shards) {
    List<ServerAddress> turned =
        new ArrayList<>(all.stream().map(peer -> shifted(peer, shard)).toList());
    Collections.rotate(turned, -shard);
    return new PeerOptions(
        shifted(self, shard),
        turned,
        copies,
        access,
        security,
        OwnershipSecret.question(shard, shards));
  }

  private static ServerAddress shifted(ServerAddress peer, int shard) {
    return new ServerAddress(peer.host(), peer.port() + shard);
  }

  /**
   * Checks that each proxy can have so many ports, one a shard.
   *
   * @throws IllegalArgumentException with the addresses
   */
  public void requirePorts(int shards) {
    for (ServerAddress peer : all) {
      if (peer.port() + shards - 1 > MOST_PORT) {
        throw new IllegalArgumentException(
            "peer %s with %d shards, which take as many ports, legal: up to port %d"
                .formatted(peer, shards, MOST_PORT - shards + 1));
      }
      for (ServerAddress other : all) {
        int ports = other.port() - peer.port();
        if (other.host().equals(peer.host()) && ports > 0 && ports < shards) {
          throw new IllegalArgumentException(
              "peers %s and %s with %d shards, legal on one host: that many ports apart"
                  .formatted(peer, other, shards));
        }
      }
    }
  }

  /**
   * Checks that this proxy listens to nobody else at its ports for peers: it would find that out
   * when it takes a shard over.
   *
   * @param other at which it listens to others; port 0 for any free one
   * @throws IllegalArgumentException with the address
   */
  public void requireOther(int shards, InetSocketAddress other) {
    InetAddress own = new InetSocketAddress(self.host(), self.port()).getAddress();
    boolean isSameHost =
        own == null
            || own.equals(other.getAddress())
            || own.isAnyLocalAddress()
            || other.getAddress().isAnyLocalAddress();
    if (isSameHost && other.getPort() >= self.port() && other.getPort() < self.port() + shards) {
      throw new IllegalArgumentException(
          "peer %s with %d shards takes ports %d to %d, legal: without %s, which is listened on for others"
              .formatted(self, shards, self.port(), self.port() + shards - 1, other));
    }
  }

  /**
   * Checks that this proxy can listen to its peers, before it owns anything.
   *
   * @throws IOException with the address
   */
  public void requireFree() throws IOException {
    try (ServerSocket tried = new ServerSocket()) {
      tried.setReuseAddress(true);
      tried.bind(new InetSocketAddress(self.host(), self.port()));
    } catch (IOException e) {
      throw new IOException("cannot listen to peers on %s: %s".formatted(self, e.getMessage()), e);
    }
  }

  /**
   * Begins to listen to peers, with a new secret.
   *
   * @param tier that this proxy owns
   * @throws IOException if the address cannot be listened on
   */
  public ProxyServer listen(ObjectTier tier, MemoryBudget memory, CopySource copies)
      throws IOException {
    return ProxyServer.listenToPeers(
        new InetSocketAddress(self.host(), self.port()), tier, memory, access, question, copies);
  }

  /** Whether this proxy makes a tier that is new. */
  public boolean isFirst() {
    return all.get(0).equals(self);
  }

  /** The other proxies. */
  public List<ServerAddress> others() {
    return all.stream().filter(peer -> !peer.equals(self)).toList();
  }
}
