package io.counterpart.lab.bundle;

import java.io.IOException;

/**
 * Thrown for a path without a run that this version can read, or with a damaged one; the message
 * says which.
 */
public final class UnreadableRunException extends IOException {
  UnreadableRunException(String message) {
    super(message);
  }

  UnreadableRunException(String message, Throwable cause) {
    super(message, cause);
  }
}
