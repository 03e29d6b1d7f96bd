package io.counterpart.cache.coded;

import java.util.function.Consumer;

/**
 * Repeats a step for as long as it asks for it. Steps that end at once take no stack, however many
 * they are. Belongs to one event loop.
 */
final class Rounds {
  private final Consumer<Consumer<Boolean>> step;
  private boolean running;
  private boolean goesOn;

  /**
   * @param step gets what it tells its end: whether there is to be another round; once, later or at
   *     once
   */
  Rounds(Consumer<Consumer<Boolean>> step) {
    this.step = step;
  }

  /** Runs the first one. */
  void begin() {
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
