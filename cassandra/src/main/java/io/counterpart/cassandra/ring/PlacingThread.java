package io.counterpart.cassandra.ring;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.concurrent.ExecutorFactory;
import org.apache.cassandra.concurrent.ScheduledExecutorPlus;

/**
 * The thread in which all strategy instances of this node have their sstables placed, a turn each
 * in rotation: a ring change concerns every table at once, and one thread bounds what the disks are
 * asked for beside reads. An instance has at most one turn and one retry in the queue. Started with
 * the first turn; a daemon.
 */
public final class PlacingThread implements Placing.Turns {
  public static final PlacingThread SHARED = new PlacingThread();

  private final ScheduledExecutorPlus executor =
      ExecutorFactory.Global.executorFactory().scheduled(false, "CounterpartPlacing");

  private PlacingThread() {}

  @Override
  public void soon(Runnable turn) {
    executor.execute(turn);
  }

  @Override
  public void after(Duration delay, Runnable turn) {
    Future<?> unused = executor.schedule(turn, delay.toMillis(), TimeUnit.MILLISECONDS);
  }
}
