package io.counterpart.cache.control;

import java.io.IOException;

/** Thrown when an operator ends a change of servers early. The message names the finished part. */
public final class ChangeCancelledException extends IOException {
  private static final long serialVersionUID = 1;

  /**
   * @param message which servers have changed, and which have not
   */
  public ChangeCancelledException(String message) {
    super(message);
  }
}
