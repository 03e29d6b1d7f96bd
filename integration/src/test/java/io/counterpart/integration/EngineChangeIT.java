package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.Row;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.StartListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A table goes from engine to engine, and nodes die in between. */
@OnSecondCluster(Shape.THREE_NODES)
class EngineChangeIT {
  private static final String KEYSPACE = "engine_change";
  private static final String TABLE = KEYSPACE + ".t";
  private static final int ROWS = 60;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final Seed seed = Seed.of(EngineChangeIT.class);

  private static Set<String> rows(TestCluster cluster, Node node) {
    return cluster
        .query(node, DefaultConsistencyLevel.ONE, "SELECT pk, ck, v FROM " + TABLE)
        .stream()
        .map(Row::getFormattedContents)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static void write(TestCluster cluster, int round) {
    List<String> statements = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      statements.add(
          "INSERT INTO %s (pk, ck, v) VALUES (%d, %d, 'r%d')"
              .formatted(TABLE, i / 6, 10 * round + i % 6, round));
    }
    statements.add("DELETE FROM %s WHERE pk = %d".formatted(TABLE, round % 10));
    cluster.executeAll(statements);
  }

  /** Whether the table's folder has a store of any engine. */
  private static boolean hasStore(Node node) {
    Path root = DataFiles.directory(node, KEYSPACE, "t").resolve("engine");
    try (Stream<Path> files = Files.isDirectory(root) ? Files.walk(root) : Stream.empty()) {
      return files.anyMatch(file -> file.getFileName().toString().matches("[1-9][0-9]*"));
    } catch (UncheckedIOException | NoSuchFileException deleted) {
      // a part went while they were listed, others may be there
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void nothing_is_lost_if_a_node_dies_right_after_each_change(TestCluster cluster)
      throws Exception {
    cluster.createKeyspace(KEYSPACE, "{'class': 'NetworkTopologyStrategy', 'dc1': 3}");
    cluster.execute(
        "CREATE TABLE "
            + TABLE
            + " (pk int, ck int, v text, PRIMARY KEY (pk, ck)) WITH memtable = 'lmdb'");
    List<String> engines = new ArrayList<>(EngineServers.ENGINES);
    engines.remove("lmdb");
    engines.add("lsm");
    engines.add("lmdb");
    engines.add("lsm");
    int round = 0;
    for (String engine : engines) {
      write(cluster, round);
      cluster.flush(KEYSPACE);
      write(cluster, round + 1);
      Set<String> expected = rows(cluster, cluster.node(1));
      Node victim = cluster.node(1 + round % 3);

      cluster.execute("ALTER TABLE " + TABLE + " WITH memtable = '" + engine + "'");
      cluster.kill(victim);
      victim.start(StartListener.SILENT);

      for (Node node : cluster.live()) {
        assertThat(rows(cluster, node)).as("on %s, after %s", node, engine).isEqualTo(expected);
      }
      round += 2;
    }

    await()
        .alias("lsm has given back the stores")
        .atMost(LIMIT)
        .until(() -> cluster.live().stream().noneMatch(EngineChangeIT::hasStore));
    cluster.execute("DROP KEYSPACE " + KEYSPACE);
  }

  /** From sstables to each engine in turn, to direct writes and back. */
  @Test
  void each_engine_takes_over_while_rows_are_written(TestCluster cluster) throws Exception {
    String keyspace = KEYSPACE + "_beside_writes";
    String table = keyspace + ".t";
    cluster.createKeyspace(keyspace, "{'class': 'NetworkTopologyStrategy', 'dc1': 3}");
    AcknowledgedWrites rows =
        new AcknowledgedWrites(cluster, table, "memtable = 'lsm'", 400, 500, seed);
    rows.writeAll();
    List<String> engines = new ArrayList<>(EngineServers.ENGINES);
    engines.addAll(EngineServers.DIRECTS);
    engines.addAll(List.of("lmdb", "lsm"));
    for (String engine : engines) {
      rows.start(cluster.live());
      cluster.execute("ALTER TABLE " + table + " WITH memtable = '" + engine + "'");
      long before = rows.count();
      await().atMost(LIMIT).until(() -> rows.count() > before + 150);
      cluster.flush(keyspace);
      rows.stop();

      // the third copy may be late
      await().alias("after " + engine).atMost(LIMIT).untilAsserted(rows::checkEverywhere);
    }
    cluster.execute("DROP KEYSPACE " + keyspace);
  }
}
