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
    return Long.parseLong(redis(count).substring(1));
  }

  /** The first line of the answer. */
  private String redis(String command) throws IOException {
    try (Socket socket = new Socket(place.address(), place.port())) {
      socket
          .getOutputStream()
          .write("AUTH %s\r\n%s\r\n".formatted(password(), command).getBytes(UTF_8));
      BufferedReader answers =
          new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
      assertThat(answers.readLine()).isEqualTo("+OK");
      return answers.readLine();
    }
  }

  /** Has the server refuse, in its own words, every write to the stores that there are. */
  void refuseWrites() throws IOException, SQLException {
    if (engine.equals("redis")) {
      assertThat(redis("ACL SETUSER default -hset")).isEqualTo("+OK");
      return;
    }
    int number = 0;
    for (String table : tables()) {
      execute(
          ("CREATE TRIGGER `%s`.`refusal_%d` BEFORE INSERT ON %s FOR EACH ROW"
                  + " SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'refused by a test'")
              .formatted(keyspace, number++, table));
    }
  }

  /** Takes {@link #refuseWrites} back. */
  void takeWrites() throws IOException, SQLException {
    if (engine.equals("redis")) {
      assertThat(redis("ACL SETUSER default +hset")).isEqualTo("+OK");
      return;
    }
    for (String trigger : names("TRIGGERS", "TRIGGER_SCHEMA", "TRIGGER_NAME")) {
      execute("DROP TRIGGER IF EXISTS " + trigger);
    }
  }

  /** A digest of what the only store of a table says about itself. */
  String state(String table) throws IOException, SQLException {
    if (engine.equals("redis")) {
      return redis(
          ("EVAL \"redis.call('SELECT', redis.call('HGET', 'counterpart:keyspaces', '%s')) return"
                  + " {ok = redis.sha1hex(redis.call('HGET', redis.call('KEYS', '%s_*:values')[1],"
                  + " string.char(0)))}\" 0")
              .formatted(keyspace, table));
    }
    String store =
        tables().stream()
            .filter(name -> name.startsWith("`%s`.`%s_".formatted(keyspace, table)))
            .findFirst()
            .orElseThrow();
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT SHA1(v) FROM " + store + " WHERE k = x'00'")) {
      assertThat(row.next()).isTrue();
      return row.getString(1);
    }
  }

  /** Not of a store that the node drops just now. */
  private void execute(String sql) throws IOException, SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException failure) {
      if (failure.getErrorCode() != NO_SUCH_TABLE) {
        throw failure;
      }
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
    return names("TABLES", "TABLE_SCHEMA", "TABLE_NAME");
  }

  /** Quoted names of what the keyspace's database has, by a view of the information schema. */
  private List<String> names(String view, String schema, String name)
      throws IOException, SQLException {
    List<String> names = new ArrayList<>();
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet found =
            statement.executeQuery(
                ("SELECT CONCAT('`', %2$s, '`.`', %3$s, '`') FROM information_schema.%1$s"
                        + " WHERE %2$s = '%4$s'")
                    .formatted(view, schema, name, keyspace))) {
      while (found.next()) {
        names.add(found.getString(1));
      }
    }
    return names;
  }

  private Connection connect() throws IOException, SQLException {
    return DriverManager.getConnection(parameters.get("url"), parameters.get("user"), password());
  }

  private String password() throws IOException {
    return Files.readString(Path.of(parameters.get("password_file")), UTF_8).strip();
  }
}
