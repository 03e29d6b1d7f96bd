package io.counterpart.integration;

import static io.counterpart.integration.TierBeforeStore.end;
import static io.counterpart.integration.TierBeforeStore.failure;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.store.PersistentRecord;
import io.counterpart.cache.store.StoreLimits;
import io.counterpart.cache.store.StoreStatistics;
import io.counterpart.cache.store.cassandra.CassandraOptions;
import io.counterpart.cache.store.cassandra.CassandraStore;
import io.counterpart.cache.tier.Status;
import io.counterpart.cluster.Cluster;
import io.counterpart.cluster.Installation;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.StartListener;
import io.counterpart.cluster.layout.ClusterSpec;
import io.counterpart.memcached.MemcachedProgram;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The memory tier before a real node of Cassandra, on real memcached servers. */
@Timeout(300)
@OnThirdPorts
class CacheStoreIT {
  private static final Path HOME = Path.of("target/cache-store-it").toAbsolutePath();
  private static final int KEYS = 200;
  private static final int COMMAND_PORT = 24_411;

  /** Longer than a busy machine stands still. */
  private static final Duration PATIENT = Duration.ofSeconds(10);

  private static final Duration IMPATIENT = Duration.ofSeconds(5);

  private static Cluster cluster;
  private static CassandraStore store;
  private static CassandraStore impatientStore;

  private TierBeforeStore tier;
  private StoreStatistics statistics;
  private TierClient client;

  @BeforeAll
  static void start_a_node() throws Exception {
    assumeThat(MemcachedProgram.find("memcached")).as(MemcachedProgram.ADVICE).isPresent();
    cluster =
        Cluster.start(
            ClusterSpec.builder(HOME)
                .nodes(1)
                .tokensPerNode(4)
                .heapMegabytes(450)
                .ports(Shape.THIRD_PORTS)
                .serverLib(Installation.locate().serverLib())
                .pluginJar(Installation.locate().pluginJar())
                .build(),
            StartListener.SILENT);
    store = open(options("objects"));
    impatientStore = open(options("objects", IMPATIENT));
  }

  @AfterAll
  static void stop_the_node() {
    if (store != null) {
      store.close();
    }
    if (impatientStore != null) {
      impatientStore.close();
    }
    if (cluster != null) {
      cluster.nodes().forEach(Node::kill); // nobody reads its data any more
      cluster.close();
    }
  }

  private static CassandraStore open(CassandraOptions options) throws IOException {
    return CassandraStore.open(options, 0, TierBeforeStore.SECONDS);
  }

  private static CassandraOptions options(String table) {
    return options(table, PATIENT);
  }

  private static CassandraOptions options(String table, Duration timeout) {
    return with(table, "dc1", cluster.node(1).cqlPort(), timeout);
  }

  private static CassandraOptions with(
      String table, String datacenter, int port, Duration timeout) {
    return new CassandraOptions(
        List.of(new InetSocketAddress(cluster.node(1).address(), port)),
        datacenter,
        CassandraOptions.DEFAULT_KEYSPACE,
        null,
        table,
        DefaultConsistencyLevel.LOCAL_QUORUM,
        DefaultConsistencyLevel.LOCAL_QUORUM,
        timeout,
        null);
  }

  private void openTier(CassandraStore behind) throws Exception {
    tier = TierBeforeStore.open(HOME.resolve("tier"), 24_311, StoreLimits.DEFAULT, loop -> behind);
    client = tier.client();
    statistics = tier.statistics();
  }

  @AfterEach
  void close_the_tier() {
    if (tier != null) {
      tier.close();
    }
  }

  @Test
  void objects_outlive_all_of_memory_and_a_miss_is_one_request() throws Exception {
    openTier(store);
    List<CompletableFuture<Status>> writes = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      writes.add(client.set("k" + i, value(i), i, Duration.ZERO));
    }
    for (CompletableFuture<Status> write : writes) {
      assertThat(end(write)).isEqualTo(Status.DONE);
    }
    assertThat(statistics.writes().sum()).isEqualTo(KEYS);
    assertThat(end(client.delete("k0"))).isEqualTo(Status.DONE);
    assertThat(end(client.set("short", value(1), 0, Duration.ofSeconds(2)))).isEqualTo(Status.DONE);

    tier.emptyMemory();

    long before = statistics.reads().sum();
    List<CompletableFuture<Optional<TierClient.Value>>> reads =
        tier.together(() -> IntStream.range(0, 500).mapToObj(i -> client.get("k1")).toList());
    for (CompletableFuture<Optional<TierClient.Value>> read : reads) {
      assertThat(end(read).orElseThrow().bytes()).isEqualTo(value(1));
    }
    // the others have shared the answer, or waited in memory's turn until it was there
    assertThat(statistics.reads().sum() - before).isEqualTo(1);
    assertThat(end(client.get("k0"))).isEmpty();
    for (int i = 1; i < KEYS; i++) {
      TierClient.Value read = end(client.get("k" + i)).orElseThrow();
      assertThat(read.bytes()).isEqualTo(value(i));
      assertThat(read.flags()).isEqualTo(i);
    }
    before = statistics.reads().sum();
    for (int i = 1; i < KEYS; i++) {
      assertThat(end(client.get("k" + i))).isPresent();
    }
    assertThat(statistics.reads().sum()).isEqualTo(before);
    await().atMost(Duration.ofSeconds(60)).until(() -> end(client.get("short")).isEmpty());
  }

  @Test
  void reads_from_memory_go_on_and_writes_are_refused_while_cassandra_stands_still()
      throws Exception {
    openTier(impatientStore);
    assertThat(end(client.set("kept", value(1)))).isEqualTo(Status.DONE);
    assertThat(end(client.set("number", "7".getBytes(UTF_8)))).isEqualTo(Status.DONE);
    Node node = cluster.node(1);
    node.pause();
    try {
      // side by side: each waits for the store's timeout
      CompletableFuture<?> increment = client.increment("number", 1);
      CompletableFuture<?> read = client.get("not in memory");
      for (int i = 0; i < 3; i++) {
        assertThat(failure(client.set("kept", value(2)))).isEqualTo(Status.STORE_UNAVAILABLE);
        assertThat(end(client.get("kept")).orElseThrow().bytes()).isEqualTo(value(1));
      }
      assertThat(failure(increment)).isEqualTo(Status.STORE_UNAVAILABLE);
      assertThat(failure(read)).isEqualTo(Status.STORE_UNAVAILABLE);
      assertThat(new String(end(client.get("number")).orElseThrow().bytes(), UTF_8)).isEqualTo("7");
    } finally {
      node.resumeUnseen();
    }

    await()
        .atMost(Duration.ofSeconds(120))
        .ignoreExceptions()
        .until(() -> end(client.set("kept", value(3))) == Status.DONE);
    assertThat(end(client.increment("number", 1))).contains(8L);
    tier.emptyMemory();
    assertThat(end(client.get("kept")).orElseThrow().bytes()).isEqualTo(value(3));
    assertThat(end(client.increment("number", 1))).contains(9L);
    assertThat(statistics.failedWrites().sum()).isGreaterThanOrEqualTo(4);
  }

  @Test
  void a_write_that_arrives_late_loses() throws Exception {
    Key key = Key.of("late");
    end(store.write(key, new PersistentRecord(value(2), 0, 0, false, 2)).toCompletableFuture());

    end(store.write(key, new PersistentRecord(value(1), 0, 0, false, 1)).toCompletableFuture());

    PersistentRecord read = end(store.read(key).toCompletableFuture()).orElseThrow();
    assertThat(read.value()).isEqualTo(value(2));
    assertThat(read.timestamp()).isEqualTo(2);
    end(store.delete(key, 3).toCompletableFuture());
    end(store.write(key, new PersistentRecord(value(2), 0, 0, false, 2)).toCompletableFuture());
    assertThat(end(store.read(key).toCompletableFuture())).isEmpty();
  }

  @Test
  void what_is_wrong_is_told_with_what_is_legal() {
    try (CqlSession session = Sessions.open(cluster.nodes())) {
      session.execute("CREATE TABLE counterpart_cache.other (key blob PRIMARY KEY, v text)");
    }

    assertThatThrownBy(() -> open(options("other")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("table counterpart_cache.other has the columns {key=blob")
        .hasMessageContaining("value=blob regular");
    assertThatThrownBy(() -> open(with("objects", "nowhere", cluster.node(1).cqlPort(), PATIENT)))
        .isInstanceOf(IOException.class)
        .hasMessage("local datacenter is 'nowhere', legal in this cluster: dc1");
    assertThatThrownBy(() -> open(with("objects", "dc1", 1, PATIENT)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the persistent store is not reached at");
  }

  @Test
  void a_tier_of_the_command_line_keeps_its_objects_in_cassandra() throws Exception {
    Path home = HOME.resolve("command");
    Launcher launcher = new Launcher(HOME.resolve("command-output"));
    List<String> up =
        List.of(
            "--home=" + home,
            "--code=3,2",
            "--port=" + COMMAND_PORT,
            "--shards=2",
            "--servers=6",
            "--memory=16",
            "--store=cassandra",
            "--store-contact=" + cluster.node(1).address() + ":" + cluster.node(1).cqlPort(),
            "--store-table=of_commands",
            "--store-write=behind");
    try {
      launcher.run("cache", "up", up).ok();
      assertThat(tell("set kept 7 0 5\r\nvalue\r\n")).isEqualTo("STORED");
      launcher.run("cache", "down", "--home=" + home).ok();

      String shown = launcher.run("cache", "up", up).ok().out();

      assertThat(shown)
          .contains("persistent store: cassandra at 127.0.0.1")
          .contains("table counterpart_cache.of_commands, write-behind");
      // a busy machine may miss the store's usual timeout of two seconds
      String kept =
          await()
              .atMost(Duration.ofSeconds(60))
              .pollDelay(Duration.ZERO)
              .until(() -> tell("get kept\r\n"), answer -> !answer.startsWith("SERVER_ERROR"));
      assertThat(kept).isEqualTo("VALUE kept 7 5");
      String metrics =
          CacheMonitoring.metrics("http://127.0.0.1:%d/metrics".formatted(COMMAND_PORT - 1));
      CacheMonitoring.check_the_dashboard(metrics);
      CacheMonitoring.check_the_manual(metrics);
    } finally {
      launcher.run("cache", "down", "--home=" + home).ok();
    }
  }

  /** The first line of the answer. */
  private static String tell(String request) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", COMMAND_PORT)) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(request.getBytes(UTF_8));
      return new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8)).readLine();
    }
  }

  private static byte[] value(int i) {
    return ("value " + i).repeat(1 + i % 50).getBytes(UTF_8);
  }
}
