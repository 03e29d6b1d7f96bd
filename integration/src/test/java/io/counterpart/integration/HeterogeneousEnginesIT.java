package io.counterpart.integration;

import static io.counterpart.integration.ModelledRows.PARTITIONS;
import static io.counterpart.integration.ModelledRows.ROWS_IN_PARTITION;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.Row;
import io.counterpart.cluster.Installation;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.NodeState;
import io.counterpart.cluster.StartListener;
import io.counterpart.cluster.layout.ClusterSpec;
import io.counterpart.cluster.layout.EngineLayout;
import io.counterpart.cluster.layout.Location;
import io.counterpart.cluster.layout.Snitches;
import io.counterpart.core.placement.engine.EngineClass;
import io.counterpart.core.placement.engine.EngineQuotas;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/**
 * The quorum (4, 3, 2) on two servers: each row has two copies in MariaDB, one in Redis and one in
 * memory alone. What operators do to such tables loses nothing and brings nothing back.
 */
@OnUsualPorts
@Timeout(400)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class HeterogeneousEnginesIT {
  private static final Path HOME = Path.of("target/heterogeneous-engines-it").toAbsolutePath();
  private static final String KEYSPACE = "engines_of_classes";
  private static final String TABLE = "t";
  private static final String FOUR_COPIES = "{'class': 'NetworkTopologyStrategy', 'dc1': 4}";

  /** With no second answer that could hide what the first replica has. */
  private static final String ENGINE = "memtable = 'engine' AND speculative_retry = 'NEVER'";

  private static final ConsistencyLevel WRITES = DefaultConsistencyLevel.THREE;
  private static final ConsistencyLevel READS = DefaultConsistencyLevel.TWO;
  private static final ConsistencyLevel ALL = DefaultConsistencyLevel.ALL;

  /** Nodes drop writes that they find when they go on after it. */
  private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(2);

  private static final Duration SOON = Duration.ofSeconds(120);
  private static final int THIRD = PARTITIONS / 3;

  private static TestCluster cluster;
  private static Node sql;
  private static Node redis;
  private static Node memory;

  private final Seed seed = Seed.of(HeterogeneousEnginesIT.class);

  @BeforeAll
  static void start() throws Exception {
    EngineServers.require("sql");
    EngineServers.require("redis");
    EngineLayout layout =
        new EngineLayout(
            Map.of(
                EngineClass.WRITE,
                "sql",
                EngineClass.READ,
                "redis",
                EngineClass.MEMORY,
                "volatile"),
            EngineQuotas.of(4, 3, 2));
    Installation installation = Installation.locate();
    cluster =
        TestCluster.start(
            ClusterSpec.builder(HOME)
                .layout(layout, 2)
                .tokensPerNode(2)
                .heapMegabytes(400)
                .serverLib(installation.serverLib())
                .pluginJar(installation.pluginJar())
                .extraJars(layout.jars().stream().map(installation::engineJar).distinct().toList())
                .snitch(Snitches.PRIMARY_FIRST)
                .jvmOptions(layout.optionsForReads(List.of()))
                // a slow sync keeps the log's end unmarked: a kill loses what was acknowledged
                .jvmOptions(List.of("-Dcassandra.skip_sync=true", RingMembers.NO_BATCHES))
                .yaml(yaml())
                .build());
    sql = cluster.node(1);
    redis = cluster.node(2);
    memory = cluster.node(3);
  }

  private static Map<String, Object> yaml() {
    return Map.of(
        "dynamic_snitch",
        false,
        // a node that was away has what repairs and reads bring, and nothing else
        "hinted_handoff_enabled",
        false,
        "write_request_timeout",
        WRITE_TIMEOUT.toMillis() + "ms",
        "memtable",
        Map.of(
            "configurations",
            Map.of(
                "engine_absorbing",
                Map.of(
                    "inherits", "engine", "parameters", Map.of("absorb_sstables_after", "2s")))));
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @BeforeEach
  void create() {
    for (Node node : cluster.cluster().nodes()) {
      if (node.state() == NodeState.PAUSED) {
        node.resume();
      } else if (!node.isAlive()) {
        node.start(StartListener.SILENT);
      }
    }
    cluster.createKeyspace(KEYSPACE, FOUR_COPIES);
  }

  private ModelledRows table(String with) {
    return new ModelledRows(cluster, KEYSPACE, TABLE, with, seed);
  }

  /** A coordinator that is never away. */
  private static Node coordinator() {
    return cluster.node(4);
  }

  private static void write(ModelledRows rows, ConsistencyLevel level) {
    rows.write(coordinator(), level, 0, PARTITIONS);
  }

  /** Until nobody delivers any more what was sent to a node that is away. */
  private static void awaitExpiry() {
    long begin = System.nanoTime();
    await().until(() -> System.nanoTime() - begin > WRITE_TIMEOUT.plusMillis(500).toNanos());
  }

  @Test
  @Order(1)
  void every_row_has_its_copies_and_reads_at_two_see_writes_at_three() {
    ModelledRows rows = table("memtable = 'engine' AND speculative_retry = '50ms'");
    write(rows, ALL);
    cluster.flush(KEYSPACE);

    assertThat(rows.replicas(sql)).hasSize(PARTITIONS);
    rows.replicas(sql)
        .forEach(
            (pk, replicas) ->
                assertThat(
                        replicas.stream()
                            .collect(groupingBy(address -> classOf(address), counting())))
                    .as("replicas of %d: %s", pk, replicas)
                    .isEqualTo(Map.of("write", 2L, "read", 1L, "memory", 1L)));
    for (Node node : cluster.live()) {
      Row engine = cluster.engine(node, KEYSPACE, TABLE);
      assertThat(engine.getString("engine")).isEqualTo(engineOf(node));
      assertThat(engine.getLong("partitions"))
          .as("%s", node)
          .isEqualTo(rows.replicated(node).size());
      assertThat(DataFiles.of(node, KEYSPACE, TABLE)).as("%s", node).isEmpty();
    }
    assertThat(rows.replicated(sql)).hasSize(PARTITIONS);
    assertThat(rows.replicated(redis)).hasSizeBetween(1, PARTITIONS - 1);

    readsMeetWritesThatOneMissed(rows, memory, List.of());
    readsMeetWritesThatOneMissed(rows, redis, List.of());
    // reads ask a write node when the memory node of a row is away
    readsMeetWritesThatOneMissed(rows, sql, List.of(memory, cluster.node(6)));
    rows.check(coordinator(), ALL);
  }

  /**
   * Writes while one node is away. Once it is back, its own copies are old, and reads at TWO that
   * begin with them are not; nor those of others while further nodes are away.
   */
  private static void readsMeetWritesThatOneMissed(
      ModelledRows rows, Node stale, List<Node> awayLater) {
    haveMiss(
        stale,
        rows,
        () -> {
          write(rows, WRITES);
          rows.check(coordinator(), READS);
        });
    rows.checkOwnFirst(stale, READS);

    awayLater.forEach(Node::pause);
    rows.check(coordinator(), READS);
    rows.check(cluster.node(5), READS);
    awayLater.forEach(Node::resume);
  }

  private static String classOf(String address) {
    return cluster.cluster().nodes().stream()
        .filter(node -> node.address().equals(address))
        .map(node -> node.location().rack())
        .findFirst()
        .orElseThrow();
  }

  private static String engineOf(Node node) {
    return Map.of("write", "sql", "read", "redis", "memory", "memory").get(node.location().rack());
  }

  @Test
  @Order(2)
  void a_snapshot_of_each_engine_restores_all_rows_of_its_node() throws Exception {
    ModelledRows rows = table(ENGINE);
    write(rows, ALL);
    cluster.flush(KEYSPACE);
    rows.delete(coordinator(), ALL, 0, THIRD);
    rows.write(coordinator(), ALL, THIRD, 2 * THIRD);
    List<Node> server = List.of(sql, redis, memory);

    server.parallelStream().forEach(node -> Snapshots.take(node, "before", KEYSPACE));
    SortedMap<Integer, SortedMap<Integer, String>> before = rows.expected();
    rows.write(coordinator(), ALL, 0, THIRD);
    rows.truncate();
    rows.check(coordinator(), ALL);
    for (Node node : server) {
      DataFiles.restore(node, KEYSPACE, TABLE, "before");
    }

    rows.expect(before);
    server.forEach(rows::checkOwn);
    // the write node of this server has every row
    rows.check(coordinator(), ALL);
    rows.write(coordinator(), ALL, 2 * THIRD, PARTITIONS);
    cluster.flush(KEYSPACE);
    rows.check(coordinator(), ALL);
    server.forEach(node -> Snapshots.clear(node, KEYSPACE));
  }

  @Test
  @Order(3)
  void nothing_comes_back_after_truncate() throws Exception {
    ModelledRows rows = table(ENGINE);
    write(rows, ALL);
    cluster.flush(KEYSPACE);
    rows.write(coordinator(), ALL, 0, THIRD);

    rows.truncate();
    rows.check(coordinator(), ALL);
    rows.write(coordinator(), ALL, 0, 10);
    cluster.flush(KEYSPACE);
    rows.write(coordinator(), ALL, 10, 20);
    for (Node node : List.of(sql, redis)) {
      cluster.kill(node);
      node.servers().kill();
    }
    sql.start(StartListener.SILENT);
    redis.start(StartListener.SILENT);

    cluster.live().forEach(rows::checkOwn);
    rows.check(coordinator(), ALL);
  }

  @Test
  @Order(4)
  void repair_brings_deletions_to_nodes_that_were_away() throws Exception {
    ModelledRows rows = table(ENGINE);
    write(rows, ALL);
    cluster.flush(KEYSPACE);

    // what was in memory alone is lost: the node repairs its ranges by itself
    cluster.kill(memory);
    rows.delete(coordinator(), WRITES, 2 * THIRD, PARTITIONS);
    awaitExpiry();
    memory.start(StartListener.SILENT);
    assertThat(memory.logFile()).content().contains(rows.name() + " is cold");
    await().atMost(SOON).until(() -> !isCold(memory));
    rows.checkOwn(memory);

    cluster.kill(sql);
    rows.delete(coordinator(), WRITES, 0, THIRD);
    awaitExpiry();
    sql.start(StartListener.SILENT);
    haveRedisMiss(rows, THIRD, 2 * THIRD);
    cluster.flush(KEYSPACE);
    assertThat(rows.ownDifferences(sql)).as("deletions that %s has missed", sql).isNotEmpty();
    assertThat(rows.ownDifferences(redis)).as("deletions that %s has missed", redis).isNotEmpty();
    sql.nodetool("repair", "-full", KEYSPACE, TABLE);
    cluster.live().forEach(rows::checkOwn);

    haveRedisMiss(rows, 0, THIRD);
    assertThat(redis.nodetool("repair", KEYSPACE, TABLE)).contains("completed successfully");
    cluster.live().forEach(rows::checkOwn);
    rows.check(coordinator(), ALL);
  }

  /** Writes all rows of a range and deletes most. */
  private static void haveRedisMiss(ModelledRows rows, int from, int to) {
    haveMiss(
        redis,
        rows,
        () -> {
          rows.write(coordinator(), WRITES, from, to);
          rows.delete(coordinator(), WRITES, from + 10, to);
        });
  }

  /**
   * Writes while a node is paused. It may take what waits in its connections for fresh, as it reads
   * the clock now and then: then once more.
   */
  private static void haveMiss(Node away, ModelledRows rows, Runnable writes) {
    await()
        .alias("what %s has missed".formatted(away))
        .atMost(SOON)
        .pollDelay(Duration.ZERO)
        .pollInSameThread()
        .until(
            () -> {
              away.pause();
              writes.run();
              awaitExpiry();
              away.resume();
              return !rows.ownDifferences(away).isEmpty();
            });
  }

  private static boolean isCold(Node node) {
    return cluster.isCold(node, KEYSPACE, TABLE);
  }

  @Test
  @Order(5)
  void drop_removes_the_stores_of_a_table_alone() throws Exception {
    ModelledRows dropped = table(ENGINE);
    write(dropped, ALL);
    ModelledRows kept = new ModelledRows(cluster, KEYSPACE, "kept", ENGINE, seed);
    write(kept, ALL);
    cluster.flush(KEYSPACE);
    List<Node> withServers = cluster.live().stream().filter(this::hasServer).toList();
    assertThat(withServers).hasSize(4);
    for (Node node : withServers) {
      // stores of an earlier test's table are deleted in the background
      await()
          .atMost(SOON)
          .pollDelay(Duration.ZERO)
          .untilAsserted(
              () ->
                  assertThat(stores(node).entries())
                      .as("%s", node)
                      .isEqualTo(2 * entries(kept, node)));
    }
    List<Path> directories =
        cluster.live().stream()
            .map(node -> DataFiles.directory(node, KEYSPACE, TABLE).resolve("engine"))
            .toList();
    assertThat(directories).allMatch(Files::isDirectory);

    cluster.execute("DROP TABLE " + dropped.name());

    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              for (Node node : withServers) {
                assertThat(stores(node).entries()).as("%s", node).isEqualTo(entries(kept, node));
              }
              assertThat(directories).noneMatch(Files::exists);
            });
    kept.check(coordinator(), ALL);
    cluster.live().forEach(kept::checkOwn);
    cluster.execute("DROP TABLE " + kept.name());
    for (Node node : withServers) {
      await().atMost(SOON).until(() -> !stores(node).exist());
    }
  }

  private boolean hasServer(Node node) {
    return !node.servers().processes().isEmpty();
  }

  private static ServerStores stores(Node node) {
    return ServerStores.of(cluster.cluster().spec(), node.index(), KEYSPACE);
  }

  /** A header and its rows for each partition, and the state. */
  private static long entries(ModelledRows rows, Node node) {
    return rows.replicated(node).size() * (1L + ROWS_IN_PARTITION) + 1;
  }

  /** With two copies on whatever nodes: under quotas a node cannot join by itself. */
  @Test
  @Order(6)
  void a_node_joins_and_nodes_of_two_classes_leave() {
    cluster.createKeyspace(KEYSPACE, "{'class': 'SimpleStrategy', 'replication_factor': 2}");
    ModelledRows rows = table("memtable = 'engine_absorbing' AND speculative_retry = 'NEVER'");
    write(rows, ALL);
    cluster.flush(KEYSPACE);
    rows.write(coordinator(), ALL, 0, THIRD);

    List<Long> tokens = seed.random().longs(4).boxed().toList();
    Node joined =
        cluster.cluster().addNode(new Location("dc1", "read"), tokens, StartListener.SILENT);
    cluster.live().forEach(rows::checkOwn);
    rows.check(coordinator(), ALL);
    assertThat(rows.replicated(joined)).isNotEmpty();
    // what nodes have lost is found in the background, and a cleanup before that leaves it
    await()
        .atMost(SOON)
        .pollInterval(Duration.ofSeconds(2))
        // a node refuses a cleanup until it has computed its ranges anew
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              cluster.cleanup(KEYSPACE);
              checkInStores(rows);
            });
    assertThat(cluster.engine(joined, KEYSPACE, TABLE).getString("engine")).isEqualTo("redis");

    for (Node leaving : List.of(memory, sql)) {
      rows.write(coordinator(), ALL, THIRD, 2 * THIRD);
      leaving.nodetool("decommission");
      leaving.kill();
      RingMembers.awaitSettled(cluster);
      cluster.live().forEach(rows::checkOwn);
      rows.check(coordinator(), ALL);
    }
    cluster.flush(KEYSPACE);
    awaitInStores(rows);
    cluster.live().forEach(rows::checkOwn);
    rows.check(coordinator(), ALL);
  }

  /** Each store has exactly the copies of its node; nothing is left in sstables. */
  private static void awaitInStores(ModelledRows rows) {
    await().atMost(SOON).untilAsserted(() -> checkInStores(rows));
  }

  private static void checkInStores(ModelledRows rows) {
    for (Node node : cluster.live()) {
      assertThat(cluster.engine(node, KEYSPACE, TABLE).getLong("partitions"))
          .as("%s", node)
          .isEqualTo(rows.replicated(node).size());
      assertThat(DataFiles.of(node, KEYSPACE, TABLE)).as("%s", node).isEmpty();
    }
  }
}
