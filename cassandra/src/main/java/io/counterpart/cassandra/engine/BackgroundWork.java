package io.counterpart.cassandra.engine;

import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.cassandra.concurrent.ExecutorFactory;
import org.apache.cassandra.concurrent.ExecutorPlus;

/** Work that is due again and again, on a thread of its own, one turn at a time. Thread-safe. */
final class BackgroundWork {
  private final ExecutorPlus thread;
  private final AtomicBoolean running = new AtomicBoolean();

  BackgroundWork(String name) {
    thread = ExecutorFactory.Global.executorFactory().sequential(name);
  }

  /** Runs a turn, unless one is running. */
  void submit(Runnable turn) {
    if (running.compareAndSet(false, true)) {
      thread.execute(
          () -> {
            try {
              turn.run();
            } finally {
              running.set(false);
            }
          });
    }
  }
}
