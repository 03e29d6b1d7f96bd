package io.counterpart.cli.doctor;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import io.counterpart.lab.remote.MemtableSettings;
import io.counterpart.lab.remote.SurveySession;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Looks over CQL whether every node knows the memtable configurations that tables name. A node that
 * does not serves such a table from its default memtable, and what is in the table's store is not
 * seen. So does one that knows the configuration but lacks the engine's jar, whose table is then
 * missing in {@code counterpart.engines}. Where a node makes incremental backups, which see
 * sstables alone, there is a warning.
 */
final class EngineSurvey {
  static final String SUBJECT = "storage engines";

  private final CqlSession session;

  /** Tables by the configuration that they name. */
  private final Map<String, List<String>> named = new TreeMap<>();

  private EngineSurvey(CqlSession session) {
    this.session = session;
    for (Row row :
        session.execute("SELECT keyspace_name, table_name, memtable FROM system_schema.tables")) {
      String memtable = row.getString("memtable");
      if (memtable != null && !memtable.isEmpty() && !memtable.equals("default")) {
        named
            .computeIfAbsent(memtable, unused -> new ArrayList<>())
            .add(row.getString("keyspace_name") + "." + row.getString("table_name"));
      }
    }
  }

  /** Findings about every node of a cluster; none if no table names a configuration. */
  static List<Finding> of(CqlSession session) {
    try {
      EngineSurvey survey = new EngineSurvey(session);
      return survey.named.isEmpty()
          ? List.of()
          : SurveySession.nodes(session).stream().map(survey::at).toList();
    } catch (DriverException e) {
      return List.of(
          Finding.bad(
              SUBJECT, SurveySession.reason(e), "look whether the nodes run and let you in"));
    }
  }

  private Finding at(Node node) {
    String subject = SUBJECT + " on " + SurveySession.name(node);
    try {
      MemtableSettings settings = MemtableSettings.at(session, node);
      for (Map.Entry<String, List<String>> each : named.entrySet()) {
        if (!settings.knows(each.getKey())) {
          return Finding.bad(
              subject,
              "no memtable configuration '%s', which %s has"
                  .formatted(each.getKey(), String.join(", ", each.getValue())),
              "add it to cassandra.yaml, and the engine's jar, and restart the node");
        }
      }
      List<Row> stores = stores(node);
      return failing(subject, stores)
          .or(() -> cold(subject, stores))
          .or(() -> unserved(subject, settings, stores))
          .or(() -> notBackedUp(subject, node, stores))
          .orElseGet(() -> Finding.ok(subject, "knows " + String.join(", ", named.keySet())));
    } catch (DriverException e) {
      return Finding.bad(
          subject, "does not answer: " + SurveySession.reason(e), "look whether the node runs");
    }
  }

  private List<Row> stores(Node node) {
    try {
      return session
          .execute(SimpleStatement.newInstance("SELECT * FROM counterpart.engines").setNode(node))
          .all();
    } catch (InvalidQueryException noEngines) {
      // no table of the node is on one
      return List.of();
    }
  }

  private static Optional<Finding> failing(String subject, List<Row> stores) {
    return inState("failing", subject, stores, "look at the engine's server and the node's log");
  }

  private static Optional<Finding> cold(String subject, List<Row> stores) {
    return inState(
        "cold", subject, stores, "see that every replica is up, and the node's log: it repairs");
  }

  private static Optional<Finding> inState(
      String state, String subject, List<Row> stores, String remedy) {
    return stores.stream()
        .filter(row -> String.valueOf(row.getString("state")).startsWith(state))
        .map(
            row ->
                Finding.bad(subject, "%s: %s".formatted(name(row), row.getString("state")), remedy))
        .findFirst();
  }

  /** Tables of a configuration whose engine does not serve them. */
  private Optional<Finding> unserved(String subject, MemtableSettings settings, List<Row> stores) {
    List<String> served = stores.stream().map(EngineSurvey::name).toList();
    for (Map.Entry<String, List<String>> each : named.entrySet()) {
      if (settings
          .engine(each.getKey())
          .filter(engine -> !engine.equals(MemtableSettings.LSM))
          .isPresent()) {
        for (String table : each.getValue()) {
          if (!served.contains(table)) {
            return Optional.of(
                Finding.bad(
                    subject,
                    "%s has memtable = '%s', and the node serves it from sstables"
                        .formatted(table, each.getKey()),
                    "look whether the engine's jar is in lib, and at the node's log"));
          }
        }
      }
    }
    return Optional.empty();
  }

  /** Tables with stores, of which incremental backups have no copy. */
  private Optional<Finding> notBackedUp(String subject, Node node, List<Row> stores) {
    Row setting =
        session
            .execute(
                SimpleStatement.newInstance(
                        "SELECT value FROM system_views.settings WHERE name ="
                            + " 'incremental_backups'")
                    .setNode(node))
            .one();
    if (stores.isEmpty() || setting == null || !"true".equals(setting.getString("value"))) {
      return Optional.empty();
    }
    String tables =
        stores.stream().map(EngineSurvey::name).distinct().collect(Collectors.joining(", "));
    return Optional.of(
        Finding.warning(
            subject,
            "incremental_backups is true, and has no copy of what stores have: " + tables,
            "back these tables up by nodetool snapshot, without -sf"));
  }

  private static String name(Row row) {
    return row.getString("keyspace_name") + "." + row.getString("table_name");
  }
}
