package io.counterpart.engine;

/** A store was asked after it had been closed. */
public final class StoreClosedException extends StoreException {
  public StoreClosedException(String store) {
    super(store + " is closed");
  }
}
