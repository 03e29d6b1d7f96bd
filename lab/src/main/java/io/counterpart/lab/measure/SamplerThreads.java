package io.counterpart.lab.measure;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Timers of samplers: one daemon thread each. Stateless. */
public final class SamplerThreads {
  private SamplerThreads() {}

  /** Calls a reading once a second, the first time after one. */
  static ScheduledExecutorService everySecond(String name, Runnable reading) {
    return every(Duration.ofSeconds(1), name, reading);
  }

  /**
   * Calls a reading again and again, the first time after a period.
   *
   * @param name of the thread
   */
  public static ScheduledExecutorService every(Duration period, String name, Runnable reading) {
    ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            });
    // not at a fixed rate: after a pause several would follow at once, with no time between them
    timer.scheduleWithFixedDelay(reading, period.toNanos(), period.toNanos(), TimeUnit.NANOSECONDS);
    return timer;
  }

  /** Stops; returns when no reading is under way. */
  public static void stop(ScheduledExecutorService timer) {
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
