package io.counterpart.integration;

import static io.counterpart.integration.EngineRows.KEYSPACE;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.counterpart.cluster.Node;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A table of {@link EngineRows#KEYSPACE} with more data on each node than a flush takes from a
 * store to sstables.
 */
final class LargeRows {
  /** Of {@link #VALUE_BYTES} each: 80 MiB, and 64 are the bound. */
  static final int ROWS = 320;

  static final int VALUE_BYTES = 256 << 10;
  private static final String VALUE = "v".repeat(VALUE_BYTES);

  private final TestCluster cluster;
  private final String name;
  private final PreparedStatement insert;

  /** Creates it. */
  LargeRows(TestCluster cluster, String name, String memtable) {
    this.cluster = cluster;
    this.name = name;
    cluster.execute(
        "CREATE TABLE %s.%s (id int PRIMARY KEY, v text) WITH memtable = '%s'"
            .formatted(KEYSPACE, name, memtable));
    this.insert =
        cluster
            .session()
            .prepare("INSERT INTO %s.%s (id, v) VALUES (?, ?)".formatted(KEYSPACE, name));
  }

  /** All of them, in the store of each node. */
  void store() {
    write(0, ROWS);
    cluster.flush(KEYSPACE);
    for (Node node : cluster.live()) {
      assertThat(cluster.engine(node, KEYSPACE, name).getLong("used_bytes"))
          .as("in the store of %s", node)
          .isGreaterThan((long) ROWS * VALUE_BYTES);
    }
  }

  /** Writes rows at ALL, one after the other: nodes of tests have little memory. */
  void write(int from, int to) {
    for (int id = from; id < to; id++) {
      cluster.execute(insert.bind(id, VALUE));
    }
  }

  /** Each node has the rows below a number, and no others. */
  void assertRows(int count) {
    Set<Integer> expected =
        IntStream.range(0, count).boxed().collect(Collectors.toCollection(TreeSet::new));
    for (Node node : cluster.live()) {
      assertThat(ids(node)).as("%s on %s", name, node).isEqualTo(expected);
    }
  }

  private Set<Integer> ids(Node node) {
    String query = "SELECT id FROM %s.%s".formatted(KEYSPACE, name);
    return cluster.query(node, DefaultConsistencyLevel.ONE, query).stream()
        .map(row -> row.getInt("id"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Data files of a snapshot, which are compressed. */
  long bytesInSnapshot(Node node, String snapshot) {
    Path directory =
        DataFiles.directory(node, KEYSPACE, name).resolve("snapshots").resolve(snapshot);
    return DataFiles.in(directory).stream().mapToLong(file -> file.toFile().length()).sum();
  }
}
