package io.counterpart.recovery;

/** Cassandra gave up on a step; what was restored before is remembered. */
public final class RecoveryFailedException extends RuntimeException {
  RecoveryFailedException(String message) {
    super(message);
  }
}
