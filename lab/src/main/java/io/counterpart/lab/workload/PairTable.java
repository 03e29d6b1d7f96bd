package io.counterpart.lab.workload;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.metadata.token.TokenRange;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Prepared reads and writes of one table of key-value pairs {@code (k text primary key, field0
 * blob)}. Thread-safe.
 */
public final class PairTable {
  private static final int SCAN_PAGE_ROWS = 500;

  private final CqlSession session;
  private final TableRef ref;
  private final KeyNames keys;
  private final PreparedStatement insert;
  private final PreparedStatement update;
  private final PreparedStatement read;
  private final PreparedStatement scan;
  private final PreparedStatement scanFrom;
  private volatile boolean updates;

  /** Prepares on a session; the table must exist. */
  PairTable(CqlSession session, TableRef table, KeyNames keys) {
    this.session = session;
    ref = table;
    this.keys = keys;
    insert =
        session.prepare("INSERT INTO %s (k, field0) VALUES (?, ?)".formatted(table.qualified()));
    update = session.prepare("UPDATE %s SET field0 = ? WHERE k = ?".formatted(table.qualified()));
    read = session.prepare("SELECT field0 FROM %s WHERE k = ?".formatted(table.qualified()));
    scan =
        session.prepare(
            "SELECT k, field0 FROM %s WHERE token(k) > ? AND token(k) <= ?"
                .formatted(table.qualified()));
    scanFrom =
        session.prepare(
            "SELECT k, field0 FROM %s WHERE token(k) >= token(?) LIMIT ?"
                .formatted(table.qualified()));
  }

  /** Its name. */
  public TableRef ref() {
    return ref;
  }

  /** A row as a scan sees it. */
  public interface RowVisitor {
    /**
     * Called on driver threads.
     *
     * @param key number of the row's key
     */
    void row(int key, ByteBuffer value);
  }

  /**
   * Makes every write from now on an UPDATE. That writes the value and no marker of the row, so a
   * read that has found the newest value goes on: an older sstable might hold the marker.
   */
  public void writeByUpdates() {
    updates = true;
  }

  /**
   * Writes the whole pair.
   *
   * @param timestampMicros decides between versions; the caller makes it grow in issue order,
   *     because two updates of a hot key can be under way at once
   */
  CompletionStage<AsyncResultSet> write(
      int key, ByteBuffer value, long timestampMicros, ConsistencyLevel level) {
    return session.executeAsync(
        (updates ? update.bind(value, keys.name(key)) : insert.bind(keys.name(key), value))
            .setQueryTimestamp(timestampMicros)
            .setConsistencyLevel(level)
            .setIdempotent(true));
  }

  /** Reads a value from any replica; empty if the key is absent. */
  public CompletionStage<Optional<ByteBuffer>> read(int key, ConsistencyLevel level) {
    return read(key, level, ReadRouting.ANY_REPLICA);
  }

  CompletionStage<Optional<ByteBuffer>> read(int key, ConsistencyLevel level, ReadRouting routing) {
    return session
        .executeAsync(
            read.bind(keys.name(key))
                .setExecutionProfileName(routing.profile())
                .setConsistencyLevel(level)
                .setIdempotent(true))
        .thenApply(PairTable::firstValue);
  }

  /** Reads all rows of a token range that does not wrap around. */
  public CompletionStage<Void> scan(TokenRange range, ConsistencyLevel level, RowVisitor visitor) {
    return session
        .executeAsync(
            scan.bind()
                .setToken(0, range.getStart())
                .setToken(1, range.getEnd())
                .setRoutingToken(range.getEnd())
                .setPageSize(SCAN_PAGE_ROWS)
                .setConsistencyLevel(level)
                .setIdempotent(true))
        .thenCompose(page -> visitPages(page, visitor));
  }

  /** Reads some rows in the ring's order, the given key's first; fewer at the ring's end. */
  CompletionStage<Void> scanFrom(
      int key, int rows, ConsistencyLevel level, ReadRouting routing, RowVisitor visitor) {
    String name = keys.name(key);
    return session
        .executeAsync(
            scanFrom
                .bind(name, rows)
                .setRoutingKey(UTF_8.encode(name))
                .setExecutionProfileName(routing.profile())
                .setConsistencyLevel(level)
                .setIdempotent(true))
        .thenCompose(page -> visitPages(page, visitor));
  }

  private static CompletionStage<Void> visitPages(AsyncResultSet page, RowVisitor visitor) {
    for (Row row : page.currentPage()) {
      ByteBuffer value = row.getByteBuffer(1);
      String key = row.getString(0);
      if (key != null && value != null) {
        visitor.row(KeyNames.number(key), value);
      }
    }
    return page.hasMorePages()
        ? page.fetchNextPage().thenCompose(next -> visitPages(next, visitor))
        : CompletableFuture.completedFuture(null);
  }

  private static Optional<ByteBuffer> firstValue(AsyncResultSet rows) {
    Row row = rows.one();
    return row == null ? Optional.empty() : Optional.ofNullable(row.getByteBuffer(0));
  }
}
