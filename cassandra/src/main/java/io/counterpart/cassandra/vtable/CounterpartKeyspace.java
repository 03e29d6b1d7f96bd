package io.counterpart.cassandra.vtable;

import java.util.List;
import org.apache.cassandra.db.virtual.VirtualKeyspace;
import org.apache.cassandra.db.virtual.VirtualKeyspaceRegistry;

/**
 * The virtual keyspace. Drivers read the keyspaces when they connect, so it is registered before
 * clients can: at the start of a node that has a decoupled table or {@code PrimaryFirstSnitch}. On
 * others the first decoupled table registers it, and clients that are connected do not see it.
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
                    new TasksTable())));
      }
    }
  }
}
