package io.counterpart.engine.sql;

import io.counterpart.engine.KvEngine;
import io.counterpart.engine.KvStore;
import io.counterpart.engine.ReaderPermits;
import io.counterpart.engine.StoreException;
import io.counterpart.engine.StorePlace;
import io.counterpart.engine.server.LongKeys;
import io.counterpart.engine.server.ServerStore;
import io.counterpart.engine.server.StoreId;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Stores on one server. All of them share one pool of connections, which is opened with the first
 * store and closed with the last. Thread-safe.
 */
final class SqlEngine implements KvEngine {
  private final SqlOptions options;
  private volatile BooleanSupplier mayWait = () -> true;
  private volatile ReaderPermits readers;

  // guarded by this
  private @Nullable SqlServer server;
  private int users;

  SqlEngine(SqlOptions options) {
    this.options = options;
    this.readers = new ReaderPermits(options.toString(), options.connections());
  }

  @Override
  public void waitWhile(BooleanSupplier condition) {
    mayWait = condition;
  }

  @Override
  public void limitReaders(ReaderPermits permits) {
    readers = permits;
  }

  /** The server. */
  @Override
  public String location() {
    return options.toString();
  }

  @Override
  public boolean isOnServer() {
    return true;
  }

  @Override
  public KvStore open(StorePlace place) {
    SqlNames names = SqlNames.of(place.keyspace(), place.table(), StoreId.of(place.directory()));
    SqlServer entered = enter();
    try {
      long[] packetBytes = new long[1];
      entered.prepare(
          connection -> packetBytes[0] = prepare(connection, new CreatedTable(place, names)));
      SqlTable table = new SqlTable(entered, names, packetBytes[0], this::leave);
      return new ServerStore(
          "store " + names + " on " + options, new LongKeys(table, SqlTable.KEY_BYTES));
    } catch (RuntimeException | Error e) {
      leave();
      throw e;
    }
  }

  @Override
  public void check() {
    // no pool: who asks has no store open here, and asks again and again
    SqlServer.ask(options, connection -> ServerCheck.packetBytes(connection, options));
  }

  private long prepare(Connection connection, CreatedTable table) throws SQLException {
    long packetBytes = ServerCheck.packetBytes(connection, options);
    SqlNames names = table.names();
    try (Statement statement = connection.createStatement()) {
      if (table.isRecorded()) {
        table.require(connection, options);
      } else {
        statement.execute("CREATE DATABASE IF NOT EXISTS " + names.quotedDatabase());
        statement.execute(SqlTable.creation(names));
      }
      for (String procedure : Procedures.creations(names)) {
        statement.execute(procedure);
      }
    }
    table.record();
    SqlTable.awaitWrites(connection, names);
    return packetBytes;
  }

  @Override
  public void drop(StorePlace place) {
    Optional<String> id = StoreId.find(place.directory());
    if (id.isPresent()) {
      SqlNames names = SqlNames.of(place.keyspace(), place.table(), id.get());
      // first, since a table that is recorded must be there
      new CreatedTable(place, names).forget();
      SqlServer entered = enter();
      try {
        entered.prepare(connection -> drop(connection, names));
      } finally {
        leave();
      }
    }
    KvEngine.deleteFiles(place.directory());
  }

  private static boolean drop(Connection connection, SqlNames names) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.execute("DROP TABLE IF EXISTS " + names.quotedTable());
    }
  }

  /**
   * @throws StoreException if the connections cannot be configured
   */
  private synchronized SqlServer enter() {
    SqlServer entered =
        server == null ? new SqlServer(options, () -> mayWait.getAsBoolean(), readers) : server;
    server = entered;
    users++;
    return entered;
  }

  private synchronized void leave() {
    SqlServer last = server;
    if (--users == 0 && last != null) {
      server = null;
      // it waits for connections that are being made, and whoever calls may hold Cassandra's locks
      Thread closing = new Thread(last::close, "counterpart-sql-close");
      closing.setDaemon(true);
      closing.start();
    }
  }
}
