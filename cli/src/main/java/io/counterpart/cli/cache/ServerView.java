package io.counterpart.cli.cache;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.control.ServerReport;
import io.counterpart.cache.service.BlockingClient;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A memcached server's state for people and for programs. Values of a server that does not answer
 * are null.
 *
 * @param state up, or down
 * @param reason why it is down
 * @param ring of the tier's; null if it is in none, or the proxy does not answer
 * @param use its state for the proxy: up, restoring, joining or down; null if the proxy does not
 *     answer
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ServerView(
    String address,
    String state,
    @Nullable String reason,
    @Nullable Integer ring,
    @Nullable String use,
    @Nullable Long pid,
    @Nullable Long items,
    @Nullable Long usedBytes,
    @Nullable Long limitBytes,
    @Nullable Long gets,
    @Nullable Double hitPercent,
    @Nullable Long sets,
    @Nullable Long evictions) {

  static final List<String> HEADER =
      List.of(
          "server",
          "state",
          "ring",
          "use",
          "pid",
          "items",
          "MiB",
          "of MiB",
          "gets",
          "hits %",
          "sets",
          "evictions");

  private static final Duration LIMIT = Duration.ofSeconds(2);

  /**
   * @param known the proxy's report of it; null if there is none
   */
  static ServerView of(ServerAddress server, @Nullable ServerReport known) {
    Integer ring = known == null || known.ring() < 0 ? null : Integer.valueOf(known.ring());
    String use = known == null ? null : known.state();
    try (BlockingClient client = BlockingClient.connect(server, null, null, LIMIT)) {
      Map<String, String> stats = client.stats();
      return new ServerView(
          server.toString(),
          "up",
          null,
          ring,
          use,
          Stats.number(stats, "pid"),
          Stats.number(stats, "curr_items"),
          Stats.number(stats, "bytes"),
          Stats.number(stats, "limit_maxbytes"),
          Stats.number(stats, "cmd_get"),
          Stats.hitPercent(stats),
          Stats.number(stats, "cmd_set"),
          Stats.number(stats, "evictions"));
    } catch (IOException down) {
      return new ServerView(
          server.toString(),
          "down",
          String.valueOf(down.getMessage()),
          ring,
          use,
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          null);
    }
  }

  boolean isUp() {
    return reason == null;
  }

  List<String> cells() {
    return List.of(
        address,
        state,
        ring == null ? "-" : ring.toString(),
        use == null ? "-" : use,
        Stats.cell(pid),
        Stats.cell(items),
        mebibytes(usedBytes),
        mebibytes(limitBytes),
        Stats.cell(gets),
        Stats.percent(hitPercent),
        Stats.cell(sets),
        Stats.cell(evictions));
  }

  private static String mebibytes(@Nullable Long bytes) {
    return bytes == null ? "-" : String.format(Locale.ROOT, "%.1f", bytes / 1048576.0);
  }
}
