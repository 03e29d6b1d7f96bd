package io.counterpart.cassandra.consistency.sampling;

import java.util.List;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableId;

/**
 * What an estimate is about: the table, and the nodes that keep some of its rows together.
 *
 * @param replicas of one datacenter for local levels; sorted, since the ring order differs by token
 */
public record SetKey(TableId table, List<InetAddressAndPort> replicas) {
  /** Sorts. */
  public SetKey {
    replicas = replicas.stream().sorted().toList();
  }
}
