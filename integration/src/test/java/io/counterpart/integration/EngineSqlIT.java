package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cluster.server.ServerPlace;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;

/** A table on a real MariaDB server. */
@OnUsualPorts
@Timeout(300)
class EngineSqlIT extends EngineOnServer {
  EngineSqlIT() {
    super("sql");
  }

  /** Rows of the keyspace's tables. */
  @Override
  protected long entriesOnServer(ServerPlace place, Map<String, String> parameters)
      throws Exception {
    try (Connection connection = connect(parameters);
        Statement statement = connection.createStatement()) {
      long rows = 0;
      for (String table : tables(statement)) {
        try (ResultSet count = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
          assertThat(count.next()).isTrue();
          rows += count.getLong(1);
        }
      }
      return rows;
    }
  }

  @Override
  protected long stores(ServerPlace place, Map<String, String> parameters) throws Exception {
    try (Connection connection = connect(parameters);
        Statement statement = connection.createStatement()) {
      return tables(statement).size();
    }
  }

  private static Connection connect(Map<String, String> parameters) throws Exception {
    return DriverManager.getConnection(
        parameters.get("url"), parameters.get("user"), password(parameters));
  }

  private List<String> tables(Statement statement) throws SQLException {
    List<String> tables = new ArrayList<>();
    try (ResultSet names =
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
}
