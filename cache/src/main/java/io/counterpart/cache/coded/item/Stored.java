package io.counterpart.cache.coded.item;

/** The outcome of an item's write to a server. */
public enum Stored {
  /** The server has it. */
  DONE,
  /** The server has no memory for it, and has dropped the previous item of the key. */
  NO_MEMORY,
  /** The server has no memory for it, but has the previous item of the key again. */
  PUT_BACK,
  /** The server is down, or was lost before it answered. */
  LOST
}
