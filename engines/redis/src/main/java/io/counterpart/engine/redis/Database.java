package io.counterpart.engine.redis;

import io.counterpart.engine.ReaderPermits;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.DefaultRedisCredentials;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisException;

/** Connections to one database of a server, made when needed. Thread-safe. */
final class Database implements AutoCloseable {
  private final ConnectionPool pool;
  private final ReaderGate gate;
  private final ReaderPermits readers;

  /**
   * @param gate the server's
   * @param readers the server's
   */
  Database(RedisOptions options, int number, ReaderGate gate, ReaderPermits readers) {
    this.gate = gate;
    this.readers = readers;
    DefaultJedisClientConfig.Builder client =
        DefaultJedisClientConfig.builder()
            .resp2()
            .timeoutMillis(options.timeoutMillis())
            .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
            .clientName("counterpart")
            .database(number);
    if (options.password() != null || options.passwordFile() != null) {
      client.credentialsProvider(() -> new DefaultRedisCredentials(null, options.secret()));
    }
    ConnectionPoolConfig config = new ConnectionPoolConfig();
    config.setMaxTotal(options.connections());
    config.setMaxIdle(options.connections());
    config.setMaxWait(Duration.ofMillis(options.timeoutMillis()));
    config.setJmxEnabled(false);
    // no thread of its own: a broken connection shows when it is used
    config.setTimeBetweenEvictionRuns(Duration.ofMillis(-1));
    config.setTestWhileIdle(false);
    this.pool =
        new ConnectionPool(new HostAndPort(options.host(), options.port()), client.build(), config);
  }

  /** Calls for a reader, one of a bounded number, as {@link #ask}. */
  <T extends @Nullable Object> T read(Function<Connection, T> call) {
    // the gate comes second: whom it lets through to try must not be refused
    return readers.reading(() -> ask(call));
  }

  /** Calls, and fails at once while the server is known not to answer. */
  <T extends @Nullable Object> T ask(Function<Connection, T> call) {
    gate.enter();
    return call(call);
  }

  private <T extends @Nullable Object> T once(Function<Connection, T> call) {
    try (Connection connection = pool.getResource()) {
      return call.apply(connection);
    }
  }

  /**
   * Calls, and once more if the connection was broken, as all are after the server's restart.
   *
   * @throws JedisException if that fails
   */
  <T extends @Nullable Object> T call(Function<Connection, T> call) {
    try {
      T answer = repeated(call);
      gate.open();
      return answer;
    } catch (JedisException e) {
      if (RedisFailures.isSlow(e)) {
        gate.shut(String.valueOf(e.getMessage()));
      } else {
        gate.fail();
      }
      throw e;
    }
  }

  private <T extends @Nullable Object> T repeated(Function<Connection, T> call) {
    try {
      return once(call);
    } catch (JedisException e) {
      if (!RedisFailures.isBroken(e)) {
        throw e;
      }
      pool.clear();
      return once(call);
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}
