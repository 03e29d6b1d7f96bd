package io.counterpart.engine.redis;

import io.counterpart.engine.StoreException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.exceptions.JedisException;

/** The wait of a call for a server that is away. */
final class Patience {
  private static final Logger logger = LoggerFactory.getLogger(Patience.class);
  private static final long FIRST_PAUSE_MILLIS = 20;
  private static final long LONGEST_PAUSE_MILLIS = 1000;

  private Patience() {}

  /**
   * Repeats a call, with pauses that double up to a second, while it fails for a passing reason.
   *
   * @param store for messages
   * @param limitMillis from the first failure to the last attempt, which may take its time-out more
   * @throws StoreException with the last failure
   */
  static <T> T outlast(String store, long limitMillis, Supplier<T> call) {
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
        if (!RedisFailures.isPassing(e) || leftMillis <= 0) {
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

  private static void pause(String store, long millis, JedisException failure) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      StoreException interrupted = new StoreException(store + ": interrupted", failure);
      interrupted.addSuppressed(e);
      throw interrupted;
    }
  }
}
