package io.counterpart.recovery;

import io.counterpart.cluster.jmx.NodeJmx;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Stock Cassandra's recovery, the baseline of {@link Recovery}: a rebuild or a full repair of a
 * keyspace on a running node, requested as NodeTool does, without NodeTool's own process. Used by
 * one thread.
 */
public final class StockRecovery {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final long POLL_MILLIS = 100;

  private final StorageCalls calls;
  private final RepairCommands repairs;

  /**
   * @param jmx to the node, open as long as this is used
   */
  public StockRecovery(NodeJmx jmx) {
    calls = new StorageCalls(jmx);
    repairs = new RepairCommands(calls);
  }

  /**
   * What it took.
   *
   * @param seconds from the call to its end
   * @param streamingSeconds the part of it in which at least one stream was under way
   * @param receivedBytes bytes that the node received by streaming meanwhile, from whatever cause
   */
  public record Took(double seconds, double streamingSeconds, long receivedBytes) {
    /** The part without a stream: in a repair, Merkle trees were built and compared. */
    public double quietSeconds() {
      return Math.max(0, seconds - streamingSeconds);
    }
  }

  /**
   * {@code nodetool repair -full}: all ranges of the node, on all their replicas.
   *
   * @throws RecoveryFailedException if Cassandra gives up
   */
  public Took repair(String keyspace) throws InterruptedException {
    return repair(keyspace, false);
  }

  /**
   * {@code nodetool repair -full -pr}: the ranges of which the node is the first replica, on all
   * their replicas. On every node, it repairs each range once.
   *
   * @throws RecoveryFailedException if Cassandra gives up
   */
  public Took repairPrimaryRanges(String keyspace) throws InterruptedException {
    return repair(keyspace, true);
  }

  private Took repair(String keyspace, boolean primaryRange) throws InterruptedException {
    long bytes = calls.receivedBytes();
    long start = System.nanoTime();
    StreamClock clock = new StreamClock(calls);
    int command = repairs.startStock(keyspace, primaryRange);
    RepairCommands.Outcome outcome = repairs.outcome(command);
    while (!outcome.ended()) {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      clock.look();
      outcome = repairs.outcome(command);
    }
    if (outcome.failed()) {
      throw new RecoveryFailedException("repair of " + keyspace + " failed: " + outcome.message());
    }
    return took(start, clock, bytes);
  }

  /**
   * {@code nodetool rebuild}: all ranges of the node, from one other replica each.
   *
   * @throws RecoveryFailedException if Cassandra gives up
   */
  public Took rebuild(String keyspace) throws InterruptedException {
    ExecutorService caller = Executors.newSingleThreadExecutor();
    try {
      long bytes = calls.receivedBytes();
      long start = System.nanoTime();
      StreamClock clock = new StreamClock(calls);
      Future<?> rebuild = caller.submit(() -> calls.rebuild(keyspace));
      while (!ended(rebuild, keyspace)) {
        clock.look();
      }
      return took(start, clock, bytes);
    } finally {
      caller.shutdownNow();
    }
  }

  private static boolean ended(Future<?> rebuild, String keyspace) throws InterruptedException {
    try {
      rebuild.get(POLL_MILLIS, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException underWay) {
      return false;
    } catch (ExecutionException e) {
      throw new RecoveryFailedException(
          "rebuild of " + keyspace + " failed: " + String.valueOf(e.getCause()));
    }
  }

  private Took took(long start, StreamClock clock, long bytesBefore) {
    double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
    clock.look();
    return new Took(
        seconds,
        Math.min(seconds, clock.streamingNanos() / NANOS_PER_SECOND),
        calls.receivedBytes() - bytesBefore);
  }
}
