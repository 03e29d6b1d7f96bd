package io.counterpart.process;

/** Ends started processes when this JVM ends before they are closed, by Ctrl-C for instance. */
public final class ExitHook implements AutoCloseable {

  private final Thread thread;

  private ExitHook(Thread thread) {
    this.thread = thread;
  }

  /** One that ends nothing. */
  public static ExitHook none() {
    return new ExitHook(new Thread(() -> {}, "stop-nothing"));
  }

  /**
   * Has the JVM's end run something.
   *
   * @throws IllegalStateException if this JVM is ending
   */
  public static ExitHook arm(Runnable end) {
    Thread thread = new Thread(end, "stop-nodes");
    Runtime.getRuntime().addShutdownHook(thread);
    return new ExitHook(thread);
  }

  /**
   * Whether this JVM is ending. Hooks may have run already, so nothing may be started any more:
   * whoever starts a process looks here first, under a lock that the hook takes too.
   */
  public static boolean isJvmExiting() {
    try {
      Thread probe = new Thread(() -> {}, "probe-of-the-end");
      Runtime.getRuntime().addShutdownHook(probe);
      Runtime.getRuntime().removeShutdownHook(probe);
      return false;
    } catch (IllegalStateException exiting) {
      return true;
    }
  }

  /** What was started stays; does nothing a second time. */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(thread);
    } catch (IllegalStateException exiting) {
      // the hook runs already
      return;
    }
  }
}
