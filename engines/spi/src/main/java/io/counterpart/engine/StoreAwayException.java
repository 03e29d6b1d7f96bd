package io.counterpart.engine;

/**
 * A store's server does not answer, or takes nothing now: it is away, restarts, or is out of memory
 * or disk. The same call may succeed later without anybody's doing. A write that failed so may have
 * happened, and may still happen: see {@link KvStore#settle}.
 */
public class StoreAwayException extends StoreException {
  public StoreAwayException(String message) {
    super(message);
  }

  public StoreAwayException(String message, Throwable cause) {
    super(message, cause);
  }
}
