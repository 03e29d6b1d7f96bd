package io.counterpart.recovery;

import java.util.concurrent.CancellationException;

/** A request to stop, made by another thread. Thread-safe. */
final class Cancellation {
  private volatile boolean wished;

  void wish() {
    wished = true;
  }

  /**
   * @throws CancellationException if somebody wishes to stop
   */
  void check() {
    if (wished) {
      throw new CancellationException("interrupted; run it again to resume");
    }
  }
}
