package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.Row;
import io.counterpart.cluster.Node;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A table on LMDB, its rows as text, and what is on its nodes' disks. */
final class EngineRows {
  static final String KEYSPACE = "engine_operations";
  static final String TABLE = KEYSPACE + ".t";
  static final int ROWS = 60;
  static final String ENGINE = " WITH memtable = 'lmdb'";

  /** Makes the keyspace anew, with the table {@link #TABLE}. */
  static void create(TestCluster cluster) {
    cluster.createKeyspace(KEYSPACE, "{'class': 'NetworkTopologyStrategy', 'dc1': 3}");
    table(cluster, "t", "");
  }

  static String table(TestCluster cluster, String name, String options) {
    return table(cluster, name, "lmdb", options);
  }

  /**
   * @param memtable configuration
   */
  static String table(TestCluster cluster, String name, String memtable, String options) {
    String table = KEYSPACE + "." + name;
    cluster.execute(
        "CREATE TABLE %s (pk int, ck int, v text, PRIMARY KEY (pk, ck)) WITH memtable = '%s'%s"
            .formatted(table, memtable, options));
    return table;
  }

  static Set<String> fill(TestCluster cluster, int from, String value) {
    return fill(cluster, TABLE, from, value);
  }

  static Set<String> fill(TestCluster cluster, String table, int from, String value) {
    cluster.executeAll(
        IntStream.range(from, from + ROWS)
            .mapToObj(
                i ->
                    "INSERT INTO %s (pk, ck, v) VALUES (%d, %d, '%s')"
                        .formatted(table, i / 4, i % 4, value))
            .toList());
    return rows(from, value);
  }

  static Set<String> rows(int from, String value) {
    Set<String> rows = new TreeSet<>();
    for (int i = from; i < from + ROWS; i++) {
      rows.add("%d/%d=%s".formatted(i / 4, i % 4, value));
    }
    return rows;
  }

  static Set<String> union(Set<String> first, Set<String> second) {
    Set<String> both = new TreeSet<>(first);
    both.addAll(second);
    return both;
  }

  static void assertRows(TestCluster cluster, Set<String> expected) {
    assertRows(cluster, TABLE, expected);
  }

  static void assertRows(TestCluster cluster, String table, Set<String> expected) {
    for (Node node : cluster.live()) {
      assertThat(rows(cluster, table, node)).as("%s on %s", table, node).isEqualTo(expected);
    }
  }

  static Set<String> rows(TestCluster cluster, Node node) {
    return rows(cluster, TABLE, node);
  }

  static Set<String> rows(TestCluster cluster, String table, Node node) {
    List<Row> rows =
        cluster.query(node, DefaultConsistencyLevel.ONE, "SELECT pk, ck, v FROM " + table);
    return rows.stream()
        .map(row -> row.getInt("pk") + "/" + row.getInt("ck") + "=" + row.getString("v"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  static List<Path> sstables(Node node) {
    return DataFiles.of(node, KEYSPACE, "t");
  }

  static boolean hasStore(Node node) {
    return hasStore(node, "t");
  }

  static boolean hasStore(Node node, String table) {
    Path engine = DataFiles.directory(node, KEYSPACE, table).resolve("engine");
    try (Stream<Path> files = Files.isDirectory(engine) ? Files.walk(engine) : Stream.empty()) {
      // LMDB's own, or a server's key of it
      return files.anyMatch(file -> file.endsWith("data.mdb") || file.endsWith("store-id"));
    } catch (UncheckedIOException | NoSuchFileException deleted) {
      // a part went while they were listed, others may be there
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Row engine(TestCluster cluster) {
    return cluster.engine(cluster.node(1), KEYSPACE, "t");
  }

  static void assertFound(TestCluster cluster, String value, int count) {
    String query = "SELECT pk, ck FROM %s WHERE v = '%s'".formatted(TABLE, value);
    for (Node node : cluster.live()) {
      await()
          .atMost(Duration.ofSeconds(60))
          .ignoreExceptions()
          .untilAsserted(
              () ->
                  assertThat(cluster.query(node, DefaultConsistencyLevel.ONE, query))
                      .hasSize(count));
    }
  }
}
