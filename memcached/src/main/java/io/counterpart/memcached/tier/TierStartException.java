package io.counterpart.memcached.tier;

import java.nio.file.Path;

/** Thrown when the proxy does not start; the message holds its output. */
public final class TierStartException extends RuntimeException {

  TierStartException(String cause, Path log) {
    super("the proxy did not start: %s (log: %s)".formatted(cause, log));
  }
}
