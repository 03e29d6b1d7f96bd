package io.counterpart.lab.staleness;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.counterpart.lab.staleness.client.CellReads;
import io.counterpart.lab.staleness.client.Lane;
import io.counterpart.lab.staleness.client.PairLoad;
import io.counterpart.lab.staleness.client.PairPace;
import io.counterpart.lab.staleness.client.PlannedRead;
import io.counterpart.lab.staleness.client.WriteThenRead;
import io.counterpart.lab.workload.TableRef;
import java.util.ArrayList;
import java.util.List;

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
    List<Lane> lanes = new ArrayList<>();
    for (Node node : nodes.coordinators()) {
      ArcKeys own = ArcKeys.of(nodes.session(), TABLE.keyspace(), node, KEYS);
      lanes.add(new Lane(lanes.size(), node, own.keys()));
    }
    CellReads reads = new CellReads(replicas);
    try (WriteThenRead client = new WriteThenRead(nodes.session(), TABLE)) {
      client.run(
          new PairLoad(
              lanes,
              DefaultConsistencyLevel.QUORUM,
              (pair, lane) ->
                  new PlannedRead(
                      reads,
                      lanes.get((lane.session() + 1) % lanes.size()).writer(),
                      DefaultConsistencyLevel.QUORUM,
                      0,
                      true),
              pairs,
              PACE),
          tools.progress().step("warm-up", pairs));
      tools.readBack(client, lanes);
    }
  }
}
