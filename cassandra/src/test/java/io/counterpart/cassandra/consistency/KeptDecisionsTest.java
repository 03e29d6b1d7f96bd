package io.counterpart.cassandra.consistency;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cassandra.consistency.KeptDecisions.Asked;
import io.counterpart.cassandra.consistency.sampling.ReplicaSet;
import io.counterpart.core.staleness.decide.AdjustmentMode;
import io.counterpart.core.staleness.decide.ConsistencyPolicy;
import io.counterpart.core.staleness.decide.LevelDecision;
import io.counterpart.core.staleness.decide.LevelOutcome;
import io.counterpart.core.staleness.decide.ReadLevel;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.cassandra.schema.TableId;
import org.junit.jupiter.api.Test;

class KeptDecisionsTest {
  private static final long MILLI = 1_000_000;
  private static final ConsistencyPolicy POLICY = ConsistencyPolicy.DEFAULT;
  private static final LevelDecision RAISED =
      LevelDecision.notLower(ReadLevel.TWO, LevelOutcome.RAISED);

  private final ReplicaSet replicas = ReplicaSet.of(List.of(), node -> true);
  private final Asked asked = new Asked(TableId.generate(), ReadLevel.ONE);
  private final KeptDecisions decisions = new KeptDecisions();

  @Test
  void a_decision_is_kept_for_a_tenth_of_a_second() {
    // the clock's zero is anywhere
    long start = Long.MAX_VALUE - 50 * MILLI;
    decisions.keep(replicas, asked, POLICY, RAISED, start);

    assertThat(decisions.find(replicas, asked, POLICY, start)).contains(RAISED);
    assertThat(decisions.find(replicas, asked, POLICY, start + 99 * MILLI)).contains(RAISED);
    assertThat(decisions.find(replicas, asked, POLICY, start + 100 * MILLI)).isEmpty();
  }

  @Test
  void a_new_policy_holds_at_once() {
    decisions.keep(replicas, asked, POLICY, RAISED, 0);

    ConsistencyPolicy off =
        new ConsistencyPolicy(AdjustmentMode.OFF, 0.01, Optional.empty(), OptionalLong.empty(), 0);
    assertThat(decisions.find(replicas, asked, off, 0)).isEmpty();
  }

  @Test
  void other_tables_levels_and_replicas_have_decisions_of_their_own() {
    decisions.keep(replicas, asked, POLICY, RAISED, 0);

    Asked otherTable = new Asked(TableId.generate(), ReadLevel.ONE);
    Asked otherLevel = new Asked(asked.table(), ReadLevel.QUORUM);
    ReplicaSet otherArc = ReplicaSet.of(List.of(), node -> true);
    assertThat(decisions.find(replicas, otherTable, POLICY, 0)).isEmpty();
    assertThat(decisions.find(replicas, otherLevel, POLICY, 0)).isEmpty();
    assertThat(decisions.find(otherArc, asked, POLICY, 0)).isEmpty();
  }

  @Test
  void nothing_is_left_after_forgetting() {
    decisions.keep(replicas, asked, POLICY, RAISED, 0);
    decisions.forget();

    assertThat(decisions.find(replicas, asked, POLICY, 0)).isEmpty();
  }
}
