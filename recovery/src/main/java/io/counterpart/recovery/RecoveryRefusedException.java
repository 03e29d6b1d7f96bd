package io.counterpart.recovery;

/** Thrown when the state of the node or its ring forbids a recovery; nothing was touched. */
public final class RecoveryRefusedException extends RuntimeException {
  RecoveryRefusedException(String message) {
    super(message);
  }
}
