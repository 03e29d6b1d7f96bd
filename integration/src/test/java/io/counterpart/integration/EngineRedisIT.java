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
import io.counterpart.cluster.server.ServerPlace;
import io.counterpart.process.ProcessIdentity;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real node whose table is on a real Redis server, which is killed meanwhile. */
@OnUsualPorts
@Timeout(300)
class EngineRedisIT {
  private static final Path HOME = Path.of("target/engine-redis-it").toAbsolutePath();
  private static final String KEYSPACE = "engine_redis";
  private static final int ROWS = 300;
  private static final int VALUE_BYTES = 400;
  private static final Duration SOON = Duration.ofSeconds(30);

  private final Seed seed = Seed.of(EngineRedisIT.class);

  @Test
  void a_killed_server_loses_nothing_and_holds_no_other_table_up() throws Exception {
    requireServer();
    ClusterSpec spec = spec();
    try (TestCluster cluster = TestCluster.start(spec)) {
      Node node = cluster.node(1);
      cluster.createKeyspace(KEYSPACE, "{'class': 'SimpleStrategy', 'replication_factor': 1}");
      AcknowledgedWrites onRedis = table(cluster, "on_redis", "memtable = 'redis'");
      AcknowledgedWrites stock = table(cluster, "stock", "memtable = 'default'");
      onRedis.writeAll();
      cluster.flush(KEYSPACE);

      assertThat(DataFiles.of(node, KEYSPACE, "on_redis")).isEmpty();
      // a header for each row, and the state
      assertThat(entriesOnServer(spec)).isEqualTo(ROWS + 1);
      onRedis.checkEverywhere();

      onRedis.start(cluster.live());
      awaitWrites(onRedis, ROWS);
      serverOf(node).kill();
      CompletableFuture<Void> flush = CompletableFuture.runAsync(() -> flush(node, "on_redis"));
      awaitWrites(onRedis, onRedis.count() + ROWS);
      checkOtherTableGoesOn(cluster, stock);
      assertThatThrownBy(() -> readOnce(cluster, "on_redis")).isInstanceOf(DriverException.class);
      assertThat(flush).isNotDone();

      node.servers().start();

      flush.get(SOON.toSeconds(), TimeUnit.SECONDS);
      awaitWrites(onRedis, onRedis.count() + ROWS);
      onRedis.stop();
      onRedis.checkEverywhere();
      cluster.flush(KEYSPACE);
      assertThat(DataFiles.of(node, KEYSPACE, "on_redis")).isEmpty();

      cluster.kill(node);
      serverOf(node).kill();
      node.start(StartListener.SILENT);

      onRedis.checkEverywhere();
      stock.checkEverywhere();
      cluster.execute("DROP TABLE " + KEYSPACE + ".on_redis");
      await().atMost(SOON).until(() -> entriesOnServer(spec) == 0);
      ProcessIdentity server = serverOf(node);
      node.stop();
      assertThat(server.isAlive()).isFalse();
    }
  }

  private static void requireServer() {
    Optional<String> missing = ServerKind.of("redis").orElseThrow().missing();
    missing.ifPresent(
        what -> System.err.println("NOT TESTED: the engine redis on a real node needs " + what));
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
        .extraJars(List.of(installation.engineJar("redis")))
        .engines(List.of("redis"))
        .build();
  }

  private AcknowledgedWrites table(TestCluster cluster, String name, String with) {
    return new AcknowledgedWrites(cluster, KEYSPACE + "." + name, with, ROWS, VALUE_BYTES, seed);
  }

  private static ProcessIdentity serverOf(Node node) {
    return node.servers().processes().get("redis");
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

  /** Members of all sorted sets in the keyspace's database, by the server itself. */
  private static long entriesOnServer(ClusterSpec spec) throws Exception {
    NodeLayout node = NodeLayout.of(spec).get(0);
    ServerPlace place = NodeServers.places(spec, node).values().iterator().next();
    String password = Files.readString(place.directory().resolve("password"), UTF_8).strip();
    String count =
        ("EVAL \"redis.call('SELECT', redis.call('HGET', 'counterpart:keyspaces', '%s')) local n = 0"
                + " for _, k in ipairs(redis.call('KEYS', '*:order')) do n = n + redis.call('ZCARD',"
                + " k) end return n\" 0")
            .formatted(KEYSPACE);
    try (Socket socket = new Socket(place.address(), place.port())) {
      socket
          .getOutputStream()
          .write("AUTH %s\r\n%s\r\n".formatted(password, count).getBytes(UTF_8));
      BufferedReader answers =
          new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
      assertThat(answers.readLine()).isEqualTo("+OK");
      return Long.parseLong(answers.readLine().substring(1));
    }
  }
}
