package io.counterpart.integration;

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
import io.counterpart.process.ProcessIdentity;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * A real node whose table is on a real server of an engine, which is killed and hangs meanwhile.
 */
abstract class EngineOnServer {
  private static final String TABLE = "on_server";
  private static final int ROWS = 300;
  private static final int VALUE_BYTES = 400;
  private static final Duration SOON = Duration.ofSeconds(30);

  private final String keyspace;
  private final String engine;
  private final Seed seed = Seed.of(getClass());

  /**
   * @param engine name
   */
  EngineOnServer(String engine) {
    this.engine = engine;
    this.keyspace = "engine_" + engine;
  }

  @Test
  void a_killed_server_loses_nothing_and_holds_no_other_table_up() throws Exception {
    EngineServers.require(engine);
    ClusterSpec spec = spec();
    ServerStores stores = ServerStores.of(spec, 1, keyspace);
    try (TestCluster cluster = TestCluster.start(spec)) {
      Node node = cluster.node(1);
      cluster.createKeyspace(keyspace, "{'class': 'SimpleStrategy', 'replication_factor': 1}");
      AcknowledgedWrites onServer = table(cluster, TABLE, "memtable = '" + engine + "'");
      AcknowledgedWrites stock = table(cluster, "stock", "memtable = 'default'");
      AcknowledgedWrites direct = table(cluster, "direct", "memtable = '" + direct() + "'");
      onServer.writeAll();
      cluster.flush(keyspace);

      assertThat(DataFiles.of(node, keyspace, TABLE)).isEmpty();
      // a header for each row, and the state
      assertThat(stores.entries()).isEqualTo(ROWS + 1);
      onServer.checkEverywhere();
      direct.writeAll();
      // without a flush
      assertThat(stores.entries()).isGreaterThan(2 * ROWS);

      onServer.start(cluster.live());
      direct.start(cluster.live());
      awaitWrites(onServer, ROWS);
      awaitWrites(direct, ROWS + 50);
      serverOf(node).kill();
      // those under way fail, or not, in a bounded time
      direct.stop();
      CompletableFuture<Void> flush = CompletableFuture.runAsync(() -> flush(node, TABLE));
      awaitWrites(onServer, onServer.count() + ROWS);
      checkOtherTableGoesOn(cluster, stock);
      assertThatThrownBy(() -> readOnce(cluster, TABLE)).isInstanceOf(DriverException.class);
      assertThatThrownBy(
              () -> cluster.execute("INSERT INTO %s.direct (id) VALUES (-1)".formatted(keyspace)))
          .isInstanceOf(DriverException.class);
      assertThat(flush).isNotDone();

      node.servers().start();

      flush.get(SOON.toSeconds(), TimeUnit.SECONDS);
      awaitWrites(onServer, onServer.count() + ROWS);
      checkHangingServer(cluster, onServer, stock);
      onServer.stop();
      onServer.checkEverywhere();
      await()
          .atMost(SOON)
          .ignoreExceptionsMatching(DriverException.class::isInstance)
          .untilAsserted(
              () -> cluster.execute("DELETE FROM %s.direct WHERE id = -1".formatted(keyspace)));
      direct.checkEverywhere();
      direct.writeAll();
      direct.checkEverywhere();
      cluster.flush(keyspace);
      assertThat(DataFiles.of(node, keyspace, TABLE)).isEmpty();

      cluster.kill(node);
      serverOf(node).kill();
      node.start(StartListener.SILENT);

      onServer.checkEverywhere();
      stock.checkEverywhere();
      direct.checkEverywhere();
      cluster.execute("DROP TABLE " + keyspace + "." + TABLE);
      cluster.execute("DROP TABLE " + keyspace + ".direct");
      await().atMost(SOON).until(() -> !stores.exist());
      ProcessIdentity server = serverOf(node);
      node.stop();
      assertThat(server.isAlive()).isFalse();
    }
  }

  /** It takes connections, and answers nothing. */
  private void checkHangingServer(
      TestCluster cluster, AcknowledgedWrites onServer, AcknowledgedWrites stock) throws Exception {
    Node node = cluster.node(1);
    ProcessIdentity server = serverOf(node);
    CompletableFuture<Void> flush;
    server.pause();
    try {
      awaitWrites(onServer, onServer.count() + ROWS);
      assertThatThrownBy(() -> readOnce(cluster, TABLE)).isInstanceOf(DriverException.class);
      flush = CompletableFuture.runAsync(() -> flush(node, TABLE));
      checkOtherTableGoesOn(cluster, stock);
      assertThat(flush).isNotDone();
    } finally {
      server.resume();
    }
    flush.get(SOON.toSeconds(), TimeUnit.SECONDS);
    awaitWrites(onServer, onServer.count() + ROWS);
  }

  private ClusterSpec spec() {
    Installation installation = Installation.locate();
    return ClusterSpec.builder(Path.of("target/engine-" + engine + "-it").toAbsolutePath())
        .nodes(1)
        .tokensPerNode(4)
        .heapMegabytes(450)
        .serverLib(installation.serverLib())
        .pluginJar(installation.pluginJar())
        .extraJars(List.of(installation.engineJar(engine)))
        .engines(List.of(engine))
        .yaml(
            Map.of(
                "memtable",
                Map.of(
                    "configurations",
                    Map.of(
                        direct(),
                        Map.of("inherits", engine, "parameters", Map.of("mode", "direct"))))))
        .build();
  }

  /** The configuration whose writes reach the server before they are acknowledged. */
  private String direct() {
    return engine + "_direct";
  }

  private AcknowledgedWrites table(TestCluster cluster, String name, String with) {
    return new AcknowledgedWrites(cluster, keyspace + "." + name, with, ROWS, VALUE_BYTES, seed);
  }

  private ProcessIdentity serverOf(Node node) {
    return node.servers().processes().get(engine);
  }

  private static void awaitWrites(AcknowledgedWrites writes, long count) {
    await().atMost(SOON).until(() -> writes.count() >= count);
  }

  private void flush(Node node, String table) {
    node.nodetool("flush", keyspace, table);
  }

  /** Its flush is written; Cassandra itself reports flushes in their order, so later. */
  private void checkOtherTableGoesOn(TestCluster cluster, AcknowledgedWrites stock) {
    Node node = cluster.node(1);
    stock.writeAll();
    CompletableFuture<Void> flush = CompletableFuture.runAsync(() -> flush(node, "stock"));
    await().atMost(SOON).until(() -> !DataFiles.of(node, keyspace, "stock").isEmpty());
    stock.checkEverywhere();
    stock.writeAll();
    assertThat(flush).isNotCompletedExceptionally();
  }

  private void readOnce(TestCluster cluster, String table) {
    cluster
        .session()
        .execute(
            SimpleStatement.newInstance("SELECT * FROM " + keyspace + "." + table)
                .setConsistencyLevel(DefaultConsistencyLevel.ONE));
  }
}
