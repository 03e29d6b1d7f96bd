package io.counterpart.cassandra.consistency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cassandra.consistency.guard.Failures;
import io.counterpart.cassandra.consistency.policy.Policies;
import io.counterpart.cassandra.consistency.sampling.Estimates;
import io.counterpart.cassandra.consistency.sampling.ReplicaSets;
import io.counterpart.core.staleness.decide.ConsistencyPolicy;
import io.counterpart.core.staleness.decide.LevelDecision;
import io.counterpart.core.staleness.decide.LevelOutcome;
import io.counterpart.core.staleness.decide.ReadLevel;
import io.counterpart.core.staleness.decide.SafetyRule;
import io.counterpart.core.staleness.estimate.Absences;
import io.counterpart.core.staleness.estimate.ErrorBudget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.guardrails.GuardrailViolatedException;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.exceptions.OverloadedException;
import org.apache.cassandra.exceptions.ReadFailureException;
import org.apache.cassandra.exceptions.ReadTimeoutException;
import org.apache.cassandra.exceptions.TombstoneAbortException;
import org.apache.cassandra.exceptions.UnavailableException;
import org.apache.cassandra.transport.Dispatcher.RequestTime;
import org.apache.cassandra.transport.ProtocolVersion;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Reads of a statement that is not there: every look at it is a failure of the plugin. */
class HandledReadTest {
  private static final LevelDecision RAISED =
      LevelDecision.notLower(ReadLevel.TWO, LevelOutcome.RAISED);
  private static final LevelDecision LOWERED =
      new LevelDecision(ReadLevel.ONE, LevelOutcome.LOWERED, true);

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
  private final List<ConsistencyLevel> calls = new ArrayList<>();

  @BeforeAll
  static void cassandra_needs_its_defaults() {
    DatabaseDescriptor.clientInitialization();
  }

  @Test
  void a_failure_of_the_plugin_leaves_the_read_at_its_clients_level() {
    HandledRead reads =
        reads(
            (read, wish) -> {
              throw new IllegalStateException("planted");
            });

    reads.run(at(ConsistencyLevel.ONE), now(), this::answer);

    assertThat(calls).containsExactly(ConsistencyLevel.ONE);
    assertThat(failures.count()).isPositive();
  }

  @Test
  void a_failure_to_change_the_level_leaves_the_read_at_its_clients_level() {
    LevelDecision illegal = LevelDecision.notLower(ReadLevel.OTHER, LevelOutcome.RAISED);

    reads((read, wish) -> illegal).run(at(ConsistencyLevel.ONE), now(), this::answer);

    assertThat(calls).containsExactly(ConsistencyLevel.ONE);
    assertThat(failures.count()).isPositive();
  }

  @Test
  void a_raised_read_is_made_once_if_it_succeeds() {
    ResultMessage result =
        reads((read, wish) -> RAISED).run(at(ConsistencyLevel.ONE), now(), this::answer);

    assertThat(calls).containsExactly(ConsistencyLevel.TWO);
    assertThat(result.getCustomPayload()).containsKeys("cr_level", "cr_reason");
  }

  @Test
  void a_raised_read_that_fails_is_repeated_at_the_clients_level() {
    List<RuntimeException> planted =
        List.of(
            new ReadTimeoutException(ConsistencyLevel.TWO, 1, 2, true),
            new ReadFailureException(ConsistencyLevel.TWO, 1, 2, true, Map.of()),
            UnavailableException.create(ConsistencyLevel.TWO, 2, 1),
            // the coordinator keeps too many rows of replicas that differ
            new OverloadedException("planted"),
            // one replica may have more tombstones than the others
            new TombstoneAbortException(
                "planted", 1, 1, false, ConsistencyLevel.TWO, 0, 2, Map.of()),
            refused());
    for (RuntimeException failure : planted) {
      calls.clear();

      reads((read, wish) -> RAISED)
          .run(
              at(ConsistencyLevel.ONE),
              now(),
              (options, time) -> {
                ResultMessage result = answer(options, time);
                if (options.getConsistency() == ConsistencyLevel.TWO) {
                  throw failure;
                }
                return result;
              });

      assertThat(calls)
          .as("%s", failure)
          .containsExactly(ConsistencyLevel.TWO, ConsistencyLevel.ONE);
    }
  }

  @Test
  void a_lowered_read_that_fails_is_not_repeated() {
    List<LevelDecision> lowered =
        List.of(LOWERED, new LevelDecision(ReadLevel.ONE, SafetyRule.LATER_PAGE, true));
    for (LevelDecision decision : lowered) {
      calls.clear();

      assertThatThrownBy(
              () -> failing(decision, new ReadTimeoutException(ConsistencyLevel.ONE, 0, 1, false)))
          .isInstanceOf(ReadTimeoutException.class);

      assertThat(calls).as("%s", decision).containsExactly(ConsistencyLevel.ONE);
    }
  }

  @Test
  void a_lowered_read_that_a_guardrail_refuses_is_repeated_at_the_clients_level() {
    reads((read, wish) -> LOWERED)
        .run(
            at(ConsistencyLevel.QUORUM),
            now(),
            (options, time) -> {
              ResultMessage result = answer(options, time);
              if (options.getConsistency() == ConsistencyLevel.ONE) {
                throw refused();
              }
              return result;
            });

    assertThat(calls).containsExactly(ConsistencyLevel.ONE, ConsistencyLevel.QUORUM);
  }

  /** As a provider of guardrails may say that the plugin does not ask; Cassandra alone makes it. */
  private static GuardrailViolatedException refused() {
    try {
      var constructor = GuardrailViolatedException.class.getDeclaredConstructor(String.class);
      constructor.setAccessible(true);
      return constructor.newInstance("planted");
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void a_raised_read_that_would_fail_again_is_not_repeated() {
    RuntimeException failure = new InvalidRequestException("planted");

    assertThatThrownBy(() -> failing(RAISED, failure)).isSameAs(failure);

    assertThat(calls).containsExactly(ConsistencyLevel.TWO);
  }

  private void failing(LevelDecision decision, RuntimeException failure) {
    reads((read, wish) -> decision)
        .run(
            at(ConsistencyLevel.QUORUM),
            now(),
            (options, time) -> {
              answer(options, time);
              throw failure;
            });
  }

  private ResultMessage answer(QueryOptions options, RequestTime time) {
    calls.add(options.getConsistency());
    return new ResultMessage.Void();
  }

  private HandledRead reads(HandledRead.Choice choice) {
    return new HandledRead(coordinator, failures, Runnable::run, choice);
  }

  private static RequestTime now() {
    return RequestTime.forImmediateExecution();
  }

  @SuppressWarnings("NullAway") // of no statement, since one needs a schema
  private static ClientRead at(ConsistencyLevel level) {
    // internal options have protocol version 3, which knows no payloads
    QueryOptions options =
        QueryOptions.create(level, List.of(), false, -1, null, null, ProtocolVersion.CURRENT, null);
    return new ClientRead(null, null, options, null);
  }
}
