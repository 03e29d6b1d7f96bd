package io.counterpart.engine.sql;

import io.counterpart.engine.KvBatch;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A batch as one transaction, which may be repeated: of each key only the last operation counts, so
 * a second time changes nothing. Calls go to the server many at a time.
 */
final class TableWrite {
  /** Answers of this many calls fit what sockets buffer while nobody reads them. */
  private static final int MOST_CALLS = 256;

  private static final long MOST_BYTES = 4L << 20;

  /** Of the rows of one call; larger ones are put one by one. */
  private static final long MOST_BYTES_OF_MANY = 1L << 20;

  /** Keeps each deletion of a clearing short, whatever the table's size. */
  private static final int CLEARED_ROWS = 10_000;

  private record Row(byte[] key, byte[] value) {
    int bytes() {
      return key.length + value.length;
    }
  }

  private final SqlNames names;
  private final boolean clears;
  private final List<Row> puts = new ArrayList<>();
  private final List<byte[]> deletes = new ArrayList<>();

  TableWrite(SqlNames names, KvBatch batch) {
    this.names = names;
    this.clears = batch.clears();
    NavigableMap<byte[], KvBatch.Operation> last = new TreeMap<>(Arrays::compareUnsigned);
    batch.operations().forEach(operation -> last.put(operation.key(), operation));
    for (Map.Entry<byte[], KvBatch.Operation> entry : last.entrySet()) {
      byte[] value = entry.getValue().value();
      if (value != null) {
        puts.add(new Row(entry.getKey(), value));
      } else if (!clears) {
        deletes.add(entry.getKey());
      }
    }
  }

  /** The pool rolls back what is not committed when the connection returns to it. */
  boolean on(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    if (clears) {
      clear(connection);
    }
    int many = putMany(connection);
    putSingly(connection, puts.subList(many, puts.size()));
    delete(connection);
    connection.commit();
    return true;
  }

  private void clear(Connection connection) throws SQLException {
    try (PreparedStatement call =
        connection.prepareStatement(Procedures.call(names, Procedures.CLEAR, 2))) {
      byte[] last = new byte[0];
      while (last != null) {
        call.setString(1, names.quotedTable());
        call.setBytes(2, last);
        call.setInt(3, CLEARED_ROWS);
        try (ResultSet rows = call.executeQuery()) {
          last = rows.next() ? rows.getBytes(1) : null;
        }
      }
    }
  }

  /** Puts full calls of small rows, and those rows singly that are too large for such a call. */
  private int putMany(Connection connection) throws SQLException {
    int from = 0;
    try (PreparedStatement call =
        connection.prepareStatement(
            Procedures.call(names, Procedures.PUT_MANY, 2 * Procedures.MANY))) {
      Pending pending = new Pending(call);
      while (puts.size() - from >= Procedures.MANY) {
        List<Row> rows = puts.subList(from, from + Procedures.MANY);
        long bytes = rows.stream().mapToLong(Row::bytes).sum();
        from += Procedures.MANY;
        if (bytes > MOST_BYTES_OF_MANY) {
          putSingly(connection, rows);
          continue;
        }
        set(call, rows);
        pending.add(bytes);
      }
      pending.send();
    }
    return from;
  }

  private void putSingly(Connection connection, List<Row> rows) throws SQLException {
    if (rows.isEmpty()) {
      return;
    }
    try (PreparedStatement call =
        connection.prepareStatement(Procedures.call(names, Procedures.PUT, 2))) {
      Pending pending = new Pending(call);
      for (Row row : rows) {
        set(call, List.of(row));
        pending.add(row.bytes());
      }
      pending.send();
    }
  }

  private void set(PreparedStatement call, List<Row> rows) throws SQLException {
    call.setString(1, names.quotedTable());
    int parameter = 2;
    for (Row row : rows) {
      call.setBytes(parameter++, row.key());
      call.setBytes(parameter++, row.value());
    }
  }

  private void delete(Connection connection) throws SQLException {
    if (deletes.isEmpty()) {
      return;
    }
    try (PreparedStatement call =
        connection.prepareStatement(Procedures.call(names, Procedures.DELETE, 1))) {
      Pending pending = new Pending(call);
      for (byte[] key : deletes) {
        call.setString(1, names.quotedTable());
        call.setBytes(2, key);
        pending.add(key.length);
      }
      pending.send();
    }
  }

  /** Calls that are collected and not sent. */
  private static final class Pending {
    private final PreparedStatement call;
    private int calls;
    private long bytes;

    Pending(PreparedStatement call) {
      this.call = call;
    }

    void add(long more) throws SQLException {
      call.addBatch();
      calls++;
      bytes += more;
      if (calls >= MOST_CALLS || bytes > MOST_BYTES) {
        send();
      }
    }

    void send() throws SQLException {
      if (calls > 0) {
        call.executeBatch();
        calls = 0;
        bytes = 0;
      }
    }
  }
}
