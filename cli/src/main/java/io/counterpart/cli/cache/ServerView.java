package io.counterpart.cli.cache;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.control.ServerReport;
import io.counterpart.cache.launch.BlockingClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
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
 * @param shard from 0; null if the tier has only one, or the proxy does not answer
 * @param ring of the shard's; null if it is in none, or the proxy does not answer
 * @param use its state for the proxy: up, restoring, joining or down; null if the proxy does not
 *     answer
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ServerView(
    String address,
    String state,
    @Nullable String reason,
    @Nullable Integer shard,
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

  private static final String SHARD = "shard";

  private static final List<String> HEADER =
      List.of(
          "server",
          "state",
          SHARD,
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

  private static final Duration LIMIT = Duration.ofSeconds(5);

  /**
   * @param known the proxy's report of it; null if there is none
   * @param shards number of the tier's shards
   */
  static ServerView of(ServerAddress server, @Nullable ServerReport known, int shards) {
    Integer shard = known == null || shards == 1 ? null : Integer.valueOf(known.shard());
    Integer ring = known == null || known.ring() < 0 ? null : Integer.valueOf(known.ring());
    String use = known == null ? null : known.state();
    try (BlockingClient client = BlockingClient.connect(server, null, null, LIMIT)) {
      Map<String, String> stats = client.stats();
      return new ServerView(
          server.toString(),
          "up",
          null,
          shard,
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
          shard,
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

  /** Names of the {@link #cells}. */
  static List<String> header(int shards) {
    return columns(HEADER, shards);
  }

  List<String> cells(int shards) {
    return columns(
        List.of(
            address,
            state,
            shard == null ? "-" : shard.toString(),
            ring == null ? "-" : ring.toString(),
            use == null ? "-" : use,
            Stats.cell(pid),
            Stats.cell(items),
            mebibytes(usedBytes),
            mebibytes(limitBytes),
            Stats.cell(gets),
            Stats.percent(hitPercent),
            Stats.cell(sets),
            Stats.cell(evictions)),
        shards);
  }

  /** Leaves out what a tier with one shard does not have. */
  private static List<String> columns(List<String> all, int shards) {
    List<String> columns = new ArrayList<>(all);
    if (shards == 1) {
      columns.remove(HEADER.indexOf(SHARD));
    }
    return columns;
  }

  private static String mebibytes(@Nullable Long bytes) {
    return bytes == null ? "-" : String.format(Locale.ROOT, "%.1f", bytes / 1048576.0);
  }
}
