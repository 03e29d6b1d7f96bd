package io.counterpart.cassandra.engine.server;

import io.counterpart.cassandra.engine.store.Generations;
import io.counterpart.cassandra.engine.store.StoredState;
import io.counterpart.engine.StoreException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bytes of entries in a table's stores, for those who must not wait: of stores on a server,
 * what that has told last. It is asked in the background, once a minute, and not while it is away
 * or nothing was written. Thread-safe.
 */
public final class StoredBytes implements LongSupplier {
  private static final Logger logger = LoggerFactory.getLogger(StoredBytes.class);

  /** A server may count entries for its answer. */
  private static final long PAUSE_NANOS = Duration.ofMinutes(1).toNanos();

  /** Of stores that have entries, and have not told their size yet. */
  private static final long SOME = 1;

  private final Generations stores;
  private final BooleanSupplier isAway;
  private final LongSupplier nanoTime;
  private volatile long last = SOME;

  // of the background work
  private @Nullable StoredState told;
  private long dueNanos;

  /**
   * @param isAway whether the stores' server is known to be away
   */
  public StoredBytes(Generations stores, BooleanSupplier isAway, LongSupplier nanoTime) {
    this.stores = stores;
    this.isAway = isAway;
    this.nanoTime = nanoTime;
    this.dueNanos = nanoTime.getAsLong();
  }

  /** 0 if and only if no store has an entry of the table. */
  @Override
  public long getAsLong() {
    if (!hasEntries()) {
      return 0;
    }
    if (!stores.isOnServer()) {
      ask();
    }
    return last;
  }

  /** Asks a server if it is time. Not to be called twice at once. */
  public void tick() {
    if (!stores.isOnServer()
        || isAway.getAsBoolean()
        || nanoTime.getAsLong() - dueNanos < 0
        || !hasEntries()) {
      return;
    }
    StoredState now = stores.bounds();
    if (!now.equals(told)) {
      dueNanos = nanoTime.getAsLong() + PAUSE_NANOS;
      told = ask() ? now : null;
    }
  }

  private boolean hasEntries() {
    // not of a table that is cold: it has lost what it had
    return stores.any(store -> !store.isEmpty());
  }

  private boolean ask() {
    try {
      last = Math.max(SOME, stores.sizes().usedBytes());
      return true;
    } catch (StoreException e) {
      logger.debug("The stores in {} do not tell their size", stores.directory(), e);
      return false;
    }
  }
}
