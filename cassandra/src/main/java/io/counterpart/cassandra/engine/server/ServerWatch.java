package io.counterpart.cassandra.engine.server;

import com.google.common.base.Throwables;
import io.counterpart.cassandra.engine.store.Generations;
import io.counterpart.core.engine.FlushCause;
import io.counterpart.core.engine.ServerAbsence;
import io.counterpart.engine.StoreAwayException;
import io.counterpart.engine.StoreException;
import org.apache.cassandra.schema.TableMetadataRef;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What one table sees of its engine's server. Thread-safe. */
public final class ServerWatch {
  private static final Logger logger = LoggerFactory.getLogger(ServerWatch.class);

  private final TableMetadataRef table;
  private final Generations stores;
  private final ServerAbsence absence;

  /**
   * @param absence shared by all tables on the server
   */
  public ServerWatch(TableMetadataRef table, Generations stores, ServerAbsence absence) {
    this.table = table;
    this.stores = stores;
    this.absence = absence;
  }

  /** Whether flushes go round it. */
  public boolean isAway() {
    return absence.isAway();
  }

  /** A write of the table failed. Nothing happens but where the server is away. */
  public void note(Throwable failure) {
    for (Throwable cause : Throwables.getCausalChain(failure)) {
      if (cause instanceof StoreAwayException away
          && absence.fail(String.valueOf(away.getMessage()))) {
        logger.warn(
            "Flushes write sstables until the server answers, and it absorbs them: {}",
            absence.reason());
      }
    }
  }

  /** A write of the table succeeded. */
  public void took() {
    absence.take();
  }

  /** Asks a server that is away whether it is back, if it is time. */
  public void probe() {
    if (absence.takeProbe()) {
      try {
        stores.check();
        if (absence.answer()) {
          logger.info("The server of {} answers again", table);
        }
      } catch (StoreException e) {
        logger.debug("The server of {} is away", table, e);
      }
    }
  }

  /**
   * Refuses a flush for which the stores are read, if they do not answer: a flush that fails keeps
   * its memtable until the node is restarted.
   *
   * @throws StoreException if they do not answer
   */
  public void require(FlushCause cause) {
    if (!cause.isRefusable() || !stores.isOnServer() || stores.isEmpty()) {
      return;
    }
    String reason = absence.reason();
    if (reason == null) {
      reason = unanswered();
    }
    if (reason != null) {
      // nodetool shows the innermost cause alone
      throw new StoreAwayException(
          "no flush of %s for %s while the engine's server is away: %s"
              .formatted(table, cause, reason));
    }
  }

  /** Why the stores do not answer; null if they do. */
  private @Nullable String unanswered() {
    try {
      stores.check();
      return null;
    } catch (StoreAwayException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
