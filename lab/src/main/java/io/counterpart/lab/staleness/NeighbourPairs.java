package io.counterpart.lab.staleness;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.counterpart.lab.staleness.client.CellReads;
import io.counterpart.lab.staleness.client.Lane;
import io.counterpart.lab.staleness.client.PairLoad;
import io.counterpart.lab.staleness.client.PairPace;
import io.counterpart.lab.staleness.client.PlannedRead;
import io.counterpart.lab.workload.TableRef;
import java.util.ArrayList;
import java.util.List;

/**
 * Pairs through every node, at QUORUM: each writes rows of its own, and the next node reads them at
 * once.
 *
 * @param lanes one for each node, in their order
 */
record NeighbourPairs(List<Lane> lanes) {
  NeighbourPairs {
    lanes = List.copyOf(lanes);
  }

  /**
   * Each node with so many of the rows of which it has the first copy.
   *
   * @param table whose keyspace is looked at
   */
  static NeighbourPairs of(FaultyNodes nodes, TableRef table, int keys) {
    List<Lane> lanes = new ArrayList<>();
    for (Node node : nodes.coordinators()) {
      ArcKeys own = ArcKeys.of(nodes.session(), table.keyspace(), node, keys);
      lanes.add(new Lane(lanes.size(), node, own.keys()));
    }
    return new NeighbourPairs(lanes);
  }

  /**
   * Some of them.
   *
   * @param asks whether nodes are to tell the levels that they used
   */
  PairLoad load(CellReads reads, boolean asks, int pairs, PairPace pace) {
    return new PairLoad(
        lanes,
        DefaultConsistencyLevel.QUORUM,
        (pair, lane) ->
            new PlannedRead(
                reads,
                lanes.get((lane.session() + 1) % lanes.size()).writer(),
                DefaultConsistencyLevel.QUORUM,
                0,
                asks),
        pairs,
        pace);
  }
}
