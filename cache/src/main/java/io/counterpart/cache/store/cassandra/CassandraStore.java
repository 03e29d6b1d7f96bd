package io.counterpart.cache.store.cassandra;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.store.PersistentRecord;
import io.counterpart.cache.store.PersistentStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/**
 * Objects as rows of a Cassandra table, with the tier's own timestamps, so that a late write loses
 * to one with a higher timestamp. An object's record has its expiry; Cassandra drops the row some
 * time after that. Thread-safe.
 */
public final class CassandraStore implements PersistentStore {
  /** Time by which rows outlive their objects, because clocks differ. */
  private static final long SLACK_SECONDS = 60;

  /** Cassandra's longest TTL: 20 years. */
  private static final long MAX_TTL_SECONDS = 20L * 365 * 24 * 60 * 60;

  /** Latest expiry that Cassandra 5.0 accepts with its default settings. */
  private static final long LAST_EXPIRY_SECONDS = Integer.MAX_VALUE - 2;

  private static final int NEVER = 0;

  private final CqlSession session;
  private final LongSupplier clockSeconds;
  private final Duration timeout;
  private final PreparedStatement read;
  private final PreparedStatement write;
  private final PreparedStatement delete;

  private CassandraStore(CqlSession session, CassandraOptions options, LongSupplier clockSeconds) {
    this.session = session;
    this.clockSeconds = clockSeconds;
    this.timeout = options.timeout();
    String table = CassandraTable.qualified(options);
    read =
        prepare(
            "SELECT value, flags, expiry, stale, writetime(value) AS written FROM %s WHERE key = ?"
                .formatted(table),
            options.readLevel());
    write =
        prepare(
            "INSERT INTO %s (key, value, flags, expiry, stale) VALUES (?, ?, ?, ?, ?) USING TIMESTAMP ? AND TTL ?"
                .formatted(table),
            options.writeLevel());
    delete =
        prepare(
            "DELETE FROM %s USING TIMESTAMP ? WHERE key = ?".formatted(table),
            options.writeLevel());
  }

  private PreparedStatement prepare(String cql, ConsistencyLevel level) {
    // timestamps make all of them idempotent
    return session.prepare(
        SimpleStatement.newInstance(cql)
            .setConsistencyLevel(level)
            .setIdempotent(true)
            .setTimeout(CassandraSession.SLOW));
  }

  /** Where another shard makes the table now, a node's schema tells of it before it can be used. */
  private static CassandraStore awaitTable(
      CqlSession session, CassandraOptions options, LongSupplier clockSeconds) throws IOException {
    long end = System.nanoTime() + CassandraTable.SCHEMA_LIMIT.toNanos();
    while (true) {
      try {
        return new CassandraStore(session, options, clockSeconds);
      } catch (DriverException e) {
        if (!CassandraTable.mayAppear(e) || System.nanoTime() - end > 0) {
          throw e;
        }
        CassandraTable.pause();
      }
    }
  }

  /**
   * Connects, and creates keyspace and table if they are missing. Blocks.
   *
   * @param shard number of the shard before it: if the table is missing, those with lower numbers
   *     make it first
   * @param clockSeconds seconds since 1970
   * @throws IOException if no node can be used, the table has other columns, or the local
   *     datacenter is unknown
   */
  public static CassandraStore open(CassandraOptions options, int shard, LongSupplier clockSeconds)
      throws IOException {
    CqlSession session = connect(options);
    try {
      CassandraTable.prepare(session, options, shard);
      return awaitTable(session, options, clockSeconds);
    } catch (DriverException e) {
      session.close();
      throw new IOException(
          "cannot prepare table %s.%s: %s".formatted(options.keyspace(), options.table(), cause(e)),
          e);
    } catch (IOException | RuntimeException e) {
      session.close();
      throw e;
    }
  }

  private static CqlSession connect(CassandraOptions options) throws IOException {
    try {
      return CassandraSession.open(options);
    } catch (DriverException | IllegalStateException e) {
      throw new IOException(
          "the persistent store is not reached at %s: %s"
              .formatted(options.contactPoints(), cause(e)),
          e);
    }
  }

  /** The error of the first node. */
  private static String cause(RuntimeException failure) {
    if (failure instanceof AllNodesFailedException all) {
      return all.getAllErrors().values().stream()
          .flatMap(List::stream)
          .findFirst()
          .map(Throwable::toString)
          .orElseGet(failure::toString);
    }
    return failure.toString();
  }

  @Override
  public CompletionStage<Optional<PersistentRecord>> read(Key key) {
    return session
        .executeAsync(read.bind(ByteBuffer.wrap(key.bytes())).setTimeout(timeout))
        .thenApply(CassandraStore::record);
  }

  private static Optional<PersistentRecord> record(AsyncResultSet rows) {
    Row row = rows.one();
    ByteBuffer value = row == null ? null : row.getByteBuffer("value");
    return row == null || value == null ? Optional.empty() : Optional.of(record(row, value));
  }

  private static PersistentRecord record(Row row, ByteBuffer value) {
    byte[] bytes = new byte[value.remaining()];
    value.duplicate().get(bytes);
    return new PersistentRecord(
        bytes,
        row.getInt("flags"),
        row.getLong("expiry"),
        row.getBoolean("stale"),
        row.getLong("written"));
  }

  @Override
  public CompletionStage<Void> write(Key key, PersistentRecord record) {
    return execute(
        write.bind(
            ByteBuffer.wrap(key.bytes()),
            ByteBuffer.wrap(record.value()),
            record.flags(),
            record.expirySeconds(),
            record.stale(),
            record.timestamp(),
            timeToLive(record)));
  }

  private int timeToLive(PersistentRecord record) {
    long expiry = record.expirySeconds() + SLACK_SECONDS;
    long left = expiry - clockSeconds.getAsLong();
    boolean stays =
        record.expirySeconds() == 0 || expiry > LAST_EXPIRY_SECONDS || left > MAX_TTL_SECONDS;
    return stays ? NEVER : (int) Math.max(1, left);
  }

  @Override
  public CompletionStage<Void> delete(Key key, long timestamp) {
    return execute(delete.bind(timestamp, ByteBuffer.wrap(key.bytes())));
  }

  private CompletionStage<Void> execute(BoundStatement statement) {
    return session.executeAsync(statement.setTimeout(timeout)).thenAccept(rows -> {});
  }

  @Override
  public void close() {
    session.close();
  }
}
