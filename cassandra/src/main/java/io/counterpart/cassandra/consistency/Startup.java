package io.counterpart.cassandra.consistency;

import io.counterpart.cassandra.consistency.guard.Failures;
import io.counterpart.cassandra.consistency.policy.ConsistencySettings;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Starts the control of this node at the first request of a client, once. If that fails, requests
 * go on without it. Thread-safe.
 */
final class Startup {
  private final Supplier<NodeControl> start;
  private final Failures failures;
  private volatile boolean tried;
  private volatile Optional<NodeControl> control = Optional.empty();

  Startup(ConsistencySettings settings, Failures failures) {
    this(() -> NodeControl.start(settings, failures), failures);
  }

  Startup(Supplier<NodeControl> start, Failures failures) {
    this.start = start;
    this.failures = failures;
  }

  /** Empty if the start failed. Requests that come during the start wait for it. */
  Optional<NodeControl> control() {
    if (!tried) {
      tryOnce();
    }
    return control;
  }

  private synchronized void tryOnce() {
    if (!tried) {
      try {
        control = failures.guard(() -> Optional.of(start.get()), Optional.empty());
      } finally {
        // also after an error of the JVM, which goes on to the client: threads may run already
        tried = true;
      }
    }
  }
}
