package io.counterpart.cli.cache.options;

import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cli.console.PreconditionException;
import io.counterpart.memcached.ItemFiles;
import io.counterpart.memcached.MemcachedSpec;
import io.counterpart.memcached.tier.Tier;
import io.counterpart.memcached.tier.TierServer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of a new tier; mixed into {@code cache up}. */
public final class TierOptions {

  /** Names of all options here, to detect whether one of them was given. */
  public static final List<String> NAMES =
      Stream.concat(
              ProxyOptions.NAMES.stream(),
              Stream.of("--proxies", "--servers", "--memory", "--heap", "--warm"))
          .toList();

  public static final int MAX_SERVERS = 256;

  private static final int MAX_PROXIES = 16;

  private static final int DEFAULT_SERVERS = 3;
  private static final int MIN_HEAP = 64;
  private static final int MAX_HEAP = 32_768;
  private static final int DEFAULT_HEAP = 256;

  /** Of each of several shards, least: its two parts of the requests' memory are a quarter. */
  private static final int HEAP_OF_SHARD = 128;

  /** Options that are kept only if they are not 1, as before there were any. */
  private static final Set<String> USUALLY_ONE = Set.of("--proxies", ShardsOption.NAME);

  private static final int MIB = 1 << 20;

  @Mixin private ProxyOptions proxy;

  @Option(
      names = "--proxies",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Proxies of the tier, 1 to 16, on the ports from --port on, and with metrics on those"
              + " from --metrics-port downwards (default: 1). Of a tier with a code one of them"
              + " owns it, the others forward to it, and take over when it ends.")
  private int proxies;

  @Option(
      names = "--servers",
      paramLabel = "N",
      description =
          "memcached servers to start, N of the code for each shard to 256, on the ports after the"
              + " proxies' (default: N of the code for each shard, 3 for vanilla; none with"
              + " --server).")
  private @Nullable Integer servers;

  @Option(
      names = "--memory",
      paramLabel = "MIB",
      defaultValue = "64",
      description =
          "Memory for items of each server started, in MiB, 4, or 64 with --warm, to 1048576"
              + " (default: 64).")
  private int memoryMegabytes;

  @Option(
      names = "--heap",
      paramLabel = "MB",
      description =
          "Heap of the proxy, and as much again for its buffers, 64, or 128 for each of several"
              + " shards, to 32768 (default: 256, or 128 for each shard if that is more).")
  private @Nullable Integer heapMegabytes;

  @Option(
      names = "--warm",
      paramLabel = "DIR",
      description =
          "Directory on a tmpfs, such as /dev/shm, in which servers keep their items: one that was"
              + " stopped by kill -USR1 has them again when cache up starts it, and needs no repair"
              + " if no write was missed (default: servers start empty). Not with --server.")
  private @Nullable Path warm;

  /**
   * Parses the recorded options of a tier.
   *
   * @throws PreconditionException if they are not options of this command
   */
  public static TierOptions parse(Map<String, String> values, Path home) {
    TierOptions options = new TierOptions();
    String[] arguments =
        values.entrySet().stream()
            .map(option -> option.getKey() + "=" + option.getValue())
            .toArray(String[]::new);
    try {
      new CommandLine(options).parseArgs(arguments);
      // added servers have the ports that were free
      options.checkValues();
      options.proxy.check(options.proxies, 0);
    } catch (ParameterException | IllegalArgumentException e) {
      throw new PreconditionException(
          "the tier recorded under "
              + home
              + " is not understood: "
              + e.getMessage()
              + "; stop it with: counterpart cache down");
    }
    return options;
  }

  /**
   * @throws IllegalArgumentException with the option, its value and the legal range
   */
  public void check() {
    checkValues();
    proxy.check(proxies, ownServers());
  }

  private void checkValues() {
    if (servers != null && !proxy.servers().isEmpty()) {
      throw new IllegalArgumentException("--servers and --server exclude each other");
    }
    CodeShape code = proxy.code();
    String shards = proxy.shards() == 1 ? "" : " and %d shards".formatted(proxy.shards());
    if (proxy.servers().isEmpty()) {
      requireRange(
          "--servers",
          ownServers(),
          code == null ? 1 : code.n() * proxy.shards(),
          MAX_SERVERS,
          code == null ? "" : " with code " + code + shards);
    }
    requireRange("--proxies", proxies, 1, MAX_PROXIES, "");
    if (warm != null && !proxy.servers().isEmpty()) {
      throw new IllegalArgumentException(
          "--warm is %s, but somebody else runs the servers: leave --warm or --server out"
              .formatted(warm));
    }
    requireRange(
        "--heap", heapMegabytes(), leastHeap(), MAX_HEAP, shards.replaceFirst(" and", " with"));
    proxy.memory(jvmBytes());
    spec();
  }

  private static void requireRange(String option, int value, int low, int high, String with) {
    if (value < low || value > high) {
      throw new IllegalArgumentException(
          "%s is %d, not in %d..%d%s".formatted(option, value, low, high, with));
    }
  }

  public ProxyOptions proxy() {
    return proxy;
  }

  public int proxies() {
    return proxies;
  }

  public int heapMegabytes() {
    return heapMegabytes == null ? Math.max(DEFAULT_HEAP, leastHeap()) : heapMegabytes;
  }

  private int leastHeap() {
    return proxy.shards() == 1 ? MIN_HEAP : HEAP_OF_SHARD * proxy.shards();
  }

  /** Memory of the proxy's JVM for objects, which is somewhat less than its heap. */
  public long jvmBytes() {
    return (long) heapMegabytes() * MIB / 8 * 7;
  }

  /** The specification of each server to start. */
  public MemcachedSpec spec() {
    boolean evicts = proxy.scheme().evicts();
    try {
      MemcachedSpec spec =
          evicts ? MemcachedSpec.forCache(memoryMegabytes) : MemcachedSpec.forTier(memoryMegabytes);
      return warm == null ? spec : spec.with(new ItemFiles(warm));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--memory: " + e.getMessage(), e);
    }
  }

  /** Ports of the servers to start. */
  public List<Integer> serverPorts() {
    int first = proxy.port() + proxies;
    return IntStream.range(first, first + ownServers()).boxed().toList();
  }

  /** All servers of a new proxy. */
  public List<ServerAddress> allServers() {
    return proxy.servers().isEmpty() ? addresses(serverPorts()) : proxy.servers();
  }

  /** All servers of a tier; some may have been added, and others removed. */
  public List<ServerAddress> allServers(Tier tier) {
    return proxy.servers().isEmpty()
        ? addresses(tier.servers().stream().map(TierServer::port).toList())
        : proxy.servers();
  }

  private static List<ServerAddress> addresses(List<Integer> ports) {
    return ports.stream().map(TierOptions::address).toList();
  }

  /** Address of a server that was started here. */
  public static ServerAddress address(int port) {
    return new ServerAddress(MemcachedSpec.ADDRESS, port);
  }

  private int ownServers() {
    if (servers != null || !proxy.servers().isEmpty()) {
      return servers == null ? 0 : servers;
    }
    CodeShape code = proxy.code();
    return code == null ? DEFAULT_SERVERS : code.n() * proxy.shards();
  }

  /** The value of an option among those of {@link #values}; null if it has none. */
  public static @Nullable String value(Map<String, String> values, String option) {
    String kept = values.get(option);
    return kept == null && USUALLY_ONE.contains(option) ? "1" : kept;
  }

  /** Every option with its value, defaults included, from which the same tier can be made again. */
  public Map<String, String> values() {
    Map<String, String> values = new LinkedHashMap<>(proxy.values());
    if (proxies > 1) {
      values.put("--proxies", String.valueOf(proxies));
    }
    if (proxy.servers().isEmpty()) {
      values.put("--servers", String.valueOf(ownServers()));
      values.put("--memory", String.valueOf(memoryMegabytes));
    }
    values.put("--heap", String.valueOf(heapMegabytes()));
    if (warm != null) {
      values.put("--warm", new ItemFiles(warm).directory().toString());
    }
    return values;
  }
}
