package io.counterpart.memcached;

import java.nio.file.Path;

/** Thrown when a server does not start; the message holds its port and its output. */
public final class MemcachedStartException extends RuntimeException {

  private final int port;

  MemcachedStartException(int port, String cause, Path log) {
    super(
        "memcached on %s:%d did not start: %s (log: %s)"
            .formatted(MemcachedSpec.ADDRESS, port, cause, log));
    this.port = port;
  }

  /** The port that it was to listen on. */
  public int port() {
    return port;
  }
}
