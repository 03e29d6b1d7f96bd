package io.counterpart.cli.cache;

import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cli.cache.options.TierOptions;
import io.counterpart.memcached.tier.Tier;
import java.nio.file.Path;
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
    int megabytes = options.heapMegabytes();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            // requests leave nothing behind: young collections, the only ones, are short with it
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData",
            // one that has no memory left is better gone than half there
            "-XX:+ExitOnOutOfMemoryError",
            "-Xmx" + megabytes + "m",
            "-XX:MaxDirectMemorySize=" + megabytes + "m",
            "-cp",
            System.getProperty("java.class.path"),
            // this process' main class
            "io.counterpart.cli.Main",
            "cache",
            "proxy"));
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
