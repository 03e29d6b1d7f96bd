package io.counterpart.engine.redis;

import io.counterpart.engine.StoreException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/** The failures of a server that may pass, and the wait for their end. */
final class Outage {
  private static final Logger logger = LoggerFactory.getLogger(Outage.class);
  private static final long FIRST_PAUSE_MILLIS = 20;
  private static final long LONGEST_PAUSE_MILLIS = 1000;

  /**
   * Answers of a server that did nothing and may do it later: it reads its files, a script runs, it
   * has no memory or disk left, it is a replica just now, its master or replicas are away.
   */
  private static final List<String> PASSING =
      List.of(
          "LOADING",
          "BUSY",
          "OOM",
          "MISCONF",
          "READONLY",
          "MASTERDOWN",
          "NOREPLICAS",
          "TRYAGAIN",
          "CLUSTERDOWN",
          "ERR max number of clients");

  private Outage() {}

  /** Whether the same call may succeed later. */
  static boolean isPassing(JedisException failure) {
    if (failure instanceof JedisConnectionException || isPoolExhausted(failure)) {
      return true;
    }
    String message = String.valueOf(failure.getMessage());
    return PASSING.stream().anyMatch(message::startsWith);
  }

  /** Whether a connection broke at once, as one does whose server was restarted. */
  static boolean isBroken(JedisException failure) {
    return failure instanceof JedisConnectionException
        && !has(failure, SocketTimeoutException.class);
  }

  private static boolean isPoolExhausted(JedisException failure) {
    return has(failure, NoSuchElementException.class);
  }

  private static boolean has(Throwable failure, Class<? extends Throwable> type) {
    return chain(failure).stream().anyMatch(type::isInstance);
  }

  /** A failure with its causes; the client suppresses why it cannot connect. */
  private static List<Throwable> chain(Throwable failure) {
    List<Throwable> chain = new ArrayList<>();
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      chain.add(cause);
      chain.addAll(List.of(cause.getSuppressed()));
    }
    return chain;
  }

  /** The failure of a call, with the server's own words. */
  static StoreException failed(String store, JedisException failure) {
    String words =
        chain(failure).stream()
            .map(cause -> String.valueOf(cause.getMessage()))
            .distinct()
            .collect(Collectors.joining(": "));
    return new StoreException(store + ": " + words, failure);
  }

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
        if (!isPassing(e) || leftMillis <= 0) {
          throw failed(store, e);
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
