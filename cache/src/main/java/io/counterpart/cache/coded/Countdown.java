package io.counterpart.cache.coded;

/** Runs an action after a given number of events. Belongs to one event loop. */
final class Countdown {
  private final Runnable done;
  private int left;

  /**
   * @param count 1 or more
   */
  Countdown(int count, Runnable done) {
    this.left = count;
    this.done = done;
  }

  void oneLess() {
    if (--left == 0) {
      done.run();
    }
  }
}
