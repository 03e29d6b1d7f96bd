package io.counterpart.cache.coded.flow;

import java.util.function.Consumer;

/**
 * Repeats a step as long as the step requests it. Steps that end at once take no stack, however
 * many there are. Belongs to one event loop.
 */
public final class Rounds {
  private final Consumer<Consumer<Boolean>> step;
  private boolean running;
  private boolean goesOn;

  /**
   * @param step gets a callback for its end, which takes whether another round follows; called
   *     once, later or at once
   */
  public Rounds(Consumer<Consumer<Boolean>> step) {
    this.step = step;
  }

  /** Runs the first round. */
  public void begin() {
    if (running) {
      goesOn = true; // the loop below, further up the stack, goes on
      return;
    }
    running = true;
    do {
      goesOn = false;
      step.accept(
          another -> {
            if (another) {
              begin();
            }
          });
    } while (goesOn);
    running = false;
  }
}
