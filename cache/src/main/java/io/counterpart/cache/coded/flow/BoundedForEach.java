package io.counterpart.cache.coded.flow;

import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Applies a step to each of a list of stripes, a bounded number at once. Belongs to one event loop.
 */
public final class BoundedForEach {
  private final Iterator<Integer> left;
  private final int atOnce;
  private final BiConsumer<Integer, Runnable> step;
  private final Runnable done;
  private int underWay;
  private boolean proceeding;

  private BoundedForEach(
      Iterator<Integer> left, int atOnce, BiConsumer<Integer, Runnable> step, Runnable done) {
    this.left = left;
    this.atOnce = atOnce;
    this.step = step;
    this.done = done;
  }

  /**
   * Starts.
   *
   * @param step gets a stripe and a callback, which it runs once at its end, later or at once
   * @param done runs after the last step
   */
  public static void run(
      Collection<Integer> stripes, int atOnce, BiConsumer<Integer, Runnable> step, Runnable done) {
    new BoundedForEach(List.copyOf(stripes).iterator(), atOnce, step, done).proceed();
  }

  private void proceed() {
    if (proceeding) {
      return; // the loop below, further up the stack, goes on
    }
    proceeding = true;
    while (underWay < atOnce && left.hasNext()) {
      underWay++;
      step.accept(
          left.next(),
          () -> {
            underWay--;
            proceed();
          });
    }
    proceeding = false;
    if (underWay == 0) {
      done.run();
    }
  }
}
