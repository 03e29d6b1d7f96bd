package io.counterpart.memcached;

import java.nio.file.Path;

/** A server did not come up; the message holds its port and what it said. */
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
