package io.counterpart.integration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.counterpart.cluster.Installation;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.StartListener;
import io.counterpart.cluster.layout.ClusterSpec;
import io.counterpart.cluster.layout.NodeLayout;
import io.counterpart.cluster.server.NodeServers;
import io.counterpart.cluster.server.ServerKind;
import io.counterpart.process.ProcessIdentity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real node whose table is on a real MariaDB server, which is killed meanwhile. */
@OnUsualPorts
@Timeout(300)
class EngineSqlIT {
  private static final Path HOME = Path.of("target/engine-sql-it").toAbsolutePath();
  private static final String KEYSPACE = "engine_sql";
  private static final int ROWS = 300;
  private static final int VALUE_BYTES = 400;
  private static final Duration SOON = Duration.ofSeconds(30);

  private final Seed seed = Seed.of(EngineSqlIT.class);

  @Test
  void a_killed_server_loses_nothing_and_holds_no_other_table_up() throws Exception {
    requireServer();
    ClusterSpec spec = spec();
    try (TestCluster cluster = TestCluster.start(spec)) {
      Node node = cluster.node(1);
      cluster.createKeyspace(KEYSPACE, "{'class': 'SimpleStrategy', 'replication_factor': 1}");
      AcknowledgedWrites onSql = table(cluster, "on_sql", "memtable = 'sql'");
      AcknowledgedWrites stock = table(cluster, "stock", "memtable = 'default'");
      onSql.writeAll();
      cluster.flush(KEYSPACE);

      assertThat(DataFiles.of(node, KEYSPACE, "on_sql")).isEmpty();
      // a header for each row, and the state
      assertThat(rowsOnServer(spec)).isEqualTo(ROWS + 1);
      onSql.checkEverywhere();

      onSql.start(cluster.live());
      awaitWrites(onSql, ROWS);
      serverOf(node).kill();
      CompletableFuture<Void> flush = CompletableFuture.runAsync(() -> flush(node, "on_sql"));
      awaitWrites(onSql, onSql.count() + ROWS);
      checkOtherTableGoesOn(cluster, stock);
      assertThatThrownBy(() -> readOnce(cluster, "on_sql")).isInstanceOf(DriverException.class);
      assertThat(flush).isNotDone();

      node.servers().start();

      flush.get(SOON.toSeconds(), TimeUnit.SECONDS);
      awaitWrites(onSql, onSql.count() + ROWS);
      onSql.stop();
      onSql.checkEverywhere();
      cluster.flush(KEYSPACE);
      assertThat(DataFiles.of(node, KEYSPACE, "on_sql")).isEmpty();

      cluster.kill(node);
      serverOf(node).kill();
      node.start(StartListener.SILENT);

      onSql.checkEverywhere();
      stock.checkEverywhere();
      cluster.execute("DROP TABLE " + KEYSPACE + ".on_sql");
      await().atMost(SOON).until(() -> tablesOnServer(spec) == 0);
      ProcessIdentity server = serverOf(node);
      node.stop();
      assertThat(server.isAlive()).isFalse();
    }
  }

  private static void requireServer() {
    Optional<String> missing = ServerKind.of("sql").orElseThrow().missing();
    missing.ifPresent(
        what -> System.err.println("NOT TESTED: the engine sql on a real node needs " + what));
    Assumptions.assumeTrue(missing.isEmpty(), () -> "needs " + missing.orElse(""));
  }

  private static ClusterSpec spec() {
    Installation installation = Installation.locate();
    return ClusterSpec.builder(HOME)
        .nodes(1)
        .tokensPerNode(4)
        .heapMegabytes(450)
        .serverLib(installation.serverLib())
        .pluginJar(installation.pluginJar())
        .extraJars(List.of(installation.engineJar("sql")))
        .engines(List.of("sql"))
        .build();
  }

  private AcknowledgedWrites table(TestCluster cluster, String name, String with) {
    return new AcknowledgedWrites(cluster, KEYSPACE + "." + name, with, ROWS, VALUE_BYTES, seed);
  }

  private static ProcessIdentity serverOf(Node node) {
    return node.servers().processes().get("sql");
  }

  private static void awaitWrites(AcknowledgedWrites writes, long count) {
    await().atMost(SOON).until(() -> writes.count() >= count);
  }

  private static void flush(Node node, String table) {
    node.nodetool("flush", KEYSPACE, table);
  }

  /** Its flush is written; Cassandra itself reports flushes in their order, so later. */
  private static void checkOtherTableGoesOn(TestCluster cluster, AcknowledgedWrites stock) {
    Node node = cluster.node(1);
    stock.writeAll();
    CompletableFuture<Void> flush = CompletableFuture.runAsync(() -> flush(node, "stock"));
    await().atMost(SOON).until(() -> !DataFiles.of(node, KEYSPACE, "stock").isEmpty());
    stock.checkEverywhere();
    stock.writeAll();
    assertThat(flush).isNotCompletedExceptionally();
  }

  private static void readOnce(TestCluster cluster, String table) {
    cluster
        .session()
        .execute(
            SimpleStatement.newInstance("SELECT * FROM " + KEYSPACE + "." + table)
                .setConsistencyLevel(DefaultConsistencyLevel.ONE));
  }

  private static long rowsOnServer(ClusterSpec spec) throws Exception {
    String table =
        "SELECT CONCAT('`', TABLE_SCHEMA, '`.`', TABLE_NAME, '`') FROM information_schema.TABLES"
            + " WHERE TABLE_SCHEMA = '"
            + KEYSPACE
            + "'";
    return Long.parseLong(onServer(spec, "SELECT COUNT(*) FROM " + onServer(spec, table)));
  }

  private static long tablesOnServer(ClusterSpec spec) throws Exception {
    return Long.parseLong(
        onServer(
            spec,
            "SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA = '"
                + KEYSPACE
                + "'"));
  }

  private static String onServer(ClusterSpec spec, String query) throws Exception {
    NodeLayout node = NodeLayout.of(spec).get(0);
    Map<String, String> parameters = NodeServers.parameters(spec, node).get("sql");
    String password = Files.readString(Path.of(parameters.get("password_file")), UTF_8).strip();
    try (Connection connection =
            DriverManager.getConnection(parameters.get("url"), parameters.get("user"), password);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      assertThat(rows.next()).isTrue();
      return rows.getString(1);
    }
  }
}
