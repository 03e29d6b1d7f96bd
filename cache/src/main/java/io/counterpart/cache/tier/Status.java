package io.counterpart.cache.tier;

/** The outcome of an operation, without data. */
public enum Status {
  /** Done, with the redundancy that the scheme promises. */
  DONE(""),
  /** ADD found an object; REPLACE, APPEND or PREPEND found none. */
  NOT_STORED(""),
  /** The object has another version than the one given. */
  EXISTS(""),
  /** There is no such object. */
  NOT_FOUND(""),
  /** The object of arithmetic is not a number. */
  NOT_A_NUMBER("cannot increment or decrement non-numeric value"),
  /** The value is, or would become, too large. */
  TOO_LARGE("object too large for cache"),
  /** Servers have no memory for it. As with memcached, the object may be gone. */
  OUT_OF_MEMORY("out of memory storing object"),
  /** The answer to a read is larger than the free memory. */
  NO_ANSWER_MEMORY("out of memory writing get response"),
  /** Too many servers are down. A write may be done or not. */
  UNAVAILABLE("too many servers are down"),
  /** The persistent store does not answer. A write may be done or not. */
  STORE_UNAVAILABLE("the persistent store does not answer"),
  /** Too many requests wait for the persistent store: nothing was done. */
  OVERLOADED("too much waits for the persistent store");

  private final String error;

  Status(String error) {
    this.error = error;
  }

  /** The error text for clients, different for each error; empty for other outcomes. */
  public String error() {
    return error;
  }
}
