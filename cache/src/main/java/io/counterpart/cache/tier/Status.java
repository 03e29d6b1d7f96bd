package io.counterpart.cache.tier;

/** How an operation ended. */
public enum Status {
  /** Done, with the redundancy that was promised. */
  DONE,
  /** ADD found an object, REPLACE, APPEND or PREPEND none. */
  NOT_STORED,
  /** The object has another version than the one given. */
  EXISTS,
  /** There is no such object. */
  NOT_FOUND,
  /** Arithmetic on what is no number. */
  NOT_A_NUMBER,
  /** The value is, or would become, too large. */
  TOO_LARGE,
  /** Servers have no memory for it. As with memcached the object may be gone. */
  OUT_OF_MEMORY,
  /** Too many servers are down. Whether a write was done is not known. */
  UNAVAILABLE,
  /** The persistent store does not answer. Whether a write was done is not known. */
  STORE_UNAVAILABLE,
  /** Too much waits for the persistent store already: nothing was done. */
  OVERLOADED
}
