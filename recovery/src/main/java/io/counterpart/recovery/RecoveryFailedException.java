package io.counterpart.recovery;

/** Thrown when Cassandra gives up on a step; ranges restored before are remembered. */
public final class RecoveryFailedException extends RuntimeException {
  RecoveryFailedException(String message) {
    super(message);
  }
}
