package io.counterpart.core.eviction.simulator;

/** A cache in front of a database: what is missing is read there, and kept. Not thread-safe. */
interface SimulatedCache {
  /**
   * Asks for an object.
   *
   * @param object its number, 0 and above
   * @return whether the cache had it
   */
  boolean request(int object);
}
