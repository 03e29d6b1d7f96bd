package io.counterpart.cli.nodes;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.counterpart.cli.console.PreconditionException;
import io.counterpart.cli.console.TextTable;
import io.counterpart.cli.cql.Sessions;
import io.counterpart.cluster.Cluster;
import io.counterpart.cluster.Node;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Rows of the virtual table {@code counterpart.tables} of every live node: bytes by role.
 *
 * @param note which nodes have no rows and why, or empty
 */
record RoleView(List<Map<String, Object>> rows, String note) {

  private static final SimpleStatement QUERY =
      SimpleStatement.newInstance("SELECT * FROM counterpart.tables");

  static RoleView of(Cluster cluster) {
    List<Map<String, Object>> rows = new ArrayList<>();
    List<String> without = new ArrayList<>();
    for (Node node : cluster.nodes()) {
      if (!node.isRunning()) {
        continue;
      }
      try (CqlSession session = Sessions.open(node.address(), node.cqlPort())) {
        String address = node.address();
        session.getMetadata().getNodes().values().stream()
            .filter(
                known ->
                    known
                        .getBroadcastRpcAddress()
                        .map(rpc -> Objects.equals(rpc.getAddress().getHostAddress(), address))
                        .orElse(false))
            .findFirst()
            .ifPresent(
                known ->
                    // a virtual table answers for the node that is asked
                    session
                        .execute(QUERY.setNode(known))
                        .forEach(row -> rows.add(row(node.index(), row))));
      } catch (PreconditionException | DriverException notThere) {
        without.add(Integer.toString(node.index()));
      }
    }
    if (!without.isEmpty()) {
      return new RoleView(
          rows,
          "roles: no table counterpart.tables (no plugin, or no decoupled table yet) on node "
              + String.join(", ", without));
    }
    return new RoleView(rows, rows.isEmpty() ? "roles: no decoupled table yet" : "");
  }

  String text() {
    return rows.isEmpty() ? note : table() + (note.isEmpty() ? "" : "\n" + note);
  }

  private String table() {
    TextTable table =
        new TextTable(
            List.of(
                "node",
                "table",
                "mode",
                "primary MiB",
                "redundant MiB",
                "mixed MiB",
                "foreign MiB",
                "segments",
                "runs",
                "backlog"));
    rows.forEach(
        row ->
            table.row(
                List.of(
                    cell(row, "node"),
                    cell(row, "keyspace_name") + "." + cell(row, "table_name"),
                    cell(row, "mode"),
                    mebibytes(row, "primary_bytes", "wide_primary_bytes"),
                    mebibytes(row, "segment_bytes", "run_bytes"),
                    mebibytes(row, "mixed_bytes"),
                    mebibytes(row, "foreign_bytes"),
                    cell(row, "segments"),
                    cell(row, "runs"),
                    cell(row, "backlog"))));
    return table.render();
  }

  private static Map<String, Object> row(int nodeIndex, Row row) {
    Map<String, Object> columns = new LinkedHashMap<>();
    columns.put("node", nodeIndex);
    row.getColumnDefinitions()
        .forEach(
            column -> columns.put(column.getName().asInternal(), row.getObject(column.getName())));
    return columns;
  }

  private static String cell(Map<String, Object> row, String column) {
    Object value = row.get(column);
    return value == null ? "-" : value.toString();
  }

  private static String mebibytes(Map<String, Object> row, String... columns) {
    double bytes = 0;
    for (String column : columns) {
      bytes += row.get(column) instanceof Number number ? number.doubleValue() : 0;
    }
    return String.format(Locale.ROOT, "%.1f", bytes / (1 << 20));
  }
}
