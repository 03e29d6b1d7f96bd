package io.counterpart.memcached;

import java.nio.file.Path;

/** Thrown when a server does not start; the message holds its port and its output. */
public final class MemcachedStartException extends RuntimeException {

  MemcachedStartException(int port, String cause, Path log) {
    super(
        "memcached on %s:%d did not start: %s (log: %s)"
            .formatted(MemcachedSpec.ADDRESS, port, cause, log));
  }
}
