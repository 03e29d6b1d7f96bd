package io.counterpart.cassandra.faults;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.net.IVerbHandler;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.schema.SchemaConstants;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies writes of users that come from other nodes after a random delay, each with its own:
 * exponential, so that a few are very late, as on a busy disk. Reads are not delayed, so this is
 * the delay W of the WARS model alone. A node's own writes have no message and are never late.
 *
 * <p>Worked, mean 200 ms: e^−1 = 36.8 % of writes are later than 200 ms, 0.67 % later than 1 s.
 *
 * <p>Thread-safe.
 */
final class LateWrites {
  /** Beyond it writes would time out. */
  static final double MOST_MILLIS = 10_000;

  private static final Logger logger = LoggerFactory.getLogger(LateWrites.class);
  private static final double NANOS_PER_MILLI = 1e6;

  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "CounterpartLateWrites");
            thread.setDaemon(true);
            return thread;
          });
  private volatile double meanMillis;
  private boolean listening;

  double meanMillis() {
    return meanMillis;
  }

  /**
   * @throws IllegalArgumentException unless it is 0 to {@link #MOST_MILLIS}
   */
  synchronized void delayBy(double mean) {
    if (!(mean >= 0 && mean <= MOST_MILLIS)) {
      throw new IllegalArgumentException(
          "mean delay is %s ms, legal: 0 to %.0f".formatted(mean, MOST_MILLIS));
    }
    meanMillis = mean;
    // not before: when handlers are made there is no messaging yet
    if (mean > 0 && !listening) {
      listening = true;
      MessagingService.instance().inboundSink.add(this::accepts);
    }
  }

  /** For the inbound sink: false for a message that will be handled later. */
  private boolean accepts(Message<?> message) {
    double mean = meanMillis;
    if (mean == 0 || message.verb() != Verb.MUTATION_REQ || !isUsers(message)) {
      return true;
    }
    long nanos = delayNanos(mean, ThreadLocalRandom.current().nextDouble());
    timer.schedule(
        () -> message.verb().stage.execute(() -> apply(message)), nanos, TimeUnit.NANOSECONDS);
    return false;
  }

  private static boolean isUsers(Message<?> message) {
    return message.payload instanceof Mutation mutation
        && !SchemaConstants.isSystemKeyspace(mutation.getKeyspaceName());
  }

  /**
   * An exponential delay.
   *
   * @param uniform 0 to 1, below 1
   */
  static long delayNanos(double meanMillis, double uniform) {
    return (long) (-Math.log1p(-uniform) * meanMillis * NANOS_PER_MILLI);
  }

  @SuppressWarnings("unchecked")
  private static <T> void apply(Message<T> message) {
    try {
      ((IVerbHandler<T>) message.verb().handler()).doVerb(message);
    } catch (Exception e) {
      // the coordinator misses an answer, as it does where a replica fails
      logger.warn("a delayed write from {} failed", message.from(), e);
    }
  }
}
