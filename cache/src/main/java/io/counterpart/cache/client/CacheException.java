package io.counterpart.cache.client;

import io.counterpart.cache.tier.Status;

/** Signals that the tier could not carry out an operation. */
public final class CacheException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Status status;

  CacheException(String what, Status status) {
    super(what + ": " + describe(status));
    this.status = status;
  }

  private static String describe(Status status) {
    return switch (status) {
      case UNAVAILABLE -> "too many servers are down; whether a write was done is not known";
      case STORE_UNAVAILABLE ->
          "the persistent store does not answer; whether a write was done is not known";
      case NO_ANSWER_MEMORY -> "the proxy has no memory for the answer";
      case OVERLOADED -> "too much waits for the persistent store; nothing was done";
      case OUT_OF_MEMORY -> "servers have no memory for it; the value may be gone";
      case TOO_LARGE -> "the value is above 1 MiB";
      case NOT_A_NUMBER -> "the value is not a decimal number of 64 bits";
      default -> status.name();
    };
  }

  /** The reason. */
  public Status status() {
    return status;
  }
}
