package io.counterpart.cache.coded.write;

/** The outcome of a write. */
public enum Written {
  /** Done, on as many servers as the code asks for, less those that are down. */
  DONE,
  /** A server has no memory: the object is as before, or deleted. */
  NO_MEMORY,
  /** Too many servers are down: the write may be done or not. */
  UNAVAILABLE
}
