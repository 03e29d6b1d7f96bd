package io.counterpart.cassandra.engine.flush;

import java.util.concurrent.Executor;
import org.apache.cassandra.concurrent.ExecutorFactory;
import org.apache.cassandra.concurrent.ExecutorPlus;

/** The threads of a node that spill stores apart from flushes. Thread-safe. */
public final class SpillThreads implements Executor {
  private static final int AT_ONCE = 2;

  private final ExecutorPlus threads =
      ExecutorFactory.Global.executorFactory().pooled("CounterpartSpills", AT_ONCE);

  /** Runs a spill, when others have ended. */
  @Override
  public void execute(Runnable spill) {
    threads.execute(spill);
  }

  /** Whether nothing is spilled: who waits for a spill finds a free thread beside the next one. */
  public boolean isIdle() {
    return threads.getActiveTaskCount() + threads.getPendingTaskCount() == 0;
  }
}
