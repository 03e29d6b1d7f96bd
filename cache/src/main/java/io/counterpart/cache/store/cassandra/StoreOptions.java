package io.counterpart.cache.store.cassandra;

import io.counterpart.cache.store.PersistentStore;
import io.counterpart.cache.store.StoreLimits;
import io.counterpart.cache.store.behind.WriteBehindSettings;
import io.counterpart.cache.store.behind.WriteBehindStore;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The options of a proxy's persistent store.
 *
 * @param cassandra where objects are kept
 * @param limits how much is asked of it at once
 * @param behind how far it may be behind; null for write-through: what is acknowledged is in
 *     Cassandra
 */
public record StoreOptions(
    CassandraOptions cassandra, StoreLimits limits, @Nullable WriteBehindSettings behind) {
  /** Write-through, with the default limits. */
  public static StoreOptions of(CassandraOptions cassandra) {
    return new StoreOptions(cassandra, StoreLimits.DEFAULT, null);
  }

  /**
   * Connects. Blocks; not to be called on the event loop.
   *
   * @param loop the event loop of the tier that uses the store
   * @param clockSeconds seconds since 1970
   * @throws IOException if Cassandra cannot be used, or the directory of writes behind
   */
  public PersistentStore open(EventLoop loop, LongSupplier clockSeconds) throws IOException {
    CassandraStore store = CassandraStore.open(cassandra, clockSeconds);
    WriteBehindSettings settings = behind;
    if (settings == null) {
      return store;
    }
    try {
      return WriteBehindStore.open(store, settings, loop);
    } catch (IOException | RuntimeException e) {
      store.close();
      throw e;
    }
  }
}
