package io.counterpart.recovery;

/** The node or its ring is not in a state to be recovered; nothing was touched. */
public final class RecoveryRefusedException extends RuntimeException {
  RecoveryRefusedException(String message) {
    super(message);
  }
}
