package io.counterpart.lab.tier.arm;

import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.launch.BlockingClient;
import io.counterpart.cache.ring.ServerId;
import io.counterpart.lab.tier.network.Relay;
import io.counterpart.lab.tier.network.TierNetwork;
import io.counterpart.memcached.MemcachedServer;
import io.counterpart.memcached.MemcachedServers;
import io.counterpart.memcached.MemcachedSpec;
import io.counterpart.process.ProcessIdentity;
import io.counterpart.process.TcpPort;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The memcached servers of one arm, and the simulated network before them. Not thread-safe. */
public final class TierServers implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(5);

  private static final int ROUND_TRIPS = 201;

  // below the ports that the system gives to clients; apart from other processes of this lab
  private static final int FIRST_PORT = 20_000;
  private static final int LAST_PORT = 32_000;
  private static final int PORTS_EACH = 400;

  private final MemcachedServers servers;
  private final @Nullable Relay relay;
  private final List<ServerAddress> addresses;
  private Duration endedCpu = Duration.ZERO;
  private Work endedWork = Work.NONE;

  private TierServers(
      MemcachedServers servers, @Nullable Relay relay, List<ServerAddress> addresses) {
    this.servers = servers;
    this.relay = relay;
    this.addresses = List.copyOf(addresses);
  }

  /**
   * Starts servers; returns when every one answers.
   *
   * @param directory for their logs
   * @param count of servers, at least 1
   * @throws io.counterpart.process.PreflightException if memcached is missing
   */
  static TierServers start(Path directory, int count, int memoryMegabytes, TierNetwork network)
      throws IOException {
    MemcachedServers servers =
        MemcachedServers.start(
            MemcachedSpec.forTier(memoryMegabytes), directory, freePorts(count), launched -> {});
    if (network.isDirect()) {
      return new TierServers(servers, null, direct(servers));
    }
    Relay relay = Relay.start(network);
    try {
      List<ServerAddress> relayed = new ArrayList<>();
      for (MemcachedServer server : servers.servers()) {
        relayed.add(new ServerAddress(MemcachedSpec.ADDRESS, relay.listen(server.port())));
      }
      return new TierServers(servers, relay, relayed);
    } catch (IOException | RuntimeException failure) {
      relay.close();
      servers.close();
      throw failure;
    }
  }

  private static List<ServerAddress> direct(MemcachedServers servers) {
    return servers.servers().stream()
        .map(server -> new ServerAddress(MemcachedSpec.ADDRESS, server.port()))
        .toList();
  }

  private static List<Integer> freePorts(int count) {
    int slots = (LAST_PORT - FIRST_PORT) / PORTS_EACH;
    int first = FIRST_PORT + (int) (ProcessHandle.current().pid() % slots) * PORTS_EACH;
    List<Integer> free =
        IntStream.range(first, LAST_PORT + PORTS_EACH)
            .filter(port -> TcpPort.isFree(MemcachedSpec.ADDRESS, port))
            .limit(count)
            .boxed()
            .toList();
    if (free.size() < count) {
      throw new IllegalStateException(
          "%d servers need as many free ports from %d on: there are %d"
              .formatted(count, first, free.size()));
    }
    return free;
  }

  public int count() {
    return addresses.size();
  }

  /** The addresses at which the proxy reaches them. */
  List<ServerAddress> addresses() {
    return addresses;
  }

  /** Their names on the rings. */
  public List<ServerId> ids() {
    return addresses.stream().map(address -> new ServerId(address.toString())).toList();
  }

  /**
   * Kills a server and restarts it on its port, empty.
   *
   * @throws IOException if the bytes that it has sent and received cannot be read before
   */
  public void replace(int server) throws IOException {
    kill(server);
    servers.servers().get(server).start();
  }

  /** Kills a server; as {@link #replace}. */
  public void kill(int server) throws IOException {
    MemcachedServer killed = servers.servers().get(server);
    endedCpu = endedCpu.plus(killed.cpuTime());
    endedWork = endedWork.plus(Work.of(stats(killed)));
    killed.kill();
  }

  /** Restarts a killed server, which is empty then. */
  public void start(int server) {
    servers.servers().get(server).start();
  }

  /**
   * Bytes of a server's items, as memcached counts them: with keys and its headers.
   *
   * @throws IOException if the server does not answer
   */
  public long itemBytes(int server) throws IOException {
    return number(stats(servers.servers().get(server)), "bytes");
  }

  /**
   * What servers have done since their starts.
   *
   * @param trafficBytes sent and received
   * @param commands reads, writes and deletions
   * @param evictions items that left for lack of memory
   */
  record Work(long trafficBytes, long commands, long evictions) {
    private static final Work NONE = new Work(0, 0, 0);

    private static Work of(Map<String, String> stats) {
      return new Work(
          number(stats, "bytes_read") + number(stats, "bytes_written"),
          number(stats, "cmd_get")
              + number(stats, "cmd_set")
              + number(stats, "cmd_touch")
              + number(stats, "delete_hits")
              + number(stats, "delete_misses"),
          number(stats, "evictions"));
    }

    Work plus(Work other) {
      return new Work(
          trafficBytes + other.trafficBytes,
          commands + other.commands,
          evictions + other.evictions);
    }

    Work minus(Work earlier) {
      return new Work(
          trafficBytes - earlier.trafficBytes,
          commands - earlier.commands,
          evictions - earlier.evictions);
    }
  }

  /**
   * The work of all servers so far, killed ones included.
   *
   * @throws IOException if a server does not answer
   */
  Work work() throws IOException {
    Work sum = endedWork;
    for (MemcachedServer server : servers.servers()) {
      sum = server.isAlive() ? sum.plus(Work.of(stats(server))) : sum;
    }
    return sum;
  }

  /**
   * Median time of a request that the first server answers at once, in microseconds, by the proxy's
   * route.
   *
   * @throws IOException if it does not answer
   */
  public long roundTripMicros() throws IOException {
    long[] nanos = new long[ROUND_TRIPS];
    try (BlockingClient client = BlockingClient.connect(addresses.get(0), null, null, LIMIT)) {
      for (int i = 0; i < ROUND_TRIPS; i++) {
        long start = System.nanoTime();
        client.version();
        nanos[i] = System.nanoTime() - start;
      }
    }
    Arrays.sort(nanos);
    return nanos[ROUND_TRIPS / 2] / 1000;
  }

  /** Memory that the running servers' processes hold, in bytes; any thread may ask. */
  long memoryBytes() {
    return servers.servers().stream()
        .mapToLong(server -> server.identity().map(ProcessIdentity::anonymousBytes).orElse(0L))
        .sum();
  }

  /** Has each server keep its items in one list, as the coded tier does: reads move none then. */
  void keepOneList() throws IOException {
    for (ServerAddress address : addresses) {
      try (BlockingClient client = BlockingClient.connect(address, null, null, LIMIT)) {
        client.keepOneList();
      }
    }
  }

  private static long number(Map<String, String> stats, String name) {
    return Long.parseLong(stats.getOrDefault(name, "0"));
  }

  private static Map<String, String> stats(MemcachedServer server) throws IOException {
    ServerAddress address = new ServerAddress(MemcachedSpec.ADDRESS, server.port());
    try (BlockingClient client = BlockingClient.connect(address, null, null, LIMIT)) {
      return client.stats();
    }
  }

  /** Processor time of all servers so far, killed ones included. */
  Duration cpu() {
    Duration sum = endedCpu;
    for (MemcachedServer server : servers.servers()) {
      sum = sum.plus(server.cpuTime());
    }
    return sum;
  }

  @Override
  public void close() {
    if (relay != null) {
      relay.close();
    }
    servers.close();
  }
}
