package io.counterpart.cache.coded.server;

import io.counterpart.cache.backend.SummedStatistics;
import io.counterpart.cache.coded.flow.Background;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches for items that servers drop although they evict nothing. When a page moves to another
 * slab class, memcached moves the page's items to free chunks and drops those that find none or
 * that are in use at that moment. It counts the drops; each server is asked for these counters once
 * a second. Belongs to the shard's event loop.
 */
public final class DroppedItems {
  private static final Logger logger = LoggerFactory.getLogger(DroppedItems.class);
  private static final int LOOK_MILLIS = 1000;

  /** Names of numbers that {@link SummedStatistics} adds up. */
  private static final Set<String> COUNTERS =
      Set.of("slab_reassign_evictions_nomem", "slab_reassign_busy_deletes");

  private final ServerTable servers;
  private final Background background;
  private final Consumer<ServerLink> dropped;

  /** Number of items that each server has dropped since its start. */
  private final Map<ServerLink, Long> known = new HashMap<>();

  /** The same of drops that the servers' marks tell of. */
  private final DropCounts kept;

  /**
   * @param metadata directory in which the numbers outlive this process
   * @param dropped gets a server that has dropped items since the last look
   * @throws IOException if the numbers of an earlier process cannot be read
   */
  public DroppedItems(
      ServerTable servers, Background background, Path metadata, Consumer<ServerLink> dropped)
      throws IOException {
    this.servers = servers;
    this.background = background;
    this.dropped = dropped;
    this.kept = DropCounts.read(metadata);
  }

  /**
   * Forgets the numbers of an earlier process in the directory of a copy: the owner on another
   * machine has restored what was dropped since.
   */
  public static void follow(Path metadata) throws IOException {
    DropCounts.forget(metadata);
  }

  public void begin() {
    known.keySet().retainAll(servers.all());
    kept.retain(servers.all().stream().map(ServerLink::id).collect(Collectors.toSet()));
    for (ServerLink link : servers.usable()) {
      SummedStatistics.ask(List.of(link.connection()), "", told -> take(link, told));
    }
    background.after(LOOK_MILLIS, this::begin);
  }

  private void take(ServerLink link, Map<String, Long> told) {
    if (!link.isUsable() || !told.containsKey(SummedStatistics.SERVERS)) {
      return; // it is emptied, or asked again
    }
    long count = COUNTERS.stream().mapToLong(name -> told.getOrDefault(name, 0L)).sum();
    Long seen = known.put(link, count);
    Long before = seen == null ? kept.of(link.id()) : seen;
    // fewer: the server has restarted, and is restored anyway
    if (before != null && count > before) {
      logger.warn(
          "server {} has dropped {} items while it moved a page: it is restored",
          link,
          count - before);
      dropped.accept(link);
    } else if (!servers.isNoting(link) || kept.of(link.id()) == null) {
      // the mark tells of what was dropped before; a late first number is better than none
      kept.put(link.id(), count);
    }
  }
}
