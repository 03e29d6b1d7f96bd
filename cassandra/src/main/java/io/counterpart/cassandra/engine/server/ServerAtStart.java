package io.counterpart.cassandra.engine.server;

import com.google.common.util.concurrent.Uninterruptibles;
import io.counterpart.engine.StoreAwayException;
import java.time.Duration;
import java.util.function.Supplier;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.service.StorageService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The wait of a node that starts for a server that is away. The node serves nothing before the
 * server is there: a table without its store would answer with what is in the commit log alone.
 */
public final class ServerAtStart {
  private static final Logger logger = LoggerFactory.getLogger(ServerAtStart.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final int PAUSES_A_MESSAGE = 30;

  private ServerAtStart() {}

  /**
   * Opens stores, and tries again as long as their server is away and the node starts.
   *
   * @param what for messages
   * @throws StoreAwayException if no node is at its start: a table is new, or it is a tool
   */
  public static <T> T outlast(Object what, Supplier<T> open) {
    for (int pauses = 0; ; pauses++) {
      try {
        return open.get();
      } catch (StoreAwayException e) {
        if (!isStarting()) {
          throw e;
        }
        if (pauses % PAUSES_A_MESSAGE == 0) {
          logger.warn(
              "The start of this node waits for the server of {}: {}", what, e.getMessage());
        }
      }
      Uninterruptibles.sleepUninterruptibly(PAUSE);
    }
  }

  /** A node opens its tables before it talks to others: nobody waits for it then. */
  public static boolean isStarting() {
    return DatabaseDescriptor.isDaemonInitialized()
        && !StorageService.instance.isGossipRunning()
        && !StorageService.instance.isInitialized();
  }
}
