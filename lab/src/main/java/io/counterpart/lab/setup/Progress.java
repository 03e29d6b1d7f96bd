package io.counterpart.lab.setup;

import java.util.function.LongConsumer;

/** Progress reports of an experiment to people. Called on one thread. */
public interface Progress {
  /** One line of news. */
  void say(String line);

  /**
   * A step of known length begins; it ends when the next step or line begins.
   *
   * @param total number of units
   * @return to be told the units done so far
   */
  LongConsumer step(String label, long total);

  /** Tells nobody. */
  static Progress silent() {
    return new Progress() {
      @Override
      public void say(String line) {}

      @Override
      public LongConsumer step(String label, long total) {
        return done -> {};
      }
    };
  }
}
