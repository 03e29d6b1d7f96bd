package io.counterpart.engine.sql;

import io.counterpart.engine.KvBatch;
import io.counterpart.engine.KvRange;
import io.counterpart.engine.StoreException;
import io.counterpart.engine.StoreStats;
import io.counterpart.engine.server.ServerTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One store's table: a row an entry, by stored procedures.
 *
 * <pre>k VARBINARY PRIMARY KEY   the entry's key, ordered as unsigned bytes
 * v LONGBLOB                the entry's value
 * n INT UNSIGNED            length of v, which the server computes: sizes without reading values
 * </pre>
 */
final class SqlTable implements ServerTable {
  /** Longer keys are in buckets, whose own key has one byte more. */
  static final int KEY_BYTES = 500;

  /** InnoDB's limit is 3072. A bound may have one byte more than a key. */
  static final int KEY_COLUMN_BYTES = 512;

  /** Of a page, but for one entry that may be of any size. */
  private static final long PAGE_BYTES = 4L << 20;

  /** Around the value in a call: header, key and table. */
  private static final long PACKET_RESERVE_BYTES = 4096;

  /** Above, the server's estimate is taken. */
  private static final long MOST_COUNTED = 200_000;

  private final SqlServer server;
  private final SqlNames names;
  private final long packetBytes;
  private final Runnable onClose;
  private final boolean isPatient;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * @param packetBytes the server's largest packet
   */
  SqlTable(SqlServer server, SqlNames names, long packetBytes, Runnable onClose) {
    this(server, names, packetBytes, onClose, false);
  }

  private SqlTable(
      SqlServer server, SqlNames names, long packetBytes, Runnable onClose, boolean isPatient) {
    this.server = server;
    this.names = names;
    this.packetBytes = packetBytes;
    this.onClose = onClose;
    this.isPatient = isPatient;
  }

  @Override
  public ServerTable patient() {
    return isPatient ? this : new SqlTable(server, names, packetBytes, () -> {}, true);
  }

  private <T extends @Nullable Object> T read(SqlServer.Call<T> call) {
    return isPatient ? server.write("read " + names, call) : server.read("read " + names, call);
  }

  /** Creates the table if there is none. */
  static String creation(SqlNames names) {
    return ("CREATE TABLE IF NOT EXISTS %s (k VARBINARY(%d) NOT NULL PRIMARY KEY,"
            + " v LONGBLOB NOT NULL, n INT UNSIGNED GENERATED ALWAYS AS (OCTET_LENGTH(v)) STORED)"
            + " ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET binary")
        .formatted(names.quotedTable(), KEY_COLUMN_BYTES);
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    return read(connection -> get(connection, key)).orElse(null);
  }

  private Optional<byte[]> get(Connection connection, byte[] key) throws SQLException {
    try (PreparedStatement call = call(connection, Procedures.GET, 1)) {
      call.setBytes(2, key);
      try (ResultSet rows = call.executeQuery()) {
        return rows.next() ? Optional.of(rows.getBytes(1)) : Optional.empty();
      }
    }
  }

  @Override
  public List<byte @Nullable []> getAll(List<byte[]> keys) {
    NavigableMap<byte[], byte[]> found =
        read(
            connection -> {
              NavigableMap<byte[], byte[]> values = new TreeMap<>(Arrays::compareUnsigned);
              for (int from = 0; from < keys.size(); from += Procedures.MANY) {
                int to = Math.min(keys.size(), from + Procedures.MANY);
                getMany(connection, keys.subList(from, to), values);
              }
              return values;
            });
    List<byte @Nullable []> values = new ArrayList<>(keys.size());
    keys.forEach(key -> values.add(found.get(key)));
    return values;
  }

  private void getMany(
      Connection connection, List<byte[]> keys, NavigableMap<byte[], byte[]> values)
      throws SQLException {
    try (PreparedStatement call = call(connection, Procedures.GET_MANY, Procedures.MANY)) {
      for (int i = 0; i < Procedures.MANY; i++) {
        call.setBytes(2 + i, keys.get(Math.min(i, keys.size() - 1)));
      }
      try (ResultSet rows = call.executeQuery()) {
        while (rows.next()) {
          values.put(rows.getBytes(1), rows.getBytes(2));
        }
      }
    }
  }

  @Override
  public Page page(KvRange range, int most) {
    String procedure = range.isReversed() ? Procedures.PAGE_REVERSED : Procedures.PAGE;
    byte[] from = range.from();
    return read(
        connection -> {
          try (PreparedStatement call = call(connection, procedure, 4)) {
            call.setBytes(2, from == null ? new byte[0] : from);
            call.setBytes(3, range.to());
            call.setInt(4, most);
            call.setLong(5, PAGE_BYTES);
            try (ResultSet rows = call.executeQuery()) {
              return page(rows);
            }
          }
        });
  }

  private static Page page(ResultSet rows) throws SQLException {
    List<Entry> entries = new ArrayList<>();
    int asked = 1;
    while (rows.next()) {
      entries.add(new Entry(rows.getBytes(1), rows.getBytes(2)));
      asked = rows.getInt(3);
    }
    return new Page(Collections.unmodifiableList(entries), entries.size() < asked);
  }

  @Override
  public void write(KvBatch batch) {
    batch.operations().forEach(this::requireFits);
    TableWrite write = new TableWrite(names, batch);
    server.write("write " + names, write::on);
  }

  @Override
  public void settle() {
    server.write("settle " + names, connection -> awaitWrites(connection, names));
  }

  /**
   * Every batch writes the first entry. One that was given up, or that a process sent which was
   * killed, holds its lock until it is committed or rolled back.
   */
  static boolean awaitWrites(Connection connection, SqlNames names) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.execute(
          "SELECT 1 FROM " + names.quotedTable() + " WHERE k = x'00' FOR UPDATE");
    }
  }

  private void requireFits(KvBatch.Operation operation) {
    byte[] value = operation.value();
    if (value != null && value.length > packetBytes - PACKET_RESERVE_BYTES) {
      throw new StoreException(
          "a value of %d bytes for %s: %s has max_allowed_packet = %d"
              .formatted(value.length, names, server, packetBytes));
    }
  }

  private PreparedStatement call(Connection connection, String procedure, int parameters)
      throws SQLException {
    PreparedStatement call =
        connection.prepareStatement(Procedures.call(names, procedure, parameters));
    call.setString(1, names.quotedTable());
    return call;
  }

  @Override
  public void check() {
    server.ask("read " + names, connection -> get(connection, new byte[] {0}));
  }

  /** Counted in a small table; in a larger one as the server estimates. */
  @Override
  public StoreStats stats() {
    return server.ask("read " + names, this::stats);
  }

  private StoreStats stats(Connection connection) throws SQLException {
    String counted =
        "SELECT COUNT(*), COALESCE(SUM(LENGTH(k) + n), 0) FROM (SELECT k, n FROM %s LIMIT %d) some"
            .formatted(names.quotedTable(), MOST_COUNTED);
    String estimated =
        "SELECT TABLE_ROWS, DATA_LENGTH, DATA_LENGTH + DATA_FREE FROM information_schema.TABLES"
            + " WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?";
    long rows;
    long bytes;
    try (Statement statement = connection.createStatement();
        ResultSet sums = statement.executeQuery(counted)) {
      sums.next();
      rows = sums.getLong(1);
      bytes = sums.getLong(2);
    }
    try (PreparedStatement query = connection.prepareStatement(estimated)) {
      query.setString(1, names.database());
      query.setString(2, names.table());
      try (ResultSet estimate = query.executeQuery()) {
        boolean is = estimate.next();
        if (is && rows == MOST_COUNTED) {
          rows = Math.max(rows, estimate.getLong(1));
          bytes = Math.max(bytes, estimate.getLong(2));
        }
        long taken = Math.max(bytes, is ? estimate.getLong(3) : 0);
        return new StoreStats(rows, bytes, taken, hitRatio(connection));
      }
    }
  }

  /** Of all pages that the server's tables asked its buffer pool for. */
  private static double hitRatio(Connection connection) throws SQLException {
    String prefix = "Innodb_buffer_pool_read";
    Map<String, Double> counters = new HashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet status = statement.executeQuery("SHOW GLOBAL STATUS LIKE '" + prefix + "%s'")) {
      while (status.next()) {
        counters.put(status.getString(1), status.getDouble(2));
      }
    }
    double asked = counters.getOrDefault(prefix + "_requests", 0.0);
    return asked == 0 ? Double.NaN : 1 - counters.getOrDefault(prefix + "s", 0.0) / asked;
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      onClose.run();
    }
  }
}
