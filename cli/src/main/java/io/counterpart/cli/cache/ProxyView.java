package io.counterpart.cli.cache;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.counterpart.cache.launch.BlockingClient;
import io.counterpart.cli.cache.options.ProxyOptions;
import io.counterpart.cli.console.PreconditionException;
import io.counterpart.memcached.tier.TierProxy;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A proxy's state for people and for programs. Values of a proxy that does not answer are null.
 *
 * @param role its role in a tier with a code: owner, follower or counting follower (it forwards to
 *     the owner), or waiting (for one of both); with several shards {@code owner of 1 of 2 shards};
 *     null without a code
 * @param state up; silent if it runs but does not answer; down without a process
 * @param reason why it is not up
 * @param code n and k, such as {@code 5,3}; null if the scheme has none
 * @param tls whether clients must speak TLS
 * @param authentication whether clients must authenticate
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ProxyView(
    String address,
    String state,
    @Nullable String reason,
    @Nullable Long pid,
    @Nullable String role,
    String scheme,
    @Nullable String code,
    boolean tls,
    boolean authentication,
    @Nullable Long connections,
    @Nullable Long gets,
    @Nullable Double hitPercent,
    @Nullable Long sets,
    @Nullable String metrics) {

  static final List<String> HEADER =
      List.of("proxy", "state", "pid", "role", "scheme", "clients", "gets", "hits %", "sets");

  private static final Duration LIMIT = Duration.ofSeconds(5);

  static ProxyView of(TierProxy proxy, ProxyOptions options) {
    if (!proxy.isAlive()) {
      return view(proxy, options, "down", "its process has ended", Map.of());
    }
    try (BlockingClient client = connect(options, proxy.number())) {
      return view(proxy, options, "up", null, client.stats());
    } catch (IOException | PreconditionException silent) {
      return view(proxy, options, "silent", String.valueOf(silent.getMessage()), Map.of());
    }
  }

  /** Connects to a proxy, numbered from 0, with the TLS and credentials of its options. */
  static BlockingClient connect(ProxyOptions options, int proxy) throws IOException {
    return BlockingClient.connect(
        options.reachable(proxy), options.tls(), options.credentials(), LIMIT);
  }

  private static ProxyView view(
      TierProxy proxy,
      ProxyOptions options,
      String state,
      @Nullable String reason,
      Map<String, String> stats) {
    Map<String, String> values = options.values();
    return new ProxyView(
        options.reachable(proxy.number()).toString(),
        state,
        reason,
        state.equals("down") ? null : Long.valueOf(proxy.pid()),
        stats.get("role"),
        options.scheme().toString(),
        values.get("--code"),
        values.containsKey("--tls-key"),
        values.containsKey("--auth"),
        Stats.number(stats, "curr_connections"),
        Stats.number(stats, "cmd_get"),
        Stats.hitPercent(stats),
        Stats.number(stats, "cmd_set"),
        options.metricsUrl(proxy.number()));
  }

  boolean isUp() {
    return reason == null;
  }

  /** Whether it forwards to the proxy that owns the tier, which may be of no {@code cache up}. */
  boolean isFollower() {
    return role != null && role.endsWith("follower");
  }

  List<String> cells() {
    return List.of(
        address,
        state,
        Stats.cell(pid),
        role == null ? "-" : role,
        code == null ? scheme : scheme + " (" + code + ")",
        Stats.cell(connections),
        Stats.cell(gets),
        Stats.percent(hitPercent),
        Stats.cell(sets));
  }
}
