package io.counterpart.cassandra.consistency.guard;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.apache.cassandra.exceptions.RequestValidationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where this feature's own failures end: counted, and the first one logged. A request must not
 * fail, and a message must not be lost, because of it. Thread-safe.
 */
public final class Failures {
  private static final Logger logger = LoggerFactory.getLogger(Failures.class);

  private final LongAdder count = new LongAdder();
  private final AtomicBoolean logged = new AtomicBoolean();

  /** The supplier's value, or the other one if it fails. */
  public <T> T guard(Supplier<T> ours, T otherwise) {
    try {
      return ours.get();
    } catch (RequestValidationException e) {
      // the request is bad, which Cassandra will say
      return otherwise;
    } catch (RuntimeException | LinkageError | AssertionError e) {
      failed(e);
      return otherwise;
    }
  }

  /** Runs it, and goes on if it fails. */
  public void guard(Runnable ours) {
    guard(
        () -> {
          ours.run();
          return Boolean.TRUE;
        },
        Boolean.FALSE);
  }

  private void failed(Throwable e) {
    count.increment();
    if (logged.compareAndSet(false, true)) {
      logger.error(
          "Adjusting consistency levels failed: this request has its client's level. Further"
              + " failures are only counted, in counterpart.consistency",
          e);
    }
  }

  /** Failures since the start. */
  public long count() {
    return count.sum();
  }
}
