package io.counterpart.cli.cache;

import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.launch.BlockingClient;
import io.counterpart.cli.cache.options.AdoptOption;
import io.counterpart.cli.cache.options.ProxyOptions;
import io.counterpart.cli.cache.options.TierOptions;
import io.counterpart.cli.console.ExitCodes;
import io.counterpart.cli.console.Output;
import io.counterpart.cli.console.PreconditionException;
import io.counterpart.memcached.ItemFiles;
import io.counterpart.memcached.tier.ProxyLaunch;
import io.counterpart.memcached.tier.Tier;
import io.counterpart.memcached.tier.TierLock;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code counterpart cache up}. */
@Command(
    name = "up",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Starts memcached servers on 127.0.0.1 and the proxy before them, or several, and leaves them"
          + " running.",
      "Processes of a running tier that have ended are started again: a proxy finds the objects on"
          + " its servers, and goes on with a change of servers that was under way; a server gets"
          + " its objects back, if the scheme has a code."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the proxy answers",
      "1:a server or the proxy did not start; nothing that was started is left running",
      "2:a bad option; nothing was started",
      "3:memcached, a port, memory, a file or a server is missing, or all runs already;"
          + " nothing was started",
      "130:stopped by Ctrl-C; nothing that was started is left running, unless all of it serves"
    })
final class CacheUpCommand implements Callable<Integer> {

  private static final Duration PLAIN_LIMIT = Duration.ofSeconds(30);

  /**
   * Limit of a start that reads the metadata of all objects, and completes the writes that a crash
   * interrupted.
   */
  private static final Duration SLOW_LIMIT = Duration.ofMinutes(10);

  @Spec private CommandSpec command;
  @Mixin private TierHome home;
  @Mixin private TierOptions given;
  @Mixin private Output output;

  @Override
  public Integer call() {
    checked(given);
    TierLock lock = home.lock();
    try {
      return up();
    } finally {
      lock.close();
    }
  }

  private int up() {
    Optional<Tier> found = Tier.recorded(home.path());
    Optional<Tier> recorded = found.filter(tier -> tier.isRunning() || givenOptions().isEmpty());
    TierOptions options =
        recorded.map(tier -> TierOptions.parse(tier.options(), home.path())).orElse(given);
    recorded.ifPresent(this::requireFitting);
    Tier tier =
        recorded.orElseGet(
            () ->
                Tier.planned(
                    home.path(), options.values(), options.serverPorts(), options.proxies()));
    requireReadable(options, options.allServers(tier));
    boolean settled = settle(tier);
    if (tier.isComplete() && settled) {
      return show(tier);
    }
    if (tier.isComplete()) {
      throw new PreconditionException(
          "a memory tier already runs under %s, for clients at %s; see: counterpart cache status"
              .formatted(home.path(), options.proxy().reachable(0)));
    }
    MetadataChecks metadata = new MetadataChecks(home, found, tier, options);
    metadata.require();
    TierChecks.require(tier, options, metadata.mayBeSilent());
    announce(tier, options);
    metadata.forgetOthers();
    RecordedServers.forgetKept(tier, options);
    start(tier, options);
    settle(tier);
    return show(tier);
  }

  private void start(Tier tier, TierOptions options) {
    // servers of our own that all begin now are ours, whatever a warm one has kept
    boolean areNew = !tier.isRunning() && !tier.servers().isEmpty();
    boolean adopts = given.proxy().adoptsServers() || areNew && options.proxy().scheme().isCoded();
    tier.start(
        options.spec(),
        number ->
            new ProxyLaunch(
                adopting(ProxyCommandLine.of(options, tier, home, number), adopts),
                () -> answers(options.proxy(), number),
                isSlow(options.proxy()) ? SLOW_LIMIT : PLAIN_LIMIT));
  }

  private static List<String> adopting(List<String> command, boolean adopts) {
    if (adopts) {
      command.add(AdoptOption.NAME);
    }
    return command;
  }

  private static boolean isSlow(ProxyOptions proxy) {
    return proxy.scheme().isCoded() || proxy.store().isOn();
  }

  /** Whether there was anything to settle. */
  private boolean settle(Tier tier) {
    List<String> done = RecordedServers.settle(tier, home);
    done.forEach(output::progress);
    return !done.isEmpty();
  }

  private int show(Tier tier) {
    TierView view = TierView.of(home, tier);
    output.result(view.json(), view.text() + System.lineSeparator() + hint(view));
    return ExitCodes.OK;
  }

  private void checked(TierOptions options) {
    try {
      options.check();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), e.getMessage(), e);
    }
    requireReadable(options, options.allServers());
  }

  /** Checks the files, and the combination of options. */
  private void requireReadable(TierOptions options, List<ServerAddress> servers) {
    try {
      options
          .proxy()
          .service(servers, home.metadata(), home.control(0), home.behindLog(), options.jvmBytes());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), e.getMessage(), e);
    }
  }

  private List<String> givenOptions() {
    return TierOptions.NAMES.stream()
        .filter(option -> command.commandLine().getParseResult().hasMatchedOption(option))
        .toList();
  }

  private void requireFitting(Tier tier) {
    for (String option : givenOptions()) {
      String value = TierOptions.value(given.values(), option);
      String now = TierOptions.value(tier.options(), option);
      if (!Objects.equals(value, now)) {
        throw new ParameterException(
            command.commandLine(),
            "%s is %s, but the tier that runs under %s has %s: leave the option out, or stop that"
                    .formatted(option, value, home.path(), now == null ? "none" : now)
                + " tier first: counterpart cache down"
                + (tier.servers().isEmpty() ? "" : ", by which its objects are gone"));
      }
    }
  }

  private void announce(Tier tier, TierOptions options) {
    if (!tier.isRunning() && !tier.servers().isEmpty() && Files.isDirectory(home.metadata())) {
      output.progress("no server of the tier that was here runs any more: its objects are gone");
    }
    List<Integer> dead = tier.deadPorts();
    if (!dead.isEmpty()) {
      output.progress(
          starting(tier, options, dead)
              + dead.stream().map(String::valueOf).collect(Collectors.joining(", ")));
    }
    List<Integer> proxies = tier.deadProxies();
    if (!proxies.isEmpty()) {
      output.progress(
          "the proxy starts on "
              + proxies.stream()
                  .map(number -> options.proxy().reachable(number).toString())
                  .collect(Collectors.joining(", ")));
    }
  }

  private static String starting(Tier tier, TierOptions options, List<Integer> dead) {
    ItemFiles files = options.spec().itemFiles();
    if (files == null || !tier.isRunning()) {
      return "memcached starts, empty, on port ";
    }
    long seconds = files.waiting(dead, Instant.now()).toSeconds();
    return "memcached starts%s, with what a stop by SIGUSR1 has kept, on port "
        .formatted(seconds == 0 ? "" : " in " + seconds + " s");
  }

  private static boolean answers(ProxyOptions options, int proxy) {
    try (BlockingClient client = ProxyView.connect(options, proxy)) {
      return !client.version().isEmpty();
    } catch (IOException notYet) {
      return false;
    }
  }

  private static String hint(TierView view) {
    List<String> lines = new ArrayList<>();
    lines.add("");
    for (ProxyView proxy : view.proxies()) {
      lines.add("memcached clients: " + proxy.address() + access(proxy));
      if (proxy.metrics() != null) {
        lines.add("Prometheus:        " + proxy.metrics());
      }
    }
    if (view.proxies().get(0).code() == null && view.store() == null) {
      lines.add("each object is on one server: with a server its objects are gone");
    }
    lines.add("  counterpart cache status");
    lines.add("  counterpart cache down");
    return String.join(System.lineSeparator(), lines);
  }

  private static String access(ProxyView proxy) {
    return (proxy.tls() ? ", TLS" : "") + (proxy.authentication() ? ", with a password" : "");
  }
}
