package io.counterpart.engine.redis;

import io.counterpart.engine.StoreException;
import io.counterpart.engine.server.WriterWait;
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
   * @param mayWait asked after a second: at false there is no further attempt
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
    WriterWait wait = null;
    while (true) {
      try {
        T answer = call.get();
        if (wait != null) {
          logger.info("{} answers again after {} ms", store, wait.elapsedMillis());
        }
        return answer;
      } catch (JedisException e) {
        boolean isFirst = wait == null;
        if (wait == null) {
          wait = new WriterWait(limitMillis, FIRST_PAUSE_MILLIS, LONGEST_PAUSE_MILLIS, mayWait);
        }
        if (!RedisFailures.isPassing(e) || wait.isOver()) {
          throw RedisFailures.failed(store, e);
        }
        if (isFirst) {
          logger.warn("{}: waiting up to {} ms, since: {}", store, limitMillis, e.getMessage());
        }
        pause(wait, store, e);
      }
    }
  }

  private static void pause(WriterWait wait, String store, JedisException failure) {
    try {
      wait.pause();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      StoreException interrupted = new StoreException(store + ": interrupted", failure);
      interrupted.addSuppressed(e);
      throw interrupted;
    }
  }
}
