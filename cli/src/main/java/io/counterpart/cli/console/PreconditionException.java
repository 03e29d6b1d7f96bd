package io.counterpart.cli.console;

/** Thrown when a command's requirement is missing; the message names it and the remedy. */
public final class PreconditionException extends RuntimeException {

  public PreconditionException(String message) {
    super(message);
  }
}
