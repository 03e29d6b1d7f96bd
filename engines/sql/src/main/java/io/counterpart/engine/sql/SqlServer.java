package io.counterpart.engine.sql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.counterpart.engine.ReaderPermits;
import io.counterpart.engine.StoreAwayException;
import io.counterpart.engine.StoreException;
import io.counterpart.engine.server.WriterWait;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.mariadb.jdbc.MariaDbDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections to one server, and what happens when a call fails.
 *
 * <p>A client's read is tried a second time at most, where its connection turned out to be broken:
 * a server that was restarted leaves such connections in the pool. A write, and a read that a
 * writer needs, is tried again until the configured time is over, with pauses that grow to two
 * seconds: the writer waits, which is the back-pressure, as long as it may. Every failure ends as a
 * {@link StoreException} that names the server and says why.
 *
 * <p>Thread-safe.
 */
final class SqlServer implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(SqlServer.class);
  private static final long FIRST_PAUSE_MILLIS = 50;
  private static final long LONGEST_PAUSE_MILLIS = 2_000;

  /**
   * What all need: no silent truncation, no other engine in place of InnoDB, and a server that soon
   * takes back the locks of a client that has vanished.
   */
  private static final String SESSION =
      "sessionVariables=sql_mode='STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION',wait_timeout=60";

  /** Below that: idle connections stay. */
  private static final long KEEP_ALIVE_MILLIS = 30_000;

  /** Work on a connection, which may be repeated as a whole. */
  interface Call<T extends @Nullable Object> {
    T on(Connection connection) throws SQLException;
  }

  private final SqlOptions options;
  private final BooleanSupplier mayWait;
  private final MariaDbDataSource direct;
  private final HikariDataSource pool;
  private final Outage outage;
  private final ReaderPermits readers;

  /**
   * @param mayWait asked after a second of a writer's wait: at false there is no further attempt
   * @param readers the server's
   */
  SqlServer(SqlOptions options, BooleanSupplier mayWait, ReaderPermits readers) {
    this.options = options;
    this.mayWait = mayWait;
    this.readers = readers;
    direct = source(options);
    pool = new HikariDataSource(pooled(options));
    outage =
        new Outage(
            options.server(),
            2 * Duration.ofMillis(options.timeoutMillis()).toNanos(),
            System::nanoTime);
  }

  private static MariaDbDataSource source(SqlOptions options) {
    try {
      MariaDbDataSource source = new MariaDbDataSource(url(options));
      source.setUser(options.user());
      source.setPassword(options.currentPassword());
      return source;
    } catch (SQLException e) {
      throw failure(options, "has an illegal URL", e);
    }
  }

  private HikariConfig pooled(SqlOptions options) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(direct);
    config.setPoolName("counterpart-sql");
    config.setMaximumPoolSize(options.connections());
    config.setMinimumIdle(1);
    config.setConnectionTimeout(options.timeoutMillis());
    config.setValidationTimeout(Math.min(options.timeoutMillis(), 5_000));
    // the first call fails in its own words, not the pool's constructor
    config.setInitializationFailTimeout(-1);
    config.setKeepaliveTime(KEEP_ALIVE_MILLIS);
    return config;
  }

  /** The binary protocol sends values as they are; the rest may be overridden by the URL. */
  private static String url(SqlOptions options) {
    StringBuilder url = new StringBuilder(options.url());
    String known = options.url().toLowerCase(Locale.ROOT);
    for (String parameter :
        new String[] {
          "useServerPrepStmts=true",
          "connectTimeout=" + options.timeoutMillis(),
          "socketTimeout=" + options.timeoutMillis(),
          "allowLocalInfile=false",
          SESSION
        }) {
      String name = parameter.substring(0, parameter.indexOf('=') + 1).toLowerCase(Locale.ROOT);
      if (!known.contains(name)) {
        url.append(url.indexOf("?") < 0 ? '?' : '&').append(parameter);
      }
    }
    return url.toString();
  }

  /** Asks a server on a connection of its own; not tried again. */
  static void ask(SqlOptions options, Call<?> call) {
    try (Connection connection = source(options).getConnection()) {
      call.on(connection);
    } catch (SQLException e) {
      throw failure(options, "cannot be used", e);
    }
  }

  /** Prepares the server for a store; not tried again. */
  void prepare(Call<?> call) {
    try (Connection connection = direct.getConnection()) {
      call.on(connection);
      outage.end();
    } catch (SQLException e) {
      throw failed("cannot be used", e);
    }
  }

  /** A client's read, one of a bounded number. */
  <T extends @Nullable Object> T read(String what, Call<T> call) {
    // whether the server is away comes second: who is let through to try must not be refused
    return readers.reading(() -> ask(what, call));
  }

  /** A question that is no read of a client, and does not wait for the server either. */
  <T extends @Nullable Object> T ask(String what, Call<T> call) {
    outage.enter();
    try {
      return once(call);
    } catch (SQLException first) {
      if (!SqlFailures.isOutage(first) || SqlFailures.isTimeout(first)) {
        throw failed("cannot " + what, first);
      }
      evictIdle();
    }
    try {
      return once(call);
    } catch (SQLException e) {
      throw failed("cannot " + what, e);
    }
  }

  /**
   * Work of a writer.
   *
   * @param what a verb and its object, for messages
   * @param call an attempt that failed may have happened nevertheless, so a second one must do no
   *     harm
   */
  <T extends @Nullable Object> T write(String what, Call<T> call) {
    WriterWait wait = null;
    for (int attempt = 1; ; attempt++) {
      try {
        T result = once(call);
        if (wait != null) {
          logger.info("{} is back after {} ms", options, wait.elapsedMillis());
        }
        return result;
      } catch (SQLException e) {
        if (SqlFailures.isOutage(e)) {
          evictIdle();
          outage.begin(SqlFailures.reason(e));
        }
        if (wait == null) {
          wait =
              new WriterWait(
                  options.retryMillis(), FIRST_PAUSE_MILLIS, LONGEST_PAUSE_MILLIS, mayWait);
        }
        if (!SqlFailures.mayPass(e) || wait.isOver()) {
          throw failed("cannot " + what + " after " + attempt + " attempts", e);
        }
        if (attempt == 1) {
          logger.warn(
              "{} cannot {} now, trying for {} ms: {}",
              options,
              what,
              options.retryMillis(),
              SqlFailures.reason(e));
        }
      }
      rest(wait, what);
    }
  }

  private void rest(WriterWait wait, String what) {
    try {
      wait.pause();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException(options + ": interrupted before it could " + what, e);
    }
  }

  private <T extends @Nullable Object> T once(Call<T> call) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      T result = call.on(connection);
      outage.end();
      return result;
    }
  }

  /** Where one connection is broken the others are, too. */
  private void evictIdle() {
    var control = pool.getHikariPoolMXBean();
    if (control != null) {
      control.softEvictConnections();
    }
  }

  private StoreException failed(String what, SQLException cause) {
    if (SqlFailures.isOutage(cause)) {
      outage.begin(SqlFailures.reason(cause));
    } else if (!SqlFailures.isTimeout(cause)) {
      // the server answers, if not as was hoped: others need not wait for the next try
      outage.end();
    }
    return failure(options, what, cause);
  }

  private static StoreException failure(SqlOptions options, String what, SQLException cause) {
    String message = options + " " + what + ": " + SqlFailures.reason(cause);
    return SqlFailures.mayPass(cause)
        ? new StoreAwayException(message, cause)
        : new StoreException(message, cause);
  }

  @Override
  public void close() {
    pool.close();
  }

  @Override
  public String toString() {
    return options.server();
  }
}
