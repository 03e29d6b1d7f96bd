package io.counterpart.cassandra.engine.server;

import com.google.common.base.Throwables;
import com.google.common.util.concurrent.Uninterruptibles;
import io.counterpart.cassandra.engine.store.Generations;
import io.counterpart.core.engine.FlushCause;
import io.counterpart.core.engine.ServerAbsence;
import io.counterpart.engine.StoreAwayException;
import io.counterpart.engine.StoreBusyException;
import io.counterpart.engine.StoreException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.cassandra.concurrent.ExecutorFactory;
import org.apache.cassandra.concurrent.ExecutorPlus;
import org.apache.cassandra.schema.TableMetadataRef;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What one table sees of the servers that its stores are on. Thread-safe. */
public final class ServerWatch {
  private static final Logger logger = LoggerFactory.getLogger(ServerWatch.class);

  /** Whoever waits holds one of Cassandra's locks. */
  private static final Duration LONGEST_CHECK = Duration.ofSeconds(2);

  /** Of that time. */
  private static final int CHECK_STEPS = 8;

  private static final int CHECKS_AT_ONCE = 4;
  private static final ExecutorPlus CHECKS =
      ExecutorFactory.Global.executorFactory().pooled("CounterpartChecks", CHECKS_AT_ONCE);

  private final TableMetadataRef table;
  private final Generations stores;
  private final ServerAbsence absence;

  /**
   * @param absence shared by all tables on the engine's server
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

  /** A call for the table failed. Nothing happens but where a server of its own is away. */
  public void note(Throwable failure) {
    for (Throwable cause : Throwables.getCausalChain(failure)) {
      // a server that readers wait for may be there
      if (cause instanceof StoreAwayException away
          && !(away instanceof StoreBusyException)
          && stores.isOnServer()) {
        note(String.valueOf(away.getMessage()));
      }
    }
  }

  private void note(String why) {
    if (absence.fail(why)) {
      logger.warn("Flushes write sstables until the server answers, and it absorbs them: {}", why);
    }
  }

  /** A write of the table succeeded. */
  public void took() {
    absence.take();
  }

  /**
   * What a flush writes to the server, as long as it may.
   *
   * @return the same partitions; their iterator fails with a {@link SlowServerException} where the
   *     server takes long and memory is short
   */
  public <T> Iterable<T> paced(Iterable<T> partitions) {
    if (!stores.isOnServer()) {
      return partitions;
    }
    return new PacedPartitions<>(
        partitions, table.toString(), NodeFlushes::memoryUsed, System::nanoTime);
  }

  /** Asks a server that is away whether it is back, if it is time. */
  public void probe() {
    if (absence.takeProbe()) {
      try {
        check();
      } catch (StoreAwayException e) {
        logger.debug("The server of {} is away", table, e);
        return;
      } catch (StoreException e) {
        logger.debug("A store of {} fails, and its server answers", table, e);
      }
      noteAnswer();
    }
  }

  private void noteAnswer() {
    if (absence.answer()) {
      logger.info("The server of {} answers again", table);
    }
  }

  /**
   * Refuses a flush for which the stores are read, if they do not answer in time: a flush that
   * fails keeps its memtable until the node is restarted.
   *
   * @throws StoreAwayException if they do not
   */
  public void require(FlushCause cause) {
    if (cause.isRefusable() && !isThere()) {
      // nodetool shows the innermost cause alone
      throw new StoreAwayException(
          "no flush of %s for %s while the engine's server is away: %s"
              .formatted(table, cause, absence.reason()));
    }
  }

  /**
   * Fails at once if the server is known to be away.
   *
   * @throws StoreAwayException if it is
   */
  public void requireThere() {
    if (isAway()) {
      throw new StoreAwayException(String.valueOf(absence.reason()));
    }
  }

  /** Whether all stores answer now, whatever happened before, in time. That is noted. */
  public boolean isThere() {
    if (!stores.isOnServer() || stores.isEmpty()) {
      return true;
    }
    String why = unanswered();
    if (why != null) {
      note(why);
    } else {
      noteAnswer();
    }
    return why == null;
  }

  /**
   * Asks each store for something small.
   *
   * @throws StoreException if one of them does not answer
   */
  private void check() {
    stores.any(store -> !store.answers());
  }

  /** Why the stores do not answer; null if they do. */
  private @Nullable String unanswered() {
    try {
      await(CHECKS.submit(this::check));
      return null;
    } catch (TimeoutException e) {
      return "no answer in " + LONGEST_CHECK.toMillis() + " ms";
    } catch (ExecutionException e) {
      return e.getCause() instanceof StoreAwayException away
          ? String.valueOf(away.getMessage())
          : null;
    }
  }

  /**
   * Waits step by step: a node that stands still for all of the time, as its JVM may, loses one
   * step, and does not take a server for away that had no chance to be heard.
   */
  static void await(Future<?> check) throws ExecutionException, TimeoutException {
    long stepMillis = LONGEST_CHECK.toMillis() / CHECK_STEPS;
    for (int step = 1; ; step++) {
      try {
        Uninterruptibles.getUninterruptibly(check, stepMillis, TimeUnit.MILLISECONDS);
        return;
      } catch (TimeoutException e) {
        if (step == CHECK_STEPS) {
          throw e;
        }
      }
    }
  }
}
