package io.counterpart.cassandra.engine.store;

import io.counterpart.engine.KvEngine;
import io.counterpart.engine.KvStore;
import java.nio.file.Path;
import java.util.UUID;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.statements.schema.CreateTableStatement;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.TableMetadataRef;

/** Tables of a node that does not run, and their stores. */
public final class OfflineStores {
  /** The node. */
  public static final UUID HOST = new UUID(1, 2);

  private OfflineStores() {}

  /** A table in the keyspace {@code ks}. */
  public static TableMetadata table(String cql) {
    DatabaseDescriptor.clientInitialization(false);
    DatabaseDescriptor.setPartitionerUnsafe(Murmur3Partitioner.instance);
    return CreateTableStatement.parse(cql, "ks").partitioner(Murmur3Partitioner.instance).build();
  }

  /** A table with a number {@code v} for each key {@code pk}. */
  public static TableMetadata pairs() {
    return table("CREATE TABLE t (pk int PRIMARY KEY, v int)");
  }

  /** The stores of a table in a folder of a directory. */
  public static Generations opened(
      Path directory, String folder, KvEngine engine, TableMetadata table) {
    return Generations.open(
        directory, folder, engine, TableMetadataRef.forOfflineTools(table), HOST);
  }

  /** A store of a table. */
  public static TableStore store(KvStore entries, TableMetadata table) {
    return new TableStore(entries, TableMetadataRef.forOfflineTools(table), HOST);
  }

  /** A store of a table, with a bound on its batches. */
  public static TableStore store(KvStore entries, TableMetadata table, long mostBatchBytes) {
    return new TableStore(entries, TableMetadataRef.forOfflineTools(table), HOST, mostBatchBytes);
  }
}
