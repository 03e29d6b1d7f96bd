package io.counterpart.cassandra.failure;

import io.counterpart.cassandra.gossip.SoftState;
import io.counterpart.core.engine.RecentFailures;
import io.counterpart.engine.StoreException;
import java.util.Optional;
import org.apache.cassandra.gms.ApplicationState;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.FBUtilities;

/**
 * Why reads and direct writes of stores have failed on nodes of late. Each node tells the others by
 * gossip: soft state, which ends with the process. Thread-safe.
 */
public final class StoreFailures {
  /** Cassandra makes memtables and query handlers itself, so nothing else could hand it on. */
  public static final StoreFailures NODE = new StoreFailures();

  /** X1 is {@code ColdNode}'s. */
  private static final SoftState STATE = new SoftState(ApplicationState.X2);

  private final RecentFailures recent = new RecentFailures(System::nanoTime);

  private StoreFailures() {}

  /**
   * A read or write of a table's stores failed.
   *
   * @return the failure, to be thrown
   */
  public StoreException noted(TableMetadata table, StoreException failure) {
    recent.note(table.keyspace + "." + table.name, String.valueOf(failure.getMessage()));
    return failure;
  }

  /** Tells the other nodes, if there is news and gossip has begun. Called every second. */
  public void tell() {
    STATE.tell(recent.line());
  }

  /**
   * Why a node's copies of a table have failed; empty if it has not said so.
   *
   * @param table as {@code keyspace.table}
   */
  Optional<String> reason(InetAddressAndPort endpoint, String table) {
    return endpoint.equals(FBUtilities.getBroadcastAddressAndPort())
        ? recent.reason(table)
        : RecentFailures.reason(STATE.of(endpoint), table);
  }
}
