package io.counterpart.engine.redis;

import io.counterpart.engine.StoreAwayException;
import io.counterpart.engine.StoreException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.Collectors;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/** The failures of calls: whether they may pass, and how they are told. */
final class RedisFailures {
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

  private static final String ARGUMENTS = ", with args beginning with";

  private RedisFailures() {}

  /** Whether the same call may succeed later. */
  static boolean isPassing(JedisException failure) {
    if (failure instanceof JedisConnectionException || isPoolExhausted(failure)) {
      return true;
    }
    String message = String.valueOf(failure.getMessage());
    // before 7.0 a server wraps what a command of a script has met
    boolean isWrapped = message.startsWith("ERR Error running script");
    return PASSING.stream()
        .anyMatch(each -> message.startsWith(each) || isWrapped && message.contains(": -" + each));
  }

  /** Whether a connection broke at once, as one does whose server was restarted. */
  static boolean isBroken(JedisException failure) {
    return failure instanceof JedisConnectionException && !isSlow(failure);
  }

  /** Whether the caller has waited in vain, for an answer or for a connection. */
  static boolean isSlow(JedisException failure) {
    return has(failure, SocketTimeoutException.class) || isPoolExhausted(failure);
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

  /** A server that does not know a command repeats its arguments: a password, or values. */
  private static String withoutArguments(String message) {
    int arguments = message.indexOf(ARGUMENTS);
    return arguments < 0 ? message : message.substring(0, arguments);
  }

  /** The failure of a call, with the server's own words. */
  static StoreException failed(String store, JedisException failure) {
    String words =
        chain(failure).stream()
            .map(cause -> withoutArguments(String.valueOf(cause.getMessage())))
            .distinct()
            .collect(Collectors.joining(": "));
    String message = store + ": " + words;
    return isPassing(failure)
        ? new StoreAwayException(message, failure)
        : new StoreException(message, failure);
  }
}
