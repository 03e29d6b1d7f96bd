package io.counterpart.cassandra.consistency.sampling;

import com.google.common.collect.Ordering;
import java.util.List;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableId;

/**
 * What an estimate is about: the table, and the nodes that keep some of its rows together.
 *
 * @param replicas of one datacenter for local levels; sorted, since the ring order differs by token
 */
public record SetKey(TableId table, List<InetAddressAndPort> replicas) {
  /** Sorts, and copies what is not immutable. */
  public SetKey {
    // those of a ReplicaSet are in order
    replicas =
        List.copyOf(
            Ordering.natural().isOrdered(replicas)
                ? replicas
                : replicas.stream().sorted().toList());
  }
}
