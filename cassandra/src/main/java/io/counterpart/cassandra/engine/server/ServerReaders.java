package io.counterpart.cassandra.engine.server;

import io.counterpart.engine.KvEngine;
import io.counterpart.engine.ReaderPermits;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.cassandra.config.DatabaseDescriptor;

/**
 * The permits of each server's readers, which all configurations on a server share: half of
 * Cassandra's {@code concurrent_reads}. The other half reads other tables, however slow the server
 * is; a quick server is not slowed, since its engine has no more connections by default.
 * Thread-safe.
 */
public final class ServerReaders {
  private final Map<String, ReaderPermits> servers = new ConcurrentHashMap<>();

  /** Bounds the readers of an engine's server, if it has one. Before a store is opened. */
  public void limit(KvEngine engine) {
    if (engine.isOnServer()) {
      engine.limitReaders(
          servers.computeIfAbsent(
              engine.location(), server -> new ReaderPermits(server, mostReaders())));
    }
  }

  private static int mostReaders() {
    return Math.max(1, DatabaseDescriptor.getConcurrentReaders() / 2);
  }
}
