package io.counterpart.cache.tier;

/** The outcome of an operation, without data. */
public enum Status {
  /** Done, with the redundancy that was promised. */
  DONE(""),
  /** ADD found an object, REPLACE, APPEND or PREPEND none. */
  NOT_STORED(""),
  /** The object has another version than the one given. */
  EXISTS(""),
  /** There is no such object. */
  NOT_FOUND(""),
  /** Arithmetic on what is no number. */
  NOT_A_NUMBER("cannot increment or decrement non-numeric value"),
  /** The value is, or would become, too large. */
  TOO_LARGE("object too large for cache"),
  /** Servers have no memory for it. As with memcached the object may be gone. */
  OUT_OF_MEMORY("out of memory storing object"),
  /** The answer to a read is larger than the memory that is left for it. */
  NO_ANSWER_MEMORY("out of memory writing get response"),
  /** Too many servers are down. Whether a write was done is not known. */
  UNAVAILABLE("too many servers are down"),
  /** The persistent store does not answer. Whether a write was done is not known. */
  STORE_UNAVAILABLE("the persistent store does not answer"),
  /** Too much waits for the persistent store already: nothing was done. */
  OVERLOADED("too much waits for the persistent store");

  private final String error;

  Status(String error) {
    this.error = error;
  }

  /** What clients are told of an error, each another text; empty if it is none. */
  public String error() {
    return error;
  }
}
