package io.counterpart.integration;

import io.counterpart.process.ProcessIdentity;

/** Lets a process run for moments, until it is closed: a twentieth of the time, or less. */
final class SlowProcess implements AutoCloseable {
  private static final long RUNNING_MILLIS = 10;
  private static final long STOPPED_MILLIS = 190;

  private final ProcessIdentity process;
  private final Thread thread = new Thread(this::run, "slow-process");
  private volatile boolean closed;

  SlowProcess(ProcessIdentity process) {
    this.process = process;
    // at once: the thread may get its first turn when all is answered
    process.pause();
    thread.start();
  }

  private void run() {
    try {
      while (!closed) {
        Thread.sleep(STOPPED_MILLIS);
        process.resume();
        Thread.sleep(RUNNING_MILLIS);
        process.pause();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      process.resume();
    }
  }

  @Override
  public void close() throws InterruptedException {
    closed = true;
    thread.join();
  }
}
