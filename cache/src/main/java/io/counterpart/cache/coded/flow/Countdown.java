package io.counterpart.cache.coded.flow;

/** Runs an action after a given number of events. Belongs to one event loop. */
public final class Countdown {
  private final Runnable done;
  private int left;

  /**
   * @param count 1 or more
   */
  public Countdown(int count, Runnable done) {
    this.left = count;
    this.done = done;
  }

  public void oneLess() {
    if (--left == 0) {
      done.run();
    }
  }
}
