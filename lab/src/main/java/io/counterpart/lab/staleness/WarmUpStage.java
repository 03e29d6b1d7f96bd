package io.counterpart.lab.staleness;

import io.counterpart.lab.staleness.client.CellReads;
import io.counterpart.lab.staleness.client.PairPace;
import io.counterpart.lab.staleness.client.WriteThenRead;
import io.counterpart.lab.workload.TableRef;

/**
 * Unmeasured pairs at QUORUM through every node. On nodes that have just started a read takes tens
 * of ms, in which the late writes that it should miss arrive.
 *
 * @param replicas of each row
 * @param pairs how many, at least 1
 */
public record WarmUpStage(int replicas, int pairs) implements StalenessStage {
  private static final TableRef TABLE = new TableRef("crs_warm_up", "pairs");
  private static final PairPace PACE = new PairPace(0, 8);
  private static final int KEYS = 100;

  @Override
  public int blocks() {
    return 0;
  }

  @Override
  public void run(StageTools tools) throws InterruptedException {
    FaultyNodes nodes = tools.nodes();
    nodes.keyspace(TABLE.keyspace(), replicas);
    nodes.table(TABLE);
    NeighbourPairs neighbours = NeighbourPairs.of(nodes, TABLE, KEYS);
    try (WriteThenRead client = new WriteThenRead(nodes.session(), TABLE)) {
      client.run(
          neighbours.load(new CellReads(replicas), true, pairs, PACE),
          tools.progress().step("warm-up", pairs));
      tools.readBack(client, neighbours.lanes());
    }
  }
}
