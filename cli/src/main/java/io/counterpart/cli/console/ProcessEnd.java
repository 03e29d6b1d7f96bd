package io.counterpart.cli.console;

/** Detects that this process has been told to end. Stateless. */
public final class ProcessEnd {
  private ProcessEnd() {}

  /** Whether it ends, by Ctrl-C for instance: what it has started may be gone already. */
  public static boolean isUnderWay() {
    Thread probe = new Thread(() -> {}, "probe-of-the-end");
    try {
      Runtime.getRuntime().addShutdownHook(probe);
      Runtime.getRuntime().removeShutdownHook(probe);
      return false;
    } catch (IllegalStateException ending) {
      return true;
    }
  }
}
