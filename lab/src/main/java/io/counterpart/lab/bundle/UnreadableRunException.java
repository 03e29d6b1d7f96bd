package io.counterpart.lab.bundle;

import java.io.IOException;

/** A path holds no run that this version can read, or a damaged one; the message says which. */
public final class UnreadableRunException extends IOException {
  UnreadableRunException(String message) {
    super(message);
  }

  UnreadableRunException(String message, Throwable cause) {
    super(message, cause);
  }
}
