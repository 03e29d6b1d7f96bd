package io.counterpart.engine.sql;

import io.counterpart.engine.StoreException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;

/** Looks whether a server keeps what it acknowledges, and takes values as large as ours. */
final class ServerCheck {
  /** Holds the largest mutation that Cassandra takes by default four times over. */
  static final long LEAST_PACKET_BYTES = 64L << 20;

  private static final String FLUSH = "innodb_flush_log_at_trx_commit";
  private static final String PACKET = "max_allowed_packet";

  private ServerCheck() {}

  /**
   * @return {@code max_allowed_packet}, in bytes
   * @throws StoreException naming the variable, its value and what is needed
   */
  static long packetBytes(Connection connection, SqlOptions options) throws SQLException {
    Map<String, String> variables = variables(connection);
    if (options.durable()) {
      requireOne(options, variables, FLUSH);
      if (isOn(variables.getOrDefault("log_bin", "OFF"))) {
        requireOne(options, variables, "sync_binlog");
      }
    }
    long packet = Long.parseLong(variables.getOrDefault(PACKET, "0"));
    if (packet < LEAST_PACKET_BYTES) {
      throw new StoreException(
          "%s has %s = %d, needed: at least %d"
              .formatted(options, PACKET, packet, LEAST_PACKET_BYTES));
    }
    return packet;
  }

  private static Map<String, String> variables(Connection connection) throws SQLException {
    Map<String, String> variables = new HashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SHOW GLOBAL VARIABLES WHERE Variable_name IN"
                    + " ('%s', '%s', 'log_bin', 'sync_binlog')".formatted(FLUSH, PACKET))) {
      while (rows.next()) {
        variables.put(rows.getString(1), rows.getString(2));
      }
    }
    return variables;
  }

  private static boolean isOn(String value) {
    return value.equals("1") || value.equalsIgnoreCase("ON");
  }

  private static void requireOne(
      SqlOptions options, Map<String, String> variables, String variable) {
    String value = variables.getOrDefault(variable, "unknown");
    if (!value.equals("1")) {
      throw new StoreException(
          ("%s has %s = %s, needed: 1, or a crash of the server's machine may lose what it has"
                  + " acknowledged; option durable: false accepts that")
              .formatted(options, variable, value));
    }
  }
}
