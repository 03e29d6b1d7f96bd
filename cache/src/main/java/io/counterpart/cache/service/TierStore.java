package io.counterpart.cache.service;

import io.counterpart.cache.store.PersistentStore;
import io.counterpart.cache.store.StoreSettings;
import io.counterpart.cache.store.StoreStatistics;
import io.counterpart.cache.store.StoredTier;
import io.counterpart.cache.store.behind.WriteBehindSettings;
import io.counterpart.cache.store.behind.WriteBehindStore;
import io.counterpart.cache.store.cassandra.CassandraOptions;
import io.counterpart.cache.store.cassandra.CassandraStore;
import io.counterpart.cache.tier.ObjectTier;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** An open store with the tier that uses it. Thread-safe, except its objects. */
final class TierStore implements AutoCloseable {
  private static final LongSupplier CLOCK_SECONDS = () -> System.currentTimeMillis() / 1000;

  private final PersistentStore store;
  private final @Nullable WriteBehindStore behind;
  private final StoredTier objects;

  private TierStore(PersistentStore store, @Nullable WriteBehindStore behind, StoredTier objects) {
    this.store = store;
    this.behind = behind;
    this.objects = objects;
  }

  /**
   * Puts a store behind a tier; blocks until both can be used.
   *
   * @param memory the tier, on the event loop
   * @param writesBehind null for write-through
   * @param settings of the tier before the store
   * @throws IOException if the store cannot be used; nothing of it is left open
   */
  static TierStore open(
      CassandraOptions options,
      @Nullable WriteBehindSettings writesBehind,
      ObjectTier memory,
      StoreSettings settings,
      StoreStatistics statistics)
      throws IOException {
    PersistentStore store = CassandraStore.open(options, settings.shard(), CLOCK_SECONDS);
    try {
      WriteBehindStore behind = null;
      if (writesBehind != null) {
        behind = WriteBehindStore.open(store, writesBehind, settings.loop());
        store = behind;
      }
      StoredTier objects = StoredTier.open(memory, store, settings, statistics).get();
      return new TierStore(store, behind, objects);
    } catch (InterruptedException e) {
      store.close();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while starting");
    } catch (ExecutionException e) {
      store.close();
      throw new IOException("cannot use the persistent store: " + e.getCause(), e);
    } catch (IOException | RuntimeException e) {
      store.close();
      throw e;
    }
  }

  /** The objects, memory first, for use on the tier's event loop. */
  ObjectTier objects() {
    return objects;
  }

  /** Fails if an exception has left the state of the tier or of its store unknown. */
  CompletableFuture<Object> ended() {
    return behind == null
        ? CompletableFuture.anyOf(objects.ended())
        : CompletableFuture.anyOf(objects.ended(), behind.ended());
  }

  /** The write-behind store; null with write-through. */
  @Nullable WriteBehindStore behind() {
    return behind;
  }

  /** Writes pending changes to the store, and closes its connections. Needs the event loop. */
  @Override
  public void close() {
    objects.close();
    store.close();
  }
}
