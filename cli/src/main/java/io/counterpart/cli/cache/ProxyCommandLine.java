package io.counterpart.cli.cache;

import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.launch.ProxyJvm;
import io.counterpart.cli.cache.options.TierOptions;
import io.counterpart.memcached.tier.Tier;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The command line of a proxy in a separate JVM. */
final class ProxyCommandLine {

  private ProxyCommandLine() {}

  /**
   * @param proxy its number, from 0
   */
  static List<String> of(TierOptions options, Tier tier, TierHome home, int proxy) {
    List<String> command = new ArrayList<>(ProxyJvm.command(options.heapMegabytes()));
    // this process' main class
    command.addAll(List.of("io.counterpart.cli.Main", "cache", "proxy"));
    arguments(options, tier, home, proxy)
        .forEach((option, value) -> command.add(option + "=" + value));
    return command;
  }

  private static Map<String, String> arguments(
      TierOptions options, Tier tier, TierHome home, int proxy) {
    Map<String, String> arguments = new LinkedHashMap<>(options.proxy().values());
    arguments.put("--port", String.valueOf(options.proxy().port() + proxy));
    arguments.put("--metrics-port", String.valueOf(options.proxy().metricsPort(proxy)));
    arguments.put("--control", home.control(proxy).toString());
    if (options.proxy().scheme().isCoded()) {
      arguments.put("--metadata", home.metadata().toString());
    }
    if (options.proxy().store().isBehind()) {
      arguments.put("--store-log", home.behindLog().toString());
    }
    arguments.put(
        "--server",
        options.allServers(tier).stream()
            .map(ServerAddress::toString)
            .collect(Collectors.joining(",")));
    return arguments;
  }
}
