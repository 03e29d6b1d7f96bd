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
 * @param cassandra the table of objects
 * @param limits bounds on the requests to it
 * @param behind bounds on its lag; null for write-through: acknowledged writes are in Cassandra
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
   * @throws IOException if Cassandra or the directory of write-behind cannot be used
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
