package io.counterpart.cache.forward;

import java.util.concurrent.atomic.LongAdder;

/** Counters of a proxy's requests to owners, since its start. Thread-safe. */
public final class ForwardStatistics {
  private final LongAdder answered = new LongAdder();
  private final LongAdder unanswered = new LongAdder();
  private final LongAdder refused = new LongAdder();

  void countAnswered() {
    answered.increment();
  }

  void countUnanswered() {
    unanswered.increment();
  }

  void countRefused() {
    refused.increment();
  }

  /** Operations that an owner has answered. */
  public long answered() {
    return answered.sum();
  }

  /** Operations that were sent to an owner which was lost before it answered. */
  public long unanswered() {
    return unanswered.sum();
  }

  /** Operations that were not done, because no owner was known in time. */
  public long refused() {
    return refused.sum();
  }
}
