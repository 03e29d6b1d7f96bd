package io.counterpart.cache.coded.write;

/** Takes the outcome of a change. */
@FunctionalInterface
public interface Changed {
  /**
   * Called once.
   *
   * @param written the outcome; a change that keeps the object counts as done
   * @param cas token of the written object; 0 if none was written
   */
  void accept(Written written, long cas);
}
