package io.counterpart.cassandra.engine;

import io.counterpart.cassandra.engine.flush.KeyspaceSpills;
import io.counterpart.cassandra.engine.server.AwayServers;
import io.counterpart.cassandra.engine.server.ServerAtStart;
import io.counterpart.cassandra.engine.store.Generations;
import io.counterpart.cassandra.engine.store.files.StoreFolder;
import io.counterpart.core.engine.ServerAbsence;
import io.counterpart.engine.KvEngine;
import io.counterpart.engine.StoreException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.SystemKeyspace;
import org.jspecify.annotations.Nullable;

/**
 * The opening of a table's stores on an engine. It takes as long as a server does, so it runs under
 * no lock of other tables.
 *
 * @param root where the table's folders are
 * @param open folders of the table whose stores are open
 * @param keyspace spills of the table's keyspace
 * @param absence of the engine's server
 * @param away servers that are not asked once more
 */
record Opening(
    ColumnFamilyStore table,
    EngineFactory factory,
    Path root,
    Set<Path> open,
    KeyspaceSpills keyspace,
    ServerAbsence absence,
    AwayServers away) {

  /** Opens them; a node that starts waits for a server that is away. */
  EngineTable run() {
    return ServerAtStart.outlast(table.metadata, () -> opened(servers()));
  }

  /** Those that are not asked, of engines of left stores too: none at a start, which waits. */
  private AwayServers servers() {
    return ServerAtStart.isStarting() ? new AwayServers(System::nanoTime) : away;
  }

  private EngineTable opened(AwayServers servers) {
    Generations stores = stores(servers);
    try {
      return new EngineTable(table, stores, keyspace, absence);
    } catch (RuntimeException | Error e) {
      stores.close();
      throw e;
    }
  }

  private Generations stores(AwayServers servers) {
    UUID host = SystemKeyspace.getOrInitializeLocalHostId();
    KvEngine engine = factory.engine();
    String name = factory.parameters().engine();
    Path own = folder();
    if (own != null && open.contains(own)) {
      throw new StoreException(
          "the stores of engine " + name + " are on their way to sstables; they come back later");
    }
    Generations stores =
        engine == null
            ? Generations.none(root, table.metadata, host)
            : own(engine, name, host, servers);
    try {
      left(table, factory, open).forEach(left -> left.adoptBy(stores, servers));
      return stores;
    } catch (RuntimeException | Error e) {
      stores.close();
      throw e;
    }
  }

  private Generations own(KvEngine engine, String name, UUID host, AwayServers servers) {
    return servers.open(engine, () -> Generations.open(root, name, engine, table.metadata, host));
  }

  /** Where the engine's own stores are; null for {@code lsm}, which has none. */
  @Nullable Path folder() {
    KvEngine engine = factory.engine();
    return engine == null
        ? null
        : StoreFolder.of(root, factory.parameters().engine(), engine.location()).path();
  }

  /** What a table has on its disks beside what is open. */
  static List<LeftStores> left(ColumnFamilyStore table, EngineFactory factory, Set<Path> open) {
    return StoreRoots.all(table, factory.parameters().directory()).stream()
        .map(root -> new LeftStores(table.metadata, root, open))
        .toList();
  }
}
