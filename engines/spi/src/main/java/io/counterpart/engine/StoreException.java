package io.counterpart.engine;

/** A store failed: its disk, its files or its server. The message names the store. */
public class StoreException extends RuntimeException {
  public StoreException(String message) {
    super(message);
  }

  public StoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
