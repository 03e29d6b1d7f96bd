package io.counterpart.cassandra.vtable;

import java.util.List;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.VirtualKeyspace;
import org.apache.cassandra.db.virtual.VirtualKeyspaceRegistry;
import org.apache.cassandra.dht.LocalPartitioner;
import org.apache.cassandra.schema.TableMetadata;

/**
 * The virtual keyspace {@code counterpart}. Drivers read the list of keyspaces when they connect,
 * so a node with a decoupled table, a table on an engine or {@code PrimaryFirstSnitch} registers
 * the keyspace at its start, before clients can connect, and one with {@code
 * ConsistencyQueryHandler} at the first request. On other nodes the first such table registers it,
 * and connected clients do not see it.
 *
 * <p>Cassandra's registry keeps keyspaces by name, in any order, and reads them anew for each
 * query.
 */
public final class CounterpartKeyspace {
  private static final String NAME = "counterpart";

  private CounterpartKeyspace() {}

  /** A virtual table of the keyspace, its columns still to come; the partition key is text. */
  static TableMetadata.Builder table(String name, String comment) {
    return TableMetadata.builder(NAME, name)
        .comment(comment)
        .kind(TableMetadata.Kind.VIRTUAL)
        .partitioner(new LocalPartitioner(UTF8Type.instance));
  }

  /** Makes the virtual tables visible; further calls do nothing. Thread-safe. */
  public static void register() {
    // each registration would replace the tables, and with them their ids
    synchronized (CounterpartKeyspace.class) {
      if (VirtualKeyspaceRegistry.instance.getKeyspaceNullable(NAME) == null) {
        VirtualKeyspaceRegistry.instance.register(
            new VirtualKeyspace(
                NAME,
                List.of(
                    new TablesTable(),
                    new RangeGroupsTable(),
                    new GlobalLogTable(),
                    new TasksTable(),
                    new ReplicasTable(),
                    new ConsistencyTable(),
                    new StalenessTable(),
                    new EnginesTable())));
      }
    }
  }
}
