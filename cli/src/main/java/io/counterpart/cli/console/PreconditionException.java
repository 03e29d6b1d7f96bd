package io.counterpart.cli.console;

/** Something that the command needs is not there; the message says what and how to get it. */
public final class PreconditionException extends RuntimeException {

  public PreconditionException(String message) {
    super(message);
  }
}
