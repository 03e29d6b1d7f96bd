package io.counterpart.cli.nodes;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.counterpart.cli.cql.Sessions;
import io.counterpart.cluster.Node;
import io.counterpart.lab.remote.EngineMigration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Looks whether every node knows the memtable configurations that tables name. A node that does not
 * serves such a table from its default memtable, and what is in the table's store is not seen.
 */
final class EngineSurvey {
  private static final String SUBJECT = "storage engines";

  private EngineSurvey() {}

  /** Findings about the nodes of a cluster of which one runs; none if no table names one. */
  static List<Finding> of(Node contact) {
    try (CqlSession session = Sessions.open(contact.address(), contact.cqlPort())) {
      return findings(session);
    } catch (RuntimeException e) {
      return List.of(
          Finding.warning(SUBJECT, "not looked at: " + e.getMessage(), "counterpart status"));
    }
  }

  private static List<Finding> findings(CqlSession session) {
    Map<String, String> named = new TreeMap<>();
    for (Row row :
        session.execute("SELECT keyspace_name, table_name, memtable FROM system_schema.tables")) {
      String memtable = row.getString("memtable");
      if (memtable != null && !memtable.isEmpty() && !memtable.equals("default")) {
        named.merge(
            memtable,
            row.getString("keyspace_name") + "." + row.getString("table_name"),
            (all, more) -> all + ", " + more);
      }
    }
    List<Finding> findings = new ArrayList<>();
    if (!named.isEmpty()) {
      session
          .getMetadata()
          .getNodes()
          .values()
          .forEach(node -> findings.add(at(session, node, named)));
    }
    return findings;
  }

  private static Finding at(
      CqlSession session,
      com.datastax.oss.driver.api.core.metadata.Node node,
      Map<String, String> named) {
    String subject = SUBJECT + " on " + node.getEndPoint().toString().replaceFirst("^/", "");
    try {
      String settings = EngineMigration.configurations(session, node);
      for (Map.Entry<String, String> each : named.entrySet()) {
        if (!EngineMigration.isConfigured(settings, each.getKey())) {
          return Finding.bad(
              subject,
              "no memtable configuration '%s', which %s has"
                  .formatted(each.getKey(), each.getValue()),
              "add it to cassandra.yaml, and the engine's jar, and restart the node");
        }
      }
      return failing(session, node, subject)
          .orElseGet(() -> Finding.ok(subject, "knows " + String.join(", ", named.keySet())));
    } catch (DriverException e) {
      return Finding.bad(subject, "does not answer: " + e.getMessage(), "counterpart status");
    }
  }

  private static Optional<Finding> failing(
      CqlSession session, com.datastax.oss.driver.api.core.metadata.Node node, String subject) {
    try {
      for (Row row :
          session.execute(
              SimpleStatement.newInstance("SELECT * FROM counterpart.engines").setNode(node))) {
        String state = String.valueOf(row.getString("state"));
        if (state.startsWith("failing")) {
          return Optional.of(
              Finding.bad(
                  subject,
                  "%s.%s: %s"
                      .formatted(
                          row.getString("keyspace_name"), row.getString("table_name"), state),
                  "look at the engine's server and the node's log"));
        }
      }
    } catch (DriverException noEngines) {
      // no table of the node is on one
    }
    return Optional.empty();
  }
}
