package io.counterpart.cache.coded;

/** A callback that runs at the first of several calls. Belongs to one event loop. */
final class Once implements Runnable {
  private final Runnable body;
  private boolean hasRun;

  Once(Runnable body) {
    this.body = body;
  }

  @Override
  public void run() {
    if (!hasRun) {
      hasRun = true;
      body.run();
    }
  }
}
