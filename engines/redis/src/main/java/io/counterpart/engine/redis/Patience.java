package io.counterpart.engine.redis;

import io.counterpart.engine.StoreException;
import io.counterpart.engine.server.Pauses;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.exceptions.JedisException;

/** The wait of a call for a server that is away. */
final class Patience {
  private static final Logger logger = LoggerFactory.getLogger(Patience.class);
  private static final long FIRST_PAUSE_MILLIS = 20;
  private static final long LONGEST_PAUSE_MILLIS = 1000;

  private final long limitMillis;
  private final BooleanSupplier mayWait;

  /**
   * @param limitMillis from the first failure to the last attempt, which may take its time-out more
   * @param mayWait asked before and during each pause: at false there is no further attempt
   */
  Patience(long limitMillis, BooleanSupplier mayWait) {
    this.limitMillis = limitMillis;
    this.mayWait = mayWait;
  }

  /**
   * Repeats a call, with pauses that double up to a second, while it fails for a passing reason.
   *
   * @param store for messages
   * @throws StoreException with the last failure
   */
  <T extends @Nullable Object> T outlast(String store, Supplier<T> call) {
    long begin = System.nanoTime();
    long pauseMillis = FIRST_PAUSE_MILLIS;
    boolean isWaiting = false;
    while (true) {
      try {
        T answer = call.get();
        if (isWaiting) {
          logger.info("{} answers again after {} ms", store, sinceMillis(begin));
        }
        return answer;
      } catch (JedisException e) {
        long leftMillis = limitMillis - sinceMillis(begin);
        if (!RedisFailures.isPassing(e) || leftMillis <= 0 || !mayWait.getAsBoolean()) {
          throw RedisFailures.failed(store, e);
        }
        if (!isWaiting) {
          isWaiting = true;
          logger.warn("{}: waiting up to {} ms, since: {}", store, limitMillis, e.getMessage());
        }
        pause(store, Math.min(pauseMillis, leftMillis), e);
        pauseMillis = Math.min(LONGEST_PAUSE_MILLIS, 2 * pauseMillis);
      }
    }
  }

  private static long sinceMillis(long begin) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
  }

  /** Ends early where nobody may wait any more; the next attempt is the last one then. */
  private void pause(String store, long millis, JedisException failure) {
    try {
      Pauses.rest(millis, mayWait);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      StoreException interrupted = new StoreException(store + ": interrupted", failure);
      interrupted.addSuppressed(e);
      throw interrupted;
    }
  }
}
