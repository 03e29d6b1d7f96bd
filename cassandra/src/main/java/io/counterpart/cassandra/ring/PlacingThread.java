package io.counterpart.cassandra.ring;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.concurrent.ExecutorFactory;
import org.apache.cassandra.concurrent.ScheduledExecutorPlus;

/**
 * The node's thread for placing sstables; strategy instances take turns in rotation. A ring change
 * affects every table at once, and a single thread bounds the disk reads that compete with clients'
 * reads. An instance has at most one turn and one retry in the queue. A daemon, started with the
 * first turn.
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
