package io.counterpart.core.selection.simulator;

import io.counterpart.core.selection.ReplicaSelection;
import io.counterpart.core.selection.SelectionRules;
import java.util.List;

/** NR, by the classes that the plugin runs. */
final class NearestReplicaRule implements ReplicaRule {
  private static final int PINGS_A_TICK = 2;

  private final int self;
  private final ReplicaSelection<Integer> selection;

  NearestReplicaRule(int self, SelectionRules rules) {
    this.self = self;
    this.selection = new ReplicaSelection<>(rules);
  }

  @Override
  public int choose(List<Integer> replicas, int rowHash) {
    return selection.ranking().order(replicas, rowHash).get(0);
  }

  @Override
  public void sent(int node, long now) {
    selection.sent(node, now);
  }

  @Override
  public void answered(ReadAnswer answer, long now) {
    if (answer.local()) {
      selection.timed(answer.node(), answer.nanos(), now);
    } else {
      selection.answered(answer.node(), answer.nanos(), now);
    }
  }

  @Override
  public void lost(int node, long waitedNanos, long now) {
    selection.lost(node, waitedNanos, now);
  }

  @Override
  public void own(int queued, long ended, long now) {
    selection.own(self, queued, ended, now);
  }

  @Override
  public List<Integer> tick(long now) {
    selection.snapshot(now);
    return selection.pings(PINGS_A_TICK, now);
  }

  @Override
  public void lives(int node, long now) {
    selection.lives(node, now);
  }
}
