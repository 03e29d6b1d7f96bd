package io.counterpart.recovery;

import io.counterpart.core.recovery.CopyRole;
import io.counterpart.core.recovery.KeyspaceDecision;
import io.counterpart.core.recovery.RecoveryStep;
import io.counterpart.core.recovery.RecoveryWay;
import io.counterpart.core.recovery.Restored;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Restores one keyspace after another, step by step, primary and redundant ranges side by side.
 *
 * <p>A repair step is two repairs at once, one for each role, as in the paper. A rebuild step is
 * one rebuild of both roles' ranges, since Cassandra runs one rebuild a node at a time; in parallel
 * are its streams from all the nodes that give ranges. Progress and resuming therefore go by steps,
 * which Cassandra acknowledges, and not by streams, which it forgets.
 *
 * <p>Cassandra looks for the sources of all ranges before it streams any. If a named source is down
 * by then, the step is asked for again without names. A source that dies later fails the step; the
 * next run names others.
 */
final class KeyspaceRestorer {
  private static final long POLL_MILLIS = 100;
  private static final long BUSY_MILLIS = 2_000;
  private static final String BUSY = "still rebuilding";
  private static final String NO_SOURCE = "Unable to find sufficient sources";

  private final StorageCalls calls;
  private final RepairCommands repairs;
  private final RecoveryState state;
  private final ProgressBoard board;
  private final Cancellation cancellation;
  private final ExecutorService caller;
  private StreamClock clock;

  KeyspaceRestorer(
      StorageCalls calls,
      RepairCommands repairs,
      RecoveryState state,
      ProgressBoard board,
      Cancellation cancellation,
      ExecutorService caller) {
    this.calls = calls;
    this.repairs = repairs;
    this.state = state;
    this.board = board;
    this.cancellation = cancellation;
    this.caller = caller;
    clock = new StreamClock(calls);
  }

  /**
   * @param nanos all of it
   * @param streamingNanos while something was streamed
   */
  record Took(long nanos, long streamingNanos, long receivedBytes) {}

  /**
   * @throws RecoveryFailedException if Cassandra gives up; steps before are remembered
   * @throws CancellationException if cancelled; likewise
   */
  Took restore(KeyspaceDecision.Restore decision) throws InterruptedException {
    long bytes = calls.receivedBytes();
    long start = System.nanoTime();
    clock = new StreamClock(calls);
    board.begin(decision);
    for (RecoveryStep step : decision.steps()) {
      cancellation.check();
      if (decision.way() == RecoveryWay.REBUILD) {
        rebuild(decision.keyspace(), step);
      } else {
        repair(decision.keyspace(), step);
      }
      board.finished(step);
      board.show(0, calls.receivedBytes());
    }
    return new Took(
        System.nanoTime() - start, clock.streamingNanos(), calls.receivedBytes() - bytes);
  }

  private void rebuild(String keyspace, RecoveryStep step) throws InterruptedException {
    boolean told = false;
    Set<String> sources = step.sources();
    while (true) {
      try {
        awaitRebuild(keyspace, step, sources);
        break;
      } catch (ExecutionException e) {
        String message = rootMessage(e);
        if (message.contains(NO_SOURCE) && !sources.isEmpty()) {
          board.say(
              "one of the sources "
                  + new TreeSet<>(sources)
                  + " is down; the step takes any replica instead");
          sources = Set.of();
          continue;
        }
        if (!message.contains(BUSY)) {
          throw new RecoveryFailedException("rebuild of " + keyspace + " failed: " + message);
        }
        if (!told) {
          board.say("the node still rebuilds, perhaps a step of an earlier run; waiting for it");
          told = true;
        }
        pause(BUSY_MILLIS);
      }
    }
    state.add(keyspace, new Restored(RecoveryWay.REBUILD, Set.copyOf(step.all())));
    List.of(CopyRole.values()).forEach(role -> board.restored(role, step));
  }

  private void awaitRebuild(String keyspace, RecoveryStep step, Set<String> sources)
      throws InterruptedException, ExecutionException {
    Future<?> rebuild = caller.submit(() -> calls.rebuild(keyspace, step.all(), sources));
    while (true) {
      try {
        rebuild.get(POLL_MILLIS, TimeUnit.MILLISECONDS);
        sample(step.ringFraction());
        return;
      } catch (TimeoutException underWay) {
        sample(step.ringFraction());
        cancellation.check();
      }
    }
  }

  private void repair(String keyspace, RecoveryStep step) throws InterruptedException {
    Map<CopyRole, Integer> running = new EnumMap<>(CopyRole.class);
    for (CopyRole role : CopyRole.values()) {
      if (!step.ranges(role).isEmpty()) {
        running.put(role, repairs.start(keyspace, step.ranges(role)));
      }
    }
    while (!running.isEmpty()) {
      pause(POLL_MILLIS);
      sample(0);
      for (CopyRole role : Set.copyOf(running.keySet())) {
        RepairCommands.Outcome outcome = repairs.outcome(running.getOrDefault(role, 0));
        if (outcome.failed()) {
          throw new RecoveryFailedException(
              "repair of " + keyspace + " failed: " + outcome.message());
        }
        if (outcome.ended()) {
          running.remove(role);
          state.add(keyspace, new Restored(RecoveryWay.REPAIR, Set.copyOf(step.ranges(role))));
          board.restored(role, step);
        }
      }
    }
  }

  /** Waits for a comparison; no range is restored by it. */
  RepairCommands.Outcome await(int command) throws InterruptedException {
    RepairCommands.Outcome outcome = repairs.outcome(command);
    while (!outcome.ended()) {
      pause(POLL_MILLIS);
      outcome = repairs.outcome(command);
    }
    return outcome;
  }

  private void sample(double ringOfStep) {
    StorageCalls.Streams streams = clock.look();
    board.show(ringOfStep * streams.fraction(), calls.receivedBytes());
  }

  private void pause(long millis) throws InterruptedException {
    cancellation.check();
    TimeUnit.MILLISECONDS.sleep(millis);
    cancellation.check();
  }

  private static String rootMessage(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return String.valueOf(cause.getMessage());
  }
}
