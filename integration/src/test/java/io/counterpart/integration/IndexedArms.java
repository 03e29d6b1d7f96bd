package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.Row;
import io.counterpart.cluster.Node;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A table on each engine that gets an SAI index, a secondary index and a materialized view when it
 * has data in the store, beside kills of nodes. What they find is known.
 */
final class IndexedArms {
  private static final int ROWS = 60;
  private static final int VALUES = 5;
  private static final Duration LIMIT = Duration.ofSeconds(90);

  private final TestCluster cluster;
  private final String keyspace;
  private final List<String> arms;
  private final Random random;

  /** Value by key; the same in all tables. */
  private final Map<Integer, Integer> rows = new TreeMap<>();

  /**
   * @param tables each arm's name and table options
   */
  IndexedArms(TestCluster cluster, String keyspace, Map<String, String> tables, Random random) {
    this.cluster = cluster;
    this.keyspace = keyspace;
    this.arms = List.copyOf(tables.keySet());
    this.random = random;
    tables.forEach(
        (arm, with) ->
            cluster.execute(
                "CREATE TABLE %s (pk int PRIMARY KEY, v int, w int)%s"
                    .formatted(table(arm), with)));
  }

  private String table(String arm) {
    return keyspace + ".indexed_" + arm;
  }

  /** Writes some rows, and deletes some, at ALL. */
  void write() {
    for (int pk = 0; pk < ROWS; pk++) {
      int value = random.nextInt(VALUES + 2);
      if (value < VALUES) {
        each("INSERT INTO %s (pk, v, w) VALUES (" + pk + ", " + value + ", " + value + ")");
        rows.put(pk, value);
      } else if (value == VALUES) {
        each("DELETE FROM %s WHERE pk = " + pk);
        rows.remove(pk);
      }
    }
  }

  private void each(String cql) {
    cluster.executeAll(arms.stream().map(arm -> cql.formatted(table(arm))).toList());
  }

  /** Begins to build; what is absorbed spills first. */
  void index() {
    for (String arm : arms) {
      String table = table(arm);
      cluster.execute("CREATE INDEX ON %s (v) USING 'sai'".formatted(table));
      cluster.execute("CREATE INDEX ON %s (w)".formatted(table));
      cluster.execute(
          ("CREATE MATERIALIZED VIEW %s_by_v AS SELECT * FROM %s"
                  + " WHERE v IS NOT NULL AND pk IS NOT NULL PRIMARY KEY (v, pk)")
              .formatted(table, table));
    }
  }

  /** Every node finds every row by each index and in the view, once these are built. */
  void check() {
    for (String arm : arms) {
      for (String query :
          List.of(
              "SELECT pk FROM " + table(arm) + " WHERE v = %d",
              "SELECT pk FROM " + table(arm) + " WHERE w = %d",
              "SELECT pk FROM " + table(arm) + "_by_v WHERE v = %d")) {
        for (Node node : cluster.live()) {
          await()
              .alias("%s on %s".formatted(query, node))
              .atMost(LIMIT)
              .pollDelay(Duration.ZERO)
              .ignoreExceptions()
              .untilAsserted(() -> assertThat(found(node, query)).isEqualTo(expected()));
        }
      }
    }
  }

  private Map<Integer, TreeSet<Integer>> found(Node node, String query) {
    Map<Integer, TreeSet<Integer>> found = new TreeMap<>();
    for (int value = 0; value < VALUES; value++) {
      List<Row> answer = cluster.query(node, DefaultConsistencyLevel.ONE, query.formatted(value));
      found.put(
          value,
          answer.stream().map(row -> row.getInt(0)).collect(Collectors.toCollection(TreeSet::new)));
    }
    return found;
  }

  private Map<Integer, TreeSet<Integer>> expected() {
    Map<Integer, TreeSet<Integer>> expected = new TreeMap<>();
    for (int value = 0; value < VALUES; value++) {
      expected.put(value, new TreeSet<>());
    }
    rows.forEach((pk, value) -> expected.get(value).add(pk));
    return expected;
  }

  /** Drops indexes and views; the tables go back to their engines. */
  void drop() {
    for (String arm : arms) {
      cluster.execute("DROP MATERIALIZED VIEW %s_by_v".formatted(table(arm)));
      cluster.execute("DROP INDEX %s_v_idx".formatted(table(arm)));
      cluster.execute("DROP INDEX %s_w_idx".formatted(table(arm)));
    }
  }

  /** All rows on every node, after the indexes are gone. */
  void checkRows() {
    for (String arm : arms) {
      for (Node node : cluster.live()) {
        Map<Integer, Integer> found = new TreeMap<>();
        cluster
            .query(node, DefaultConsistencyLevel.ONE, "SELECT pk, v FROM " + table(arm))
            .forEach(row -> found.put(row.getInt(0), row.getInt(1)));
        assertThat(found).as("%s on %s", table(arm), node).isEqualTo(rows);
      }
    }
  }

  /** The tables of these arms take flushes into their stores again. */
  void checkAbsorbing(List<String> engines) {
    for (Node node : cluster.live()) {
      for (String arm : engines) {
        await()
            .alias("%s on %s".formatted(arm, node))
            .atMost(LIMIT)
            .pollDelay(Duration.ZERO)
            // a server that stands still for a moment is gone round
            .untilAsserted(
                () ->
                    assertThat(cluster.engine(node, keyspace, "indexed_" + arm).getString("state"))
                        .startsWith("absorbing"));
      }
    }
  }
}
