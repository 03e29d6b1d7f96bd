package io.counterpart.cassandra.consistency;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cassandra.consistency.guard.Failures;
import io.counterpart.cassandra.consistency.policy.Policies;
import io.counterpart.cassandra.consistency.sampling.Estimates;
import io.counterpart.cassandra.consistency.sampling.ReplicaSets;
import io.counterpart.core.staleness.decide.ConsistencyPolicy;
import io.counterpart.core.staleness.decide.LevelDecision;
import io.counterpart.core.staleness.decide.LevelOutcome;
import io.counterpart.core.staleness.decide.ReadLevel;
import io.counterpart.core.staleness.estimate.Absences;
import io.counterpart.core.staleness.estimate.ErrorBudget;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.ResultSet;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Which level lowered reads are compared with. */
class ShadowReaderTest {
  /** One in 200 is repeated. */
  private static final int READS = 5_000;

  private final Failures failures = new Failures();
  private final Coordinator coordinator =
      new Coordinator(
          new Policies(ConsistencyPolicy.DEFAULT),
          new Estimates(ErrorBudget.HOURLY, () -> 0, new SplittableRandom(1)),
          new ReplicaSets(),
          new SessionKeys(() -> 0),
          Coordinator.Tallies.none(),
          new Absences<>(Duration.ofSeconds(60), Duration.ofSeconds(60), 0),
          () -> 0,
          new Random(1));

  @BeforeAll
  static void prepare() {
    OfflineStatements.start();
    OfflineStatements.table("shadowed", "k int PRIMARY KEY, v int");
  }

  @Test
  void a_lowered_local_read_is_compared_with_its_clients_level() {
    assertThat(repeated(ConsistencyLevel.LOCAL_QUORUM, ReadLevel.LOCAL_ONE))
        .containsOnly(ConsistencyLevel.LOCAL_QUORUM);
    assertThat(repeated(ConsistencyLevel.QUORUM, ReadLevel.ONE)).containsOnly(ConsistencyLevel.ALL);
  }

  private Set<ConsistencyLevel> repeated(ConsistencyLevel client, ReadLevel lowered) {
    Set<ConsistencyLevel> levels = EnumSet.noneOf(ConsistencyLevel.class);
    ClientRead read =
        new ClientRead(
            (SelectStatement) OfflineStatements.prepared("SELECT * FROM shadowed WHERE k = 1"),
            new QueryState(ClientState.forInternalCalls()),
            QueryOptions.forInternalCalls(client, List.of()),
            null);
    ShadowReader shadows = new ShadowReader(coordinator, failures, Runnable::run);
    for (int i = 0; i < READS; i++) {
      shadows.maybeRepeat(
          read,
          rows(),
          new LevelDecision(lowered, LevelOutcome.LOWERED, true),
          (options, time) -> {
            levels.add(options.getConsistency());
            return rows();
          });
    }
    return levels;
  }

  private static ResultMessage.Rows rows() {
    return new ResultMessage.Rows(new ResultSet(new ResultSet.ResultMetadata(List.of())));
  }
}
