package io.counterpart.cache.client;

/** The outcome of a write that the tier was able to carry out. */
public enum Outcome {
  /** Done, with the redundancy that the scheme promises. */
  DONE,
  /** Adding found a value; replacing, appending and prepending found none. */
  NOT_STORED,
  /** The value has another version than the one given. */
  OTHER_VERSION,
  /** There is no such value. */
  NOT_FOUND
}
