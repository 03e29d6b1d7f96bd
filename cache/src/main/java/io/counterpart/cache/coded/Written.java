package io.counterpart.cache.coded;

/** The outcome of a write. */
public enum Written {
  /** Done, on as many servers as the code asks for, less those that are down. */
  DONE,
  /** A server has no memory: the object is as before, or gone. */
  NO_MEMORY,
  /** Too many servers are down: it may be done or not. */
  UNAVAILABLE
}
