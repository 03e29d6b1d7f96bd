package io.counterpart.lab.measure;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Timers of samplers: one daemon thread each. */
final class SamplerThreads {
  private SamplerThreads() {}

  /** Calls a reading once a second, the first time after one. */
  static ScheduledExecutorService everySecond(String name, Runnable reading) {
    ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            });
    timer.scheduleAtFixedRate(reading, 1, 1, TimeUnit.SECONDS);
    return timer;
  }

  /** Stops; returns when no reading is under way. */
  static void stop(ScheduledExecutorService timer) {
    timer.shutdown();
    boolean interrupted = false;
    try {
      timer.awaitTermination(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
