package io.counterpart.cache.control;

import java.io.IOException;

/** A change of servers has ended early, as an operator wanted. The message tells what was done. */
public final class ChangeCancelledException extends IOException {
  private static final long serialVersionUID = 1;

  /**
   * @param message which servers have changed, and which have not
   */
  public ChangeCancelledException(String message) {
    super(message);
  }
}
