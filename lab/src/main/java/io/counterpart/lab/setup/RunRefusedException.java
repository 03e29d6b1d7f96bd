package io.counterpart.lab.setup;

/**
 * Thrown when a run's requirement is missing; the message names it and the remedy. Nothing was
 * started or touched.
 */
public final class RunRefusedException extends RuntimeException {

  public RunRefusedException(String message) {
    super(message);
  }
}
