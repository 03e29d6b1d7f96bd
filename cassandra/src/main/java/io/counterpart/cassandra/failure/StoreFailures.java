package io.counterpart.cassandra.failure;

import io.counterpart.core.engine.RecentFailures;
import io.counterpart.engine.StoreException;
import java.util.Optional;
import org.apache.cassandra.gms.ApplicationState;
import org.apache.cassandra.gms.EndpointState;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.gms.VersionedValue;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;

/**
 * Why reads and direct writes of stores have failed on nodes of late. Each node tells the others by
 * gossip: soft state, which ends with the process. Thread-safe.
 */
public final class StoreFailures {
  /** Cassandra makes memtables and query handlers itself, so nothing else could hand it on. */
  public static final StoreFailures NODE = new StoreFailures();

  /** One of those that Cassandra leaves to others; X1 is {@code ColdNode}'s. */
  private static final ApplicationState STATE = ApplicationState.X2;

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
    InetAddressAndPort self = FBUtilities.getBroadcastAddressAndPort();
    String line = recent.line();
    if (Gossiper.instance.getEndpointStateForEndpoint(self) != null && !line.equals(line(self))) {
      Gossiper.instance.addLocalApplicationState(
          STATE, StorageService.instance.valueFactory.rack(line));
    }
  }

  /**
   * Why a node's copies of a table have failed; empty if it has not said so.
   *
   * @param table as {@code keyspace.table}
   */
  Optional<String> reason(InetAddressAndPort endpoint, String table) {
    return endpoint.equals(FBUtilities.getBroadcastAddressAndPort())
        ? recent.reason(table)
        : RecentFailures.reason(line(endpoint), table);
  }

  /** What a node has said last. */
  private static String line(InetAddressAndPort endpoint) {
    EndpointState known = Gossiper.instance.getEndpointStateForEndpoint(endpoint);
    VersionedValue said = known == null ? null : known.getApplicationState(STATE);
    return said == null ? "" : said.value;
  }
}
