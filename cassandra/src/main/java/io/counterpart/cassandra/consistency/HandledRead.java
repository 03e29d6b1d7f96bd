package io.counterpart.cassandra.consistency;

import io.counterpart.cassandra.consistency.guard.Failures;
import io.counterpart.core.staleness.decide.DecisionReason;
import io.counterpart.core.staleness.decide.LevelDecision;
import io.counterpart.core.staleness.decide.LevelOutcome;
import io.counterpart.core.staleness.decide.ReadLevel;
import io.counterpart.core.staleness.decide.RequestWish;
import io.counterpart.core.staleness.decide.SafetyRule;
import java.util.Set;
import java.util.concurrent.Executor;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.db.guardrails.GuardrailViolatedException;
import org.apache.cassandra.exceptions.RequestExecutionException;
import org.apache.cassandra.service.pager.PagingState;
import org.apache.cassandra.transport.Dispatcher.RequestTime;
import org.apache.cassandra.transport.messages.ResultMessage;

/** Runs clients' reads at the levels that decisions give. Thread-safe. */
final class HandledRead {
  /** Of no interest to operators: drivers and tools read these. */
  private static final Set<DecisionReason> NOT_COUNTED =
      Set.of(SafetyRule.SYSTEM_TABLE, SafetyRule.VIRTUAL_TABLE);

  /** Reads whose later pages are left alone as well, so that their levels need no memory. */
  private static final Set<DecisionReason> NOT_CONTINUED =
      Set.of(
          SafetyRule.MODE_OFF,
          SafetyRule.LEVEL_IS_FIXED,
          SafetyRule.SYSTEM_TABLE,
          SafetyRule.VIRTUAL_TABLE,
          SafetyRule.MATERIALIZED_VIEW,
          SafetyRule.COUNTER_TABLE,
          SafetyRule.INDEX_READ,
          SafetyRule.FILTERED_READ,
          SafetyRule.SEVERAL_PARTITIONS);

  private final Coordinator coordinator;
  private final Failures failures;
  private final Choice choice;
  private final ShadowReader shadowReader;
  private final ReadRepairer repairer;

  /**
   * @param background repeats reads, with a bounded queue; drops what does not fit
   */
  HandledRead(Coordinator coordinator, Failures failures, Executor background, Choice choice) {
    this.coordinator = coordinator;
    this.failures = failures;
    this.shadowReader = new ShadowReader(coordinator, failures, background);
    this.repairer = new ReadRepairer(coordinator, failures, background);
    this.choice = choice;
  }

  /** Decides about a read. */
  interface Choice {
    LevelDecision decide(ClientRead read, RequestWish wish);
  }

  /** The rest of the chain, for a read. */
  interface Call {
    ResultMessage run(QueryOptions options, RequestTime time);
  }

  ResultMessage run(ClientRead read, RequestTime time, Call call) {
    RequestWish wish = RequestPayload.wish(read.payload());
    ReadLevel client = Levels.read(read.options().getConsistency());
    Decided decided =
        failures.guard(
            () -> decide(read, wish, client),
            new Decided(LevelDecision.failed(client), read.options()));
    LevelDecision decision = decided.decision();
    failures.guard(() -> count(read, decision.reason()));
    if (decision.level() == client) {
      ResultMessage result = call.run(read.options(), time);
      failures.guard(() -> after(read, result, decision, wish != RequestWish.NONE));
      failures.guard(() -> repairer.maybeRepeat(read, result, client, call));
      return result;
    }
    return atAnotherLevel(read, time, call, decided);
  }

  /** A decision, and the options of the client's read at its level. */
  private record Decided(LevelDecision decision, QueryOptions options) {}

  private Decided decide(ClientRead read, RequestWish wish, ReadLevel client) {
    LevelDecision decision = choice.decide(read, wish);
    QueryOptions options = read.options();
    return new Decided(
        decision,
        decision.level() == client
            ? options
            : ReadOptions.at(options, Levels.cassandra(decision.level())));
  }

  private ResultMessage atAnotherLevel(
      ClientRead read, RequestTime time, Call call, Decided decided) {
    LevelDecision decision = decided.decision();
    ResultMessage result;
    try {
      result = call.run(decided.options(), time);
    } catch (RequestExecutionException | GuardrailViolatedException e) {
      if (!mayRepeat(e, decision)) {
        throw e;
      }
      // the client did not ask for that level, so its failure is not the client's
      failures.guard(() -> count(read, LevelOutcome.RAISE_FAILED));
      return afterFailedRaise(read, call);
    }
    failures.guard(() -> after(read, result, decision, true));
    failures.guard(() -> shadowReader.maybeRepeat(read, result, decision, call));
    failures.guard(() -> repairer.maybeRepeat(read, result, decision.level(), call));
    return result;
  }

  /**
   * Whether the read may succeed at its client's level. A lowered one asked fewer replicas than
   * that; but a guardrail may refuse the lower level alone.
   */
  private static boolean mayRepeat(RuntimeException failure, LevelDecision decision) {
    return failure instanceof GuardrailViolatedException || !decision.lowers();
  }

  private ResultMessage afterFailedRaise(ClientRead read, Call call) {
    ResultMessage result = call.run(read.options(), RequestTime.forImmediateExecution());
    ReadLevel client = Levels.read(read.options().getConsistency());
    LevelDecision used = LevelDecision.notLower(client, LevelOutcome.RAISE_FAILED);
    failures.guard(() -> after(read, result, used, true));
    return result;
  }

  private void count(ClientRead read, DecisionReason reason) {
    if (!NOT_COUNTED.contains(reason)) {
      coordinator.tallies().counts().add(read.tableName(), reason);
    }
  }

  private void after(ClientRead read, ResultMessage result, LevelDecision decision, boolean tell) {
    if (tell) {
      RequestPayload.report(result, decision, read.options().getProtocolVersion());
    }
    if (!NOT_CONTINUED.contains(decision.reason()) && result instanceof ResultMessage.Rows rows) {
      PagingState next = rows.result.metadata.getPagingState();
      if (next != null) {
        ReadLevel client = Levels.read(read.options().getConsistency());
        coordinator.tallies().pages().remember(LevelChoice.next(read, client, next), decision);
      }
    }
  }
}
