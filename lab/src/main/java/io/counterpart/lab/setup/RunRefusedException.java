package io.counterpart.lab.setup;

/**
 * Something that a run needs is not there; the message says what, and what to do about it. Nothing
 * was started or touched.
 */
public final class RunRefusedException extends RuntimeException {

  public RunRefusedException(String message) {
    super(message);
  }
}
