package io.counterpart.cassandra.engine.server;

import io.counterpart.engine.KvEngine;
import io.counterpart.engine.StoreAwayException;
import io.counterpart.engine.StoreException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Servers that were away when a table was to be opened. A flush begins on threads for which all
 * writes of the node wait, so it does not ask them once more: a background turn does. Thread-safe.
 */
public final class AwayServers {
  private static final Logger logger = LoggerFactory.getLogger(AwayServers.class);
  static final Duration REST = Duration.ofSeconds(5);

  private record Away(KvEngine engine, String reason, long nextNanos) {}

  private final LongSupplier nanoTime;

  /** By location. */
  private final Map<String, Away> servers = new ConcurrentHashMap<>();

  public AwayServers(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * Opens something of an engine.
   *
   * @throws StoreAwayException at once if its server was away before, and has not answered since
   */
  public <T> T open(@Nullable KvEngine engine, Supplier<T> opening) {
    if (engine == null || !engine.isOnServer()) {
      return opening.get();
    }
    Away known = servers.get(engine.location());
    if (known != null) {
      // the reason is another table's, or of before
      throw new StoreAwayException(
          "%s is not asked just now, since: %s".formatted(engine.location(), known.reason()));
    }
    try {
      return opening.get();
    } catch (StoreAwayException e) {
      servers.put(engine.location(), away(engine, String.valueOf(e.getMessage())));
      throw e;
    }
  }

  private Away away(KvEngine engine, String reason) {
    return new Away(engine, reason, nanoTime.getAsLong() + REST.toNanos());
  }

  /** Asks those whose time it is. Not to be called twice at once. */
  public void ask() {
    servers.forEach(
        (location, away) -> {
          if (nanoTime.getAsLong() - away.nextNanos() < 0) {
            return;
          }
          if (answers(away.engine())) {
            servers.remove(location);
          } else {
            servers.put(location, away(away.engine(), away.reason()));
          }
        });
  }

  private static boolean answers(KvEngine engine) {
    try {
      engine.check();
    } catch (StoreAwayException e) {
      logger.debug("{} is away", engine.location(), e);
      return false;
    } catch (StoreException e) {
      logger.debug("{} answers, and refuses", engine.location(), e);
    }
    return true;
  }
}
