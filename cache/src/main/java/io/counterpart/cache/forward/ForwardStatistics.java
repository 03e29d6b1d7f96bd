package io.counterpart.cache.forward;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counters of a proxy's requests to owners, since its start. Thread-safe.
 *
 * @param answered operations that an owner has answered
 * @param unanswered operations that were sent to an owner which was lost before it answered
 * @param refused operations that were not done, because no owner was known in time
 */
public record ForwardStatistics(LongAdder answered, LongAdder unanswered, LongAdder refused) {

  /** With counters at 0. */
  public ForwardStatistics() {
    this(new LongAdder(), new LongAdder(), new LongAdder());
  }
}
