package io.counterpart.engine;

/**
 * A server has as many readers as may wait for it, so this one did not ask: other tables need the
 * threads. It says nothing of the server but that it does not keep up, or hangs: whether it is away
 * shows elsewhere.
 */
public final class StoreBusyException extends StoreAwayException {
  public StoreBusyException(String message) {
    super(message);
  }
}
