package io.counterpart.cassandra.consistency.sampling;

import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * The nodes that keep the rows of some tokens together. All lists are sorted, since the ring order
 * differs by token, and immutable.
 *
 * @param all of all datacenters
 * @param local those of this node's datacenter
 * @param sampled those of both for which a write is a sample
 */
public record ReplicaSet(
    List<InetAddressAndPort> all,
    List<InetAddressAndPort> local,
    List<List<InetAddressAndPort>> sampled) {
  static final ReplicaSet NONE = of(List.of(), node -> false);

  /** Sorts, and finds the local ones. */
  public static ReplicaSet of(
      Collection<InetAddressAndPort> replicas, Predicate<InetAddressAndPort> isLocal) {
    List<InetAddressAndPort> all = sorted(replicas.stream());
    List<InetAddressAndPort> local = sorted(replicas.stream().filter(isLocal));
    return new ReplicaSet(
        all,
        local,
        Stream.of(all, local).distinct().filter(EstimatedReplicas::areSupported).toList());
  }

  private static List<InetAddressAndPort> sorted(Stream<InetAddressAndPort> nodes) {
    return List.copyOf(nodes.sorted().toList());
  }

  /** Whether all of them are in this node's datacenter. */
  public boolean isLocal() {
    return local.size() == all.size();
  }
}
