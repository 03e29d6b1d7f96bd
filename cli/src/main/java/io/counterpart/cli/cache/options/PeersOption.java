package io.counterpart.cli.cache.options;

import io.counterpart.cache.backend.ConnectionSecurity;
import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.proxy.Access;
import io.counterpart.cache.proxy.Credentials;
import io.counterpart.cache.proxy.TlsFiles;
import io.counterpart.cache.service.peer.PeerOptions;
import io.counterpart.cli.console.PreconditionException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a tier with proxies on several machines; mixed into commands. */
public final class PeersOption {
  private static final int DEFAULT_COPIES = 2;

  @Option(
      names = "--peers",
      paramLabel = "HOST:PORT",
      split = ",",
      description =
          "Proxies of the tier on several machines: the addresses at which they reach each other,"
              + " this one's included, in the same order everywhere. Each keeps metadata of its"
              + " own; one owns the tier, and another takes over when its machine is lost. The"
              + " first makes a new tier. Others than loopback need TLS and --auth.")
  private List<String> peers = new ArrayList<>();

  @Option(
      names = "--peer-listen",
      paramLabel = "HOST:PORT",
      description = "Which of --peers this proxy is.")
  private @Nullable String self;

  @Option(
      names = "--metadata-copies",
      paramLabel = "N",
      description =
          "Copies of the metadata, on as many machines, that what must not be lost is in; 1 to the"
              + " number of --peers (default: 2).")
  private @Nullable Integer copies;

  /** Whether there are other machines. */
  public boolean isGiven() {
    return !peers.isEmpty();
  }

  /**
   * Checks what needs no file.
   *
   * @throws IllegalArgumentException with the option, its value and the legal ones
   */
  public void check(ProxyOptions proxy) {
    if (!isGiven()) {
      if (self != null || copies != null) {
        throw new IllegalArgumentException(
            (self != null ? "--peer-listen" : "--metadata-copies")
                + " is given without --peers: name all proxies by --peers, or leave it out");
      }
      return;
    }
    if (!proxy.scheme().isCoded()) {
      throw new IllegalArgumentException(
          "--peers is given, but proxies of scheme %s have nothing in common: leave it out"
              .formatted(proxy.scheme()));
    }
    List<ServerAddress> all = addresses();
    if (self == null || !all.contains(address("--peer-listen", self))) {
      throw new IllegalArgumentException(
          "--peer-listen is %s, legal: one of --peers, %s"
              .formatted(self == null ? "missing" : "'" + self + "'", all));
    }
    int most = all.size();
    if (copies != null && (copies < 1 || copies > most)) {
      throw new IllegalArgumentException(
          "--metadata-copies is %d, not in 1..%d, the number of --peers".formatted(copies, most));
    }
    if (proxy.store().isBehind()) {
      throw new IllegalArgumentException(
          "--store-write is behind, legal with --peers: through; the log of changes is on one"
              + " machine");
    }
  }

  private List<ServerAddress> addresses() {
    return peers.stream().map(peer -> address("--peers", peer)).toList();
  }

  private static ServerAddress address(String option, String text) {
    try {
      return ServerAddress.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(option + ": " + e.getMessage(), e);
    }
  }

  /**
   * The options of the service.
   *
   * @param access what clients have to show, and peers too
   * @throws PreconditionException if a file is missing or malformed
   */
  public PeerOptions options(
      Access access, @Nullable TlsFiles tls, @Nullable Credentials credentials) {
    try {
      List<ServerAddress> all = addresses();
      return new PeerOptions(
          address("--peer-listen", String.valueOf(self)),
          all,
          copies == null ? Math.min(DEFAULT_COPIES, all.size()) : copies,
          access,
          new ConnectionSecurity(
              tls == null ? null : tls.trusting(),
              credentials == null ? null : credentials.first()));
    } catch (IOException e) {
      throw new PreconditionException("TLS: " + e.getMessage());
    }
  }
}
