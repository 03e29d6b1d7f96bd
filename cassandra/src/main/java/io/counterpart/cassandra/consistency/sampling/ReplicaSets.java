package io.counterpart.cassandra.consistency.sampling;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.gms.FailureDetector;
import org.apache.cassandra.locator.AbstractReplicationStrategy;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.service.StorageService;

/** The replicas of a token, as this node sees the ring now. Stateless; costs no I/O. */
public final class ReplicaSets {
  private ReplicaSets() {}

  /**
   * Replicas of all datacenters in ring order; none where some are transient, since these do not
   * keep every write.
   */
  public static List<InetAddressAndPort> of(String keyspace, Token token) {
    // null while it is being dropped
    Keyspace open = Schema.instance.getKeyspaceInstance(keyspace);
    if (open == null) {
      return List.of();
    }
    AbstractReplicationStrategy strategy = open.getReplicationStrategy();
    if (strategy.hasTransientReplicas()) {
      return List.of();
    }
    List<InetAddressAndPort> endpoints = new ArrayList<>();
    for (Replica replica : strategy.getNaturalReplicasForToken(token)) {
      endpoints.add(replica.endpoint());
    }
    return List.copyOf(endpoints);
  }

  /**
   * The replica sets for which a write of the token is a sample: all replicas, and those of this
   * datacenter; none while a node is about to join them.
   */
  static List<List<InetAddressAndPort>> sampled(String keyspace, Token token) {
    List<InetAddressAndPort> all = of(keyspace, token);
    if (anyPending(keyspace, token)) {
      return List.of();
    }
    return Stream.of(all, local(all)).distinct().filter(EstimatedReplicas::areSupported).toList();
  }

  /** Those of this node's datacenter. */
  public static List<InetAddressAndPort> local(List<InetAddressAndPort> replicas) {
    String local = DatabaseDescriptor.getLocalDataCenter();
    return replicas.stream()
        .filter(
            replica -> local.equals(DatabaseDescriptor.getEndpointSnitch().getDatacenter(replica)))
        .toList();
  }

  public static boolean anyDown(List<InetAddressAndPort> replicas) {
    return !replicas.stream().allMatch(FailureDetector.instance::isAlive);
  }

  /** Whether a node is about to become a replica of the token, or one is being replaced. */
  public static boolean anyPending(String keyspace, Token token) {
    return !StorageService.instance
        .getTokenMetadata()
        .pendingEndpointsForToken(token, keyspace)
        .isEmpty();
  }
}
