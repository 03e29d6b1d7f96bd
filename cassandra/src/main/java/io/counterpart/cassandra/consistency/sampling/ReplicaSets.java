package io.counterpart.cassandra.consistency.sampling;

import com.google.common.collect.MapMaker;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.gms.FailureDetector;
import org.apache.cassandra.locator.AbstractReplicationStrategy;
import org.apache.cassandra.locator.EndpointsForRange;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.PendingRangeMaps;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.service.StorageService;

/**
 * The replicas of a token, as this node sees the ring now. Costs no I/O. Thread-safe.
 *
 * <p>Requests ask for them, so what follows from Cassandra's own list of an arc's replicas is kept
 * while Cassandra has that list, which changes with the ring and the keyspace, and at most until
 * {@link #forget}.
 */
public final class ReplicaSets {
  // by identity, which they have no other equality than
  private final ConcurrentMap<EndpointsForRange, ReplicaSet> known =
      new MapMaker().weakKeys().makeMap();

  /** One for all arcs of the same nodes, so that decisions hold for all of them. */
  private final ConcurrentMap<ReplicaSet, ReplicaSet> byNodes = new ConcurrentHashMap<>();

  /** Empty where some replicas are transient, since these do not keep every write. */
  public ReplicaSet of(String keyspace, Token token) {
    // null while it is being dropped
    Keyspace open = Schema.instance.getKeyspaceInstance(keyspace);
    if (open == null) {
      return ReplicaSet.NONE;
    }
    AbstractReplicationStrategy strategy = open.getReplicationStrategy();
    return strategy.hasTransientReplicas()
        ? ReplicaSet.NONE
        : known.computeIfAbsent(
            strategy.getNaturalReplicas(token),
            replicas -> canonical(ReplicaSet.of(replicas.endpointList(), ReplicaSets::isLocal)));
  }

  private ReplicaSet canonical(ReplicaSet set) {
    ReplicaSet first = byNodes.putIfAbsent(set, set);
    return first == null ? set : first;
  }

  private static boolean isLocal(InetAddressAndPort node) {
    return DatabaseDescriptor.getLocalDataCenter()
        .equals(DatabaseDescriptor.getEndpointSnitch().getDatacenter(node));
  }

  /** A node's datacenter may become known after its tokens: to be called every second. */
  public void forget() {
    known.clear();
    byNodes.clear();
  }

  /** Those of a write that may be a sample; none while a node is about to join them. */
  ReplicaSet ofSample(String keyspace, Token token) {
    return anyPending(keyspace, token) ? ReplicaSet.NONE : of(keyspace, token);
  }

  public static boolean anyDown(List<InetAddressAndPort> replicas) {
    for (InetAddressAndPort replica : replicas) {
      if (!FailureDetector.instance.isAlive(replica)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a node is about to become a replica of any token, or one is being replaced. */
  public static boolean anyPending(String keyspace) {
    PendingRangeMaps pending =
        StorageService.instance.getTokenMetadata().getPendingRanges(keyspace);
    return pending != null && pending.iterator().hasNext();
  }

  /** The same of one token. */
  public static boolean anyPending(String keyspace, Token token) {
    // usually there are none, and Cassandra's search for those of a token costs more
    return anyPending(keyspace)
        && !StorageService.instance
            .getTokenMetadata()
            .pendingEndpointsForToken(token, keyspace)
            .isEmpty();
  }
}
