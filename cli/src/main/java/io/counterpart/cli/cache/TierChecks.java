package io.counterpart.cli.cache;

import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.launch.BlockingClient;
import io.counterpart.cli.cache.options.ProxyOptions;
import io.counterpart.cli.cache.options.StoreChoice;
import io.counterpart.cli.cache.options.TierOptions;
import io.counterpart.memcached.ItemFiles;
import io.counterpart.memcached.MemcachedSpec;
import io.counterpart.memcached.tier.Tier;
import io.counterpart.memcached.tier.TierPreflight;
import io.counterpart.memcached.tier.TierPreflight.Listening;
import io.counterpart.process.Check;
import io.counterpart.process.PreflightException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks that a tier can start, before any of it does. */
final class TierChecks {

  private static final Duration LIMIT = Duration.ofSeconds(5);

  private TierChecks() {}

  /**
   * @param mayBeSilent number of somebody else's servers that may be down
   * @throws PreflightException with every failed check
   */
  static void require(Tier tier, TierOptions options, int mayBeSilent) {
    List<Check> checks =
        new ArrayList<>(
            TierPreflight.check(
                new TierPreflight.Need(
                    tier.deadPorts(),
                    options.spec(),
                    listening(options.proxy(), tier.deadProxies()),
                    tier.deadProxies().size(),
                    2 * options.heapMegabytes())));
    warm(tier.deadPorts(), options.spec()).ifPresent(checks::add);
    if (!options.proxy().servers().isEmpty()) {
      checks.add(servers(options.proxy().servers(), mayBeSilent));
    }
    if (options.proxy().store().isOn()) {
      checks.add(store(options.proxy().store().contacts()));
    }
    Check.require(checks);
  }

  /** Checks the store; one node is enough, because it knows the others. */
  private static Check store(List<InetSocketAddress> contacts) {
    boolean answers = contacts.stream().anyMatch(TierChecks::isListening);
    return new Check(
        "store",
        answers,
        answers ? "reached" : StoreChoice.names(contacts) + " not reached",
        "a node of Cassandra there");
  }

  private static boolean isListening(InetSocketAddress address) {
    try (Socket socket = new Socket()) {
      socket.connect(address, (int) LIMIT.toMillis());
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Checks that more servers can start.
   *
   * @throws PreflightException with every failed check
   */
  static void requireRoom(List<Integer> ports, MemcachedSpec spec) {
    List<Check> checks =
        new ArrayList<>(TierPreflight.check(new TierPreflight.Need(ports, spec, List.of(), 0, 0)));
    warm(ports, spec).ifPresent(checks::add);
    Check.require(checks);
  }

  private static Optional<Check> warm(List<Integer> ports, MemcachedSpec spec) {
    ItemFiles files = spec.itemFiles();
    return files == null || ports.isEmpty()
        ? Optional.empty()
        : Optional.of(files.check(ports, spec));
  }

  /**
   * @throws PreflightException with the servers that do not answer
   */
  static void requireAnswers(List<ServerAddress> servers) {
    Check.require(List.of(servers(servers, 0)));
  }

  private static List<Listening> listening(ProxyOptions proxy, List<Integer> numbers) {
    List<Listening> ports = new ArrayList<>();
    for (int number : numbers) {
      ports.add(
          new Listening("clients", proxy.listenAddress().getHostAddress(), proxy.port() + number));
      if (proxy.metricsPort() != ProxyOptions.NO_METRICS) {
        ports.add(
            new Listening(
                "metrics", proxy.metricsAddress().getHostAddress(), proxy.metricsPort(number)));
      }
    }
    return ports;
  }

  /** Checks that somebody else's servers answer: a wrong address would only show as misses. */
  private static Check servers(List<ServerAddress> servers, int mayBeSilent) {
    List<String> silent =
        servers.parallelStream()
            .map(TierChecks::problem)
            .filter(problem -> !problem.isEmpty())
            .toList();
    return new Check(
        "servers",
        silent.size() <= mayBeSilent,
        silent.isEmpty() ? "all answer" : String.join(", ", silent),
        mayBeSilent == 0 ? "memcached there" : "no more than " + mayBeSilent + " that are down");
  }

  /** The reason why a server cannot be used; empty if it can. */
  private static String problem(ServerAddress server) {
    try (BlockingClient client = BlockingClient.connect(server, null, null, LIMIT)) {
      client.version();
      return "";
    } catch (IOException e) {
      return server + " does not answer (" + e.getMessage() + ")";
    }
  }
}
