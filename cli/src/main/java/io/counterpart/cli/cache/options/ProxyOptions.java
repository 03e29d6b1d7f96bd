package io.counterpart.cli.cache.options;

import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.proxy.Access;
import io.counterpart.cache.proxy.Credentials;
import io.counterpart.cache.proxy.MemoryLimits;
import io.counterpart.cache.proxy.TlsFiles;
import io.counterpart.cache.service.Scheme;
import io.counterpart.cache.service.SchemeOptions;
import io.counterpart.cache.service.ServiceOptions;
import io.counterpart.cli.console.PreconditionException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The proxy's options; mixed into commands. */
public final class ProxyOptions {

  /** Names of all options here. */
  static final List<String> NAMES =
      Stream.of(ownNames(), StoreChoice.NAMES.stream(), RequestMemoryOptions.NAMES.stream())
          .flatMap(names -> names)
          .toList();

  private static Stream<String> ownNames() {
    return Stream.of(
        "--scheme",
        "--code",
        ShardsOption.NAME,
        "--server",
        "--port",
        "--listen",
        "--metrics-port",
        "--metrics-listen",
        "--tls-certificate",
        "--tls-key",
        "--auth",
        WhenFullOption.NAME);
  }

  public static final int NO_METRICS = 0;

  private static final CodeShape DEFAULT_CODE = new CodeShape(5, 3);

  // the port below is free for metrics, and needs no root either
  private static final int MIN_PORT = 1025;
  private static final int MAX_PORT = 65_535;

  @Option(
      names = "--scheme",
      paramLabel = "NAME",
      defaultValue = "echash",
      description =
          "How objects are kept: echash, under an erasure code; vanilla, each on one server without"
              + " redundancy (default: echash).")
  private String scheme = "";

  @Option(
      names = "--code",
      paramLabel = "N,K",
      description =
          "The code of echash: N rings of servers, of which any K are enough to read every object;"
              + " 3,2 to 14,10 (default: 5,3).")
  private @Nullable String code;

  @Option(
      names = "--server",
      paramLabel = "HOST[:PORT]",
      split = ",",
      description = "memcached server that somebody else runs, port 11211 if none; repeatable.")
  private List<String> servers = new ArrayList<>();

  @Option(
      names = "--port",
      paramLabel = "P",
      defaultValue = "11211",
      description = "Port for memcached clients, 1025 to 65535 (default: 11211).")
  private int port;

  @Option(
      names = "--listen",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description =
          "Address for clients (default: 127.0.0.1). Others than loopback need TLS and --auth.")
  private String listen = "";

  @Option(
      names = "--metrics-port",
      paramLabel = "P",
      description =
          "Port for Prometheus, 1024 to 65535 or 0 for none (default: the port below --port).")
  private @Nullable Integer metricsPort;

  @Option(
      names = "--metrics-listen",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description = "Address for Prometheus (default: 127.0.0.1): plain HTTP, without a password.")
  private String metricsListen = "";

  @Option(
      names = "--tls-certificate",
      paramLabel = "FILE",
      description = "Speak TLS 1.2 or 1.3 with this certificate (chain), PEM.")
  private @Nullable Path tlsCertificate;

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description = "Its private key, PEM (PKCS #8, not encrypted).")
  private @Nullable Path tlsKey;

  @Option(
      names = "--auth",
      paramLabel = "FILE",
      description =
          "Let in only who sends a user and password of this file first, as with memcached -Y;"
              + " lines user:password.")
  private @Nullable Path auth;

  @Mixin private ShardsOption shards;
  @Mixin private StoreChoice store;
  @Mixin private AdoptOption adopt;
  @Mixin private WhenFullOption whenFull;
  @Mixin private RequestMemoryOptions requestMemory;

  /**
   * Checks all options that need no file.
   *
   * @param proxies of the tier, each on its own port
   * @param serverPorts number of servers' ports after the proxies'
   * @throws IllegalArgumentException with the option, its value and the legal range
   */
  public void check(int proxies, int serverPorts) {
    code();
    servers();
    store.check();
    shards();
    whenFull.evicts(scheme(), store);
    if (proxies > 1 && !scheme().isCoded() && store.isOn()) {
      throw new IllegalArgumentException(
          "--proxies is %d, not 1, as scheme %s with a persistent store needs"
              .formatted(proxies, scheme()));
    }
    if (adopt.isGiven() && !scheme().isCoded()) {
      throw new IllegalArgumentException(
          "%s is given, but servers of scheme %s belong to no tier: leave it out"
              .formatted(AdoptOption.NAME, scheme));
    }
    int taken = proxies + serverPorts;
    requirePort("--port", port, MIN_PORT, MAX_PORT - taken + 1);
    if (metricsPort() != NO_METRICS) {
      requirePort("--metrics-port", metricsPort(), MIN_PORT - 2 + proxies, MAX_PORT);
      if (metricsPort() >= port && metricsPort(proxies - 1) < port + taken) {
        throw new IllegalArgumentException(
            "--metrics-port is %d, not another port than the %d from %d on, which are taken"
                .formatted(metricsPort(), taken, port));
      }
    }
    metricsAddress();
    if ((tlsCertificate == null) != (tlsKey == null)) {
      throw new IllegalArgumentException("--tls-certificate and --tls-key need each other");
    }
    if (!listenAddress().isLoopbackAddress() && (tlsKey == null || auth == null)) {
      throw new IllegalArgumentException(
          "--listen is '"
              + listen
              + "', which is not loopback: add --tls-certificate, --tls-key and --auth, or listen"
              + " on 127.0.0.1");
    }
  }

  private static void requirePort(String option, int value, int low, int high) {
    if (value < low || value > high) {
      throw new IllegalArgumentException(option + " is " + value + ", not in " + low + ".." + high);
    }
  }

  public Scheme scheme() {
    try {
      return Scheme.parse(scheme);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--" + e.getMessage(), e);
    }
  }

  /**
   * The code; null if the scheme has none.
   *
   * @throws IllegalArgumentException with the value and the legal range
   */
  public @Nullable CodeShape code() {
    if (!scheme().isCoded()) {
      if (code != null) {
        throw new IllegalArgumentException(
            "--code is '%s', but scheme %s has no code: leave --code or --scheme out"
                .formatted(code, scheme));
      }
      return null;
    }
    try {
      return code == null ? DEFAULT_CODE : CodeShape.parse(code);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--" + e.getMessage(), e);
    }
  }

  /**
   * Number of shards, 1 and above.
   *
   * @throws IllegalArgumentException with the value and the legal range
   */
  public int shards() {
    return shards.number(scheme());
  }

  /** Servers that somebody else runs. */
  public List<ServerAddress> servers() {
    try {
      return servers.stream().map(ServerAddress::parse).toList();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--" + e.getMessage(), e);
    }
  }

  /** The persistent store behind the tier. */
  public StoreChoice store() {
    return store;
  }

  /**
   * Limits on the memory of clients' requests.
   *
   * @param jvmBytes heap of the proxy, or its direct memory if that is less
   * @throws IllegalArgumentException with the option, its value and the legal range
   */
  MemoryLimits memory(long jvmBytes) {
    return requestMemory.limits(jvmBytes, shards());
  }

  public int port() {
    return port;
  }

  public InetAddress listenAddress() {
    return ListenAddress.parse("--listen", listen);
  }

  /** The port of the metrics; {@link #NO_METRICS} for none. */
  public int metricsPort() {
    return metricsPort == null ? port - 1 : metricsPort;
  }

  /** The port of the metrics of one of several proxies, numbered from 0. */
  public int metricsPort(int proxy) {
    return metricsPort() == NO_METRICS ? NO_METRICS : metricsPort() - proxy;
  }

  public InetAddress metricsAddress() {
    return ListenAddress.parse("--metrics-listen", metricsListen);
  }

  /** The address at which a client on this machine reaches a proxy; proxies are numbered from 0. */
  public ServerAddress reachable(int proxy) {
    return new ServerAddress(ListenAddress.reachable(listenAddress()), port + proxy);
  }

  /** The address of a proxy's metrics; null if there are none. */
  public @Nullable String metricsUrl(int proxy) {
    return metricsPort() == NO_METRICS
        ? null
        : "http://%s/metrics"
            .formatted(
                new ServerAddress(ListenAddress.reachable(metricsAddress()), metricsPort(proxy)));
  }

  public @Nullable TlsFiles tls() {
    return tlsCertificate == null || tlsKey == null ? null : new TlsFiles(tlsCertificate, tlsKey);
  }

  /**
   * The accepted credentials; null to accept everybody.
   *
   * @throws PreconditionException if the file is missing or malformed
   */
  public @Nullable Credentials credentials() {
    try {
      return auth == null ? null : Credentials.read(auth);
    } catch (IOException e) {
      throw new PreconditionException("--auth: " + e.getMessage());
    }
  }

  /**
   * The options of the proxy's start; reads the files.
   *
   * @param all its servers
   * @param metadata directory of a coded scheme's metadata
   * @param control the socket for commands; null for none
   * @param behindLog directory for write-behind
   * @param jvmBytes heap of the proxy, or its direct memory if that is less
   * @throws PreconditionException if a file is missing or malformed
   * @throws IllegalArgumentException with the value and the legal range
   */
  public ServiceOptions service(
      List<ServerAddress> all,
      @Nullable Path metadata,
      @Nullable Path control,
      Path behindLog,
      long jvmBytes) {
    TlsFiles tls = tls();
    try {
      Access access = new Access(tls == null ? null : tls.server(), credentials());
      return new ServiceOptions(
          keeping(metadata),
          all,
          store.options(behindLog),
          new InetSocketAddress(listenAddress(), port),
          access,
          memory(jvmBytes),
          metricsPort() == NO_METRICS
              ? null
              : new InetSocketAddress(metricsAddress(), metricsPort()),
          control);
    } catch (IOException e) {
      throw new PreconditionException("TLS: " + e.getMessage());
    }
  }

  /** Whether this start takes servers of other tiers. */
  public boolean adoptsServers() {
    return adopt.isGiven();
  }

  /** The options of the scheme. */
  public SchemeOptions keeping(@Nullable Path metadata) {
    CodeShape shape = code();
    SchemeOptions options =
        new SchemeOptions(scheme(), shape, shape == null ? null : metadata).sharded(shards());
    options = whenFull.evicts(scheme(), store) ? options.evicting() : options;
    return adopt.isGiven() ? options.adopting() : options;
  }

  /**
   * Every option with its value, defaults included, from which the same proxy can be made again.
   */
  public Map<String, String> values() {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("--scheme", scheme);
    CodeShape shape = code();
    if (shape != null) {
      values.put("--code", shape.n() + "," + shape.k());
    }
    values.putAll(shards.values());
    if (!servers.isEmpty()) {
      values.put(
          "--server",
          servers().stream().map(ServerAddress::toString).collect(Collectors.joining(",")));
    }
    values.put("--port", String.valueOf(port));
    values.put("--listen", listen);
    values.put("--metrics-port", String.valueOf(metricsPort()));
    values.put("--metrics-listen", metricsListen);
    putFile(values, "--tls-certificate", tlsCertificate);
    putFile(values, "--tls-key", tlsKey);
    putFile(values, "--auth", auth);
    values.putAll(whenFull.values());
    values.putAll(store.values());
    values.putAll(requestMemory.values());
    return values;
  }

  private static void putFile(Map<String, String> values, String option, @Nullable Path file) {
    if (file != null) {
      values.put(option, file.toAbsolutePath().normalize().toString());
    }
  }
}
