package io.counterpart.integration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cluster.layout.ClusterSpec;
import io.counterpart.cluster.layout.NodeLayout;
import io.counterpart.cluster.server.NodeServers;
import io.counterpart.cluster.server.ServerPlace;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The stores of one keyspace on the server of one node, asked of the server itself.
 *
 * @param engine {@code redis} or {@code sql}
 * @param parameters of the node's engine, with the file of the password
 */
record ServerStores(
    String engine, ServerPlace place, Map<String, String> parameters, String keyspace) {
  /** MariaDB's error for a table that does not exist. */
  private static final int NO_SUCH_TABLE = 1146;

  /** Those of a node of a fresh cluster, which has the server of one engine. */
  static ServerStores of(ClusterSpec spec, int nodeIndex, String keyspace) {
    NodeLayout node = NodeLayout.of(spec).get(nodeIndex - 1);
    var only = NodeServers.places(spec, node).entrySet().iterator().next();
    String engine = only.getKey().engine();
    return new ServerStores(
        engine, only.getValue(), NodeServers.parameters(spec, node).get(engine), keyspace);
  }

  /** Entries of all stores of the keyspace: headers, rows, and a state for each store. */
  long entries() throws IOException, SQLException {
    return engine.equals("redis") ? members() : rows();
  }

  /** Whether there is anything of a store, were it empty. */
  boolean exist() throws IOException, SQLException {
    // a sorted set without members is none
    return engine.equals("redis") ? members() > 0 : !tables().isEmpty();
  }

  /** Members of all sorted sets in the keyspace's database. */
  private long members() throws IOException {
    String count =
        ("EVAL \"redis.call('SELECT', redis.call('HGET', 'counterpart:keyspaces', '%s')) local n = 0"
                + " for _, k in ipairs(redis.call('KEYS', '*:order')) do n = n + redis.call('ZCARD',"
                + " k) end return n\" 0")
            .formatted(keyspace);
    try (Socket socket = new Socket(place.address(), place.port())) {
      socket
          .getOutputStream()
          .write("AUTH %s\r\n%s\r\n".formatted(password(), count).getBytes(UTF_8));
      BufferedReader answers =
          new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
      assertThat(answers.readLine()).isEqualTo("+OK");
      return Long.parseLong(answers.readLine().substring(1));
    }
  }

  private long rows() throws IOException, SQLException {
    long rows = 0;
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String table : tables()) {
        rows += rows(statement, table);
      }
    }
    return rows;
  }

  /** None if the node has dropped the table since it was named. */
  private static long rows(Statement statement, String table) throws SQLException {
    try (ResultSet count = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
      assertThat(count.next()).isTrue();
      return count.getLong(1);
    } catch (SQLException failure) {
      if (failure.getErrorCode() == NO_SUCH_TABLE) {
        return 0;
      }
      throw failure;
    }
  }

  private List<String> tables() throws IOException, SQLException {
    List<String> tables = new ArrayList<>();
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet names =
            statement.executeQuery(
                "SELECT CONCAT('`', TABLE_SCHEMA, '`.`', TABLE_NAME, '`') FROM"
                    + " information_schema.TABLES WHERE TABLE_SCHEMA = '"
                    + keyspace
                    + "'")) {
      while (names.next()) {
        tables.add(names.getString(1));
      }
    }
    return tables;
  }

  private Connection connect() throws IOException, SQLException {
    return DriverManager.getConnection(parameters.get("url"), parameters.get("user"), password());
  }

  private String password() throws IOException {
    return Files.readString(Path.of(parameters.get("password_file")), UTF_8).strip();
  }
}
