package io.counterpart.memcached.tier;

import java.nio.file.Path;

/** The proxy did not come up; the message holds what it said. */
public final class TierStartException extends RuntimeException {

  TierStartException(String cause, Path log) {
    super("the proxy did not start: %s (log: %s)".formatted(cause, log));
  }
}
