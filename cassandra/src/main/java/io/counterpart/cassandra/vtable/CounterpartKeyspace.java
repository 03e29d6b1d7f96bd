package io.counterpart.cassandra.vtable;

import java.util.List;
import org.apache.cassandra.db.virtual.VirtualKeyspace;
import org.apache.cassandra.db.virtual.VirtualKeyspaceRegistry;

/**
 * The virtual keyspace {@code counterpart}. Drivers read the list of keyspaces when they connect,
 * so a node with a decoupled table or {@code PrimaryFirstSnitch} registers the keyspace at its
 * start, before clients can connect, and one with {@code ConsistencyQueryHandler} at the first
 * request. On other nodes the first decoupled table registers it, and connected clients do not see
 * it.
 *
 * <p>Cassandra's registry keeps keyspaces by name, in any order, and reads them anew for each
 * query.
 */
public final class CounterpartKeyspace {
  static final String NAME = "counterpart";

  private CounterpartKeyspace() {}

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
                    new StalenessTable())));
      }
    }
  }
}
