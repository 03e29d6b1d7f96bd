package io.counterpart.cli.cache;

import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.control.ServerChange;
import io.counterpart.cache.control.ServerReport;
import io.counterpart.cli.cache.options.TierOptions;
import io.counterpart.cli.console.Output;
import io.counterpart.cli.console.PreconditionException;
import io.counterpart.memcached.MemcachedSpec;
import io.counterpart.memcached.tier.TierLock;
import io.counterpart.memcached.tier.TierServer;
import io.counterpart.process.TcpPort;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code counterpart cache add-server}. */
@Command(
    name = "add-server",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Adds memcached servers to a tier with a code, several at once: each to the smallest ring."
          + " Objects move to them in waves that keep every object readable. Of several shards, the"
          + " one with the fewest servers gets all of them.",
      "Ctrl-C ends the command, not the change. A proxy that ends meanwhile goes on when cache up"
          + " starts it again."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the servers are used, and have their share of the objects",
      "1:a server did not start, the change was cancelled, or the proxy ended meanwhile",
      "2:a bad option; nothing was started",
      "3:no tier runs, its servers cannot change now, or memcached, a port or a server is missing;"
          + " nothing was changed",
      "130:stopped by Ctrl-C; a change that had begun goes on"
    })
final class CacheAddServerCommand implements Callable<Integer> {
  private static final int MAX_PORT = 65_535;

  @Spec private CommandSpec command;
  @Mixin private TierHome home;

  @Option(
      names = "--count",
      paramLabel = "N",
      description =
          "memcached servers to start, on the next free ports (default: 1), if cache up has started"
              + " the tier's.")
  private @Nullable Integer count;

  @Option(
      names = "--server",
      paramLabel = "HOST[:PORT]",
      split = ",",
      description =
          "memcached server that somebody else runs, port 11211 if none; repeatable. For tiers that"
              + " were started with --server.")
  private List<String> servers = new ArrayList<>();

  @Mixin private Output output;

  @Override
  public Integer call() throws IOException {
    if (count != null && !servers.isEmpty()) {
      throw usage("--count and --server exclude each other");
    }
    if (count != null && count < 1) {
      throw usage("--count is " + count + ", not in 1.." + TierOptions.MAX_SERVERS);
    }
    TierLock lock = home.lockExisting();
    try (RunningTier running = RunningTier.require(home)) {
      return add(running, lock);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), e.getMessage(), e);
    } finally {
      lock.close();
    }
  }

  private int add(RunningTier running, TierLock lock) throws IOException {
    ServerChange change =
        new ServerChange(
            ServerChange.Kind.ADD,
            running.hasOwnServers() ? planned(running) : requireOthers(running));
    running.requireChangeable();
    if (running.hasOwnServers()) {
      start(running, change);
    } else {
      TierChecks.requireAnswers(change.servers());
      RecordedServers.recordMore(running.tier(), running.options(), change.servers());
    }
    return new ServerChangeRun(running, lock, output).run(change);
  }

  private void start(RunningTier running, ServerChange change) {
    MemcachedSpec spec = running.options().spec();
    List<Integer> ports = change.servers().stream().map(ServerAddress::port).toList();
    TierChecks.requireRoom(ports, spec);
    output.progress("memcached starts on port " + ServerChangeRun.names(ports));
    running.tier().addServers(spec, ports);
    RecordedServers.recordCount(running.tier());
  }

  private List<ServerAddress> planned(RunningTier running) {
    if (!servers.isEmpty()) {
      throw usage(
          "--server is %s, but the tier under %s has servers that cache up has started: legal is"
                  .formatted(String.join(",", servers), home.path())
              + " --count");
    }
    List<Integer> taken = running.tier().servers().stream().map(TierServer::port).toList();
    int more = count == null ? 1 : count;
    if (taken.size() + more > TierOptions.MAX_SERVERS) {
      throw usage(
          "--count is %d, not in 1..%d with the %d servers that the tier has"
              .formatted(more, TierOptions.MAX_SERVERS - taken.size(), taken.size()));
    }
    int last = taken.stream().mapToInt(port -> port).max().orElseThrow();
    List<ServerAddress> free =
        IntStream.rangeClosed(last + 1, MAX_PORT)
            .filter(port -> !isForMetrics(running.options(), port))
            .filter(port -> TcpPort.isFree(MemcachedSpec.ADDRESS, port))
            .limit(more)
            .mapToObj(TierOptions::address)
            .toList();
    if (free.size() < more) {
      throw new PreconditionException(
          "%d free ports above %d, and %d are needed".formatted(free.size(), last, more));
    }
    return free;
  }

  private static boolean isForMetrics(TierOptions options, int port) {
    return IntStream.range(0, options.proxies())
        .anyMatch(proxy -> options.proxy().metricsPort(proxy) == port);
  }

  private List<ServerAddress> requireOthers(RunningTier running) {
    if (servers.isEmpty()) {
      throw usage(
          (count == null ? "--server is missing" : "--count is " + count)
              + ": the tier under "
              + home.path()
              + " has servers that somebody else runs, so more of them are named by --server");
    }
    List<ServerAddress> added = servers.stream().map(ServerAddress::parse).toList();
    List<String> known = running.report().servers().stream().map(ServerReport::address).toList();
    for (ServerAddress server : added) {
      if (known.contains(server.toString())) {
        throw usage(
            "--server is %s, which the tier has already: %s"
                .formatted(server, ServerChangeRun.names(known)));
      }
    }
    return added;
  }

  private ParameterException usage(String message) {
    return new ParameterException(command.commandLine(), message);
  }
}
