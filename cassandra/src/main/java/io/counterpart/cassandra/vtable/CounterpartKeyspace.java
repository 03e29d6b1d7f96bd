package io.counterpart.cassandra.vtable;

import java.util.List;
import org.apache.cassandra.db.virtual.VirtualKeyspace;
import org.apache.cassandra.db.virtual.VirtualKeyspaceRegistry;

/** The virtual keyspace, registered when the first decoupled table is opened. */
public final class CounterpartKeyspace {
  static final String NAME = "counterpart";

  private CounterpartKeyspace() {}

  /** Makes the virtual tables visible; further calls do nothing. Thread-safe. */
  public static void register() {
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
