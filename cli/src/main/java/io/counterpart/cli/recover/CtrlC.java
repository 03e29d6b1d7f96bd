package io.counterpart.cli.recover;

import io.counterpart.recovery.Recovery;

/** Ends a recovery cleanly on Ctrl-C: stops the repairs that it began. */
final class CtrlC implements AutoCloseable {
  private static final long LIMIT_MILLIS = 10_000;

  private final Thread hook;

  private CtrlC(Recovery recovery) {
    hook = new Thread(() -> stop(recovery), "stop-recovery");
  }

  static CtrlC stops(Recovery recovery) {
    CtrlC ctrlC = new CtrlC(recovery);
    Runtime.getRuntime().addShutdownHook(ctrlC.hook);
    return ctrlC;
  }

  private static void stop(Recovery recovery) {
    recovery.cancel();
    try {
      if (!recovery.awaitEnd(LIMIT_MILLIS)) {
        System.err.println("counterpart: the node did not answer in time; look at its repairs");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException exiting) {
      // the hook runs and waits for what is just ending
      return;
    }
  }
}
