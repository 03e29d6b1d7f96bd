package io.counterpart.cache.coded.server;

import io.counterpart.cache.backend.ReplyHandler;
import io.counterpart.cache.backend.ServerLostException;
import io.counterpart.cache.coded.flow.Background;
import io.counterpart.cache.protocol.server.ReplyStatus;
import io.counterpart.cache.protocol.server.ServerReply;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
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
  private static final Set<String> COUNTERS =
      Set.of("slab_reassign_evictions_nomem", "slab_reassign_busy_deletes");

  private final ServerTable servers;
  private final Background background;
  private final Consumer<ServerLink> dropped;

  /** Number of items that each server has dropped since its start. */
  private final Map<ServerLink, Long> known = new HashMap<>();

  /**
   * @param dropped gets a server that has dropped items since the last look
   */
  public DroppedItems(ServerTable servers, Background background, Consumer<ServerLink> dropped) {
    this.servers = servers;
    this.background = background;
    this.dropped = dropped;
  }

  public void begin() {
    known.keySet().retainAll(servers.all());
    for (ServerLink link : servers.usable()) {
      link.connection().command(new Counters(link)).stats();
    }
    background.after(LOOK_MILLIS, this::begin);
  }

  private void take(ServerLink link, long count) {
    Long before = known.put(link, count);
    // fewer: the server has restarted, and is restored anyway
    if (before != null && count > before && link.isUsable()) {
      logger.warn(
          "server {} has dropped {} items while it moved a page: it is restored",
          link,
          count - before);
      dropped.accept(link);
    }
  }

  /** The answer of one server, line by line. */
  private final class Counters implements ReplyHandler {
    private final ServerLink link;
    private long count;

    Counters(ServerLink link) {
      this.link = link;
    }

    @Override
    public void replied(ServerReply reply) {
      if (reply.status() == ReplyStatus.END) {
        take(link, count);
      } else if (reply.status() == ReplyStatus.STAT) {
        add(reply.text().strip().split(" "));
      }
    }

    private void add(String[] words) {
      if (words.length == 2 && COUNTERS.contains(words[0])) {
        count += Long.parseLong(words[1]);
      }
    }

    @Override
    public void lost(ServerLostException why) {}
  }
}
