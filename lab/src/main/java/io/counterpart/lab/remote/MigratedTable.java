package io.counterpart.lab.remote;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import io.counterpart.lab.setup.RunRefusedException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A table that is to go to another engine, with what the schema says beside it.
 *
 * @param keyspaces all
 * @param tables those of the keyspace
 * @param views materialized views of the keyspace, with their tables
 * @param indexes those of the table
 */
record MigratedTable(
    String keyspace,
    String table,
    Set<String> keyspaces,
    Set<String> tables,
    Map<String, String> views,
    Set<String> indexes) {
  private static final int MOST_NAMES = 10;

  /** Checks and copies. */
  MigratedTable {
    keyspaces = new TreeSet<>(keyspaces);
    tables = new TreeSet<>(tables);
    views = new TreeMap<>(views);
    indexes = new TreeSet<>(indexes);
  }

  /** As the schema has it, also if there is none. */
  static MigratedTable of(CqlSession session, String keyspace, String table) {
    Map<String, String> views = new TreeMap<>();
    for (Row view :
        session.execute(
            "SELECT view_name, base_table_name FROM system_schema.views WHERE keyspace_name = ?",
            keyspace)) {
      views.put(view.getString(0), view.getString(1));
    }
    return new MigratedTable(
        keyspace,
        table,
        names(session, "SELECT keyspace_name FROM system_schema.keyspaces"),
        names(
            session,
            "SELECT table_name FROM system_schema.tables WHERE keyspace_name = ?",
            keyspace),
        views,
        names(
            session,
            "SELECT index_name FROM system_schema.indexes WHERE keyspace_name = ? AND table_name ="
                + " ?",
            keyspace,
            table));
  }

  private static Set<String> names(CqlSession session, String query, Object... values) {
    Set<String> names = new TreeSet<>();
    session.execute(query, values).forEach(row -> names.add(row.getString(0)));
    return names;
  }

  String name() {
    return keyspace + "." + table;
  }

  /**
   * Looks whether there is such a table, and whether it may be on an engine.
   *
   * @throws RunRefusedException with what is legal
   */
  void require() {
    List<String> users = keyspaces.stream().filter(known -> !SystemKeyspaces.isOne(known)).toList();
    if (SystemKeyspaces.isOne(keyspace)) {
      throw new RunRefusedException(
          "%s is Cassandra's own, and such tables stay on sstables, legal: one of keyspace %s"
              .formatted(name(), some(users)));
    }
    if (!keyspaces.contains(keyspace)) {
      throw new RunRefusedException(
          "there is no keyspace %s with tables on disk, legal: %s"
              .formatted(keyspace, some(users)));
    }
    String base = views.get(table);
    if (base != null) {
      throw new RunRefusedException(
          "%s is a materialized view, and views stay on sstables, legal: a table, as %s.%s"
              .formatted(name(), keyspace, base));
    }
    if (!tables.contains(table)) {
      throw new RunRefusedException(
          "there is no table %s, legal in %s: %s".formatted(name(), keyspace, some(tables)));
    }
  }

  /**
   * Looks whether anything keeps the table on sstables.
   *
   * @param engine where it is to go, for the message
   * @throws RunRefusedException naming what has to be dropped before
   */
  void requireFree(String engine) {
    if (!indexes.isEmpty()) {
      throw tied(engine, "index", some(indexes));
    }
    List<String> own =
        views.entrySet().stream()
            .filter(view -> view.getValue().equals(table))
            .map(Map.Entry::getKey)
            .toList();
    if (!own.isEmpty()) {
      throw tied(engine, "materialized view", some(own));
    }
  }

  private RunRefusedException tied(String engine, String kind, String names) {
    return new RunRefusedException(
        "%s has the %s %s, and stays on sstables as long as it has one: drop it before, or leave"
                .formatted(name(), kind, names)
            + " the table where it is; engine '%s' can have none".formatted(engine));
  }

  private static String some(Collection<String> names) {
    String listed = names.stream().limit(MOST_NAMES).collect(Collectors.joining(", "));
    return names.isEmpty() ? "none" : names.size() > MOST_NAMES ? listed + ", …" : listed;
  }
}
