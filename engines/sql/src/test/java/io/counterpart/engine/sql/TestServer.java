package io.counterpart.engine.sql;

import io.counterpart.cluster.server.ServerKind;
import io.counterpart.cluster.server.ServerPlace;
import io.counterpart.process.ProcessIdentity;
import io.counterpart.process.TcpPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/** A MariaDB server on a free port of 127.0.0.1, with its data under a test's directory. */
final class TestServer implements AutoCloseable {
  private static final ServerKind MARIADB = ServerKind.of("sql").orElseThrow();

  private final ServerPlace place;
  private ProcessIdentity process;

  private TestServer(ServerPlace place) {
    this.place = place;
  }

  /** Skips the test, aloud, where no server is installed. */
  static TestServer start(Path directory) {
    Optional<String> missing = MARIADB.missing();
    missing.ifPresent(
        what -> System.err.println("NOT TESTED: the engine sql on a real server needs " + what));
    Assumptions.assumeTrue(missing.isEmpty(), () -> "needs " + missing.orElse(""));
    TestServer server =
        new TestServer(
            new ServerPlace(
                directory.resolve("mariadb"), "127.0.0.1", TcpPort.anyFree("127.0.0.1")));
    server.start();
    return server;
  }

  void start() {
    try {
      process = MARIADB.start(place);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As after a fresh start, whatever a test has done to it. */
  void restore() {
    if (!process.isAlive()) {
      start();
    }
    process.resume();
    sql("SET GLOBAL innodb_flush_log_at_trx_commit = 1, GLOBAL max_allowed_packet = 1073741824");
  }

  /** SIGKILL. */
  void kill() {
    process.kill();
  }

  /** SIGSTOP. */
  void pause() {
    process.pause();
  }

  void resume() {
    process.resume();
  }

  Map<String, String> options() {
    return new HashMap<>(MARIADB.parameters(place));
  }

  int port() {
    return place.port();
  }

  Connection connect() throws SQLException {
    try {
      return DriverManager.getConnection(
          options().get("url"),
          options().get("user"),
          Files.readString(Path.of(options().get("password_file"))).strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** First columns of what a statement returns. */
  List<String> sql(String statement) {
    try (Connection connection = connect();
        Statement query = connection.createStatement()) {
      List<String> found = new ArrayList<>();
      if (query.execute(statement)) {
        ResultSet rows = query.getResultSet();
        while (rows.next()) {
          found.add(rows.getString(1));
        }
      }
      return found;
    } catch (SQLException e) {
      throw new IllegalStateException(statement, e);
    }
  }

  @Override
  public void close() {
    process.resume();
    process.kill();
  }
}
