package io.counterpart.cache.service;

import io.counterpart.cache.store.StoreLimits;
import io.counterpart.cache.store.cassandra.CassandraOptions;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The options of the persistent store behind a proxy's tier.
 *
 * @param limits bounds on the requests to the store
 * @param behind directory of pending changes, for write-behind; null for write-through
 */
public record StoreOptions(CassandraOptions cassandra, StoreLimits limits, @Nullable Path behind) {

  /** The notation for people, such as {@code cassandra at 10.0.0.1:9042, table app.objects, …}. */
  @Override
  public String toString() {
    return "cassandra at %s, table %s.%s, %s"
        .formatted(
            cassandra.contactPoints().stream()
                .map(address -> address.getHostString() + ":" + address.getPort())
                .collect(Collectors.joining(",")),
            cassandra.keyspace(),
            cassandra.table(),
            behind == null ? "write-through" : "write-behind");
  }
}
