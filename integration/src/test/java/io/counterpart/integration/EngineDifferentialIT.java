package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.StartListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The same random operations on tables of an engine and on stock ones, flushed, restarted and
 * killed in between: every read must give the same answer.
 */
@OnSecondCluster(Shape.THREE_NODES)
class EngineDifferentialIT {
  /** Memtable configurations. */
  private static final List<String> ENGINES = EngineServers.CONFIGURATIONS;

  /** Primary copies in an engine, redundant ones in the two-layer log. */
  private static final String BY_RANK = "by_rank";

  /** Cassandra's own engine by name, with decoupled compaction. */
  private static final String LSM = "lsm_decoupled";

  /** Arms of all tests; {@code stock} is the first. */
  private static final List<String> DURABLE =
      Stream.of(List.of("stock"), ENGINES, List.of(BY_RANK, LSM)).flatMap(List::stream).toList();

  /** Memory alone, which a killed node has to get back before it can be asked. */
  private static final List<String> ARMS =
      Stream.concat(DURABLE.stream(), Stream.of(EngineServers.VOLATILE)).toList();

  private static final String KEYSPACE = "engine_differential";
  private static final int OPERATIONS = 550;
  private static final int ROUND = 110;
  private static final int IN_FLIGHT = 96;
  private static final int SMALL_PAGE = 7;
  private static final int LARGE_PAGE = 500;

  /** Columns and key of each kind of table. */
  private static final Map<String, String> KINDS =
      Map.of(
          "rows", RandomOperations.schema(),
          "counters", "(pk int, ck int, n counter, PRIMARY KEY (pk, ck))",
          "singles", "(pk text PRIMARY KEY, v int, txt text, s set<int>, u pair, f frozen<pair>)");

  private final Seed seed = Seed.of(EngineDifferentialIT.class);

  /** That of the arm {@link #BY_RANK}, another one from run to run. */
  private final String primary = primary(seed.random());

  /** When all that was written with the short TTL is gone, by {@link System#nanoTime}. */
  private long expired = System.nanoTime();

  @Test
  void gives_the_same_answers_as_a_stock_table(TestCluster cluster) throws Exception {
    create(cluster);
    Random random = seed.random();
    RandomOperations operations = new RandomOperations(random, OPERATIONS);
    Map<String, String> tables = new LinkedHashMap<>();
    DURABLE.forEach(arm -> tables.put(arm, with(arm)));
    IndexedArms indexed = new IndexedArms(cluster, KEYSPACE, tables, random);
    indexed.write();

    for (int round = 0; operations.hasNext(); round++) {
      apply(cluster, operations, random);
      switch (round) {
        case 1 -> restart(cluster.node(2));
        case 2 -> {
          cluster.flush(KEYSPACE);
          apply(cluster, operations, random);
          indexed.index();
          killAndStart(cluster, cluster.node(3));
          indexed.write();
        }
        case 3 -> {
          killAndStart(cluster, cluster.node(1));
          indexed.check();
          indexed.drop();
          indexed.write();
        }
        default -> cluster.flush(KEYSPACE);
      }
      compare(cluster, random);
    }
    // the last comparison was after the short times to live
    cluster.flush(KEYSPACE);
    compare(cluster, random);
    indexed.checkRows();
    indexed.checkAbsorbing(ENGINES);
    for (Node node : cluster.live()) {
      assertThat(cluster.engine(node, KEYSPACE, "rows_memory").getDouble("hit_ratio"))
          .as("share of reads that memory answered on %s", node)
          .isGreaterThan(0)
          .isLessThanOrEqualTo(1);
      for (String kind : KINDS.keySet()) {
        for (String engine : ENGINES) {
          EngineServers.assertAbsorbed(node, KEYSPACE, kind + "_", engine);
        }
        assertThat(DataFiles.of(node, KEYSPACE, kind + "_stock")).isNotEmpty();
        assertThat(DataFiles.of(node, KEYSPACE, kind + "_" + BY_RANK)).isNotEmpty();
      }
    }
    cluster.execute("DROP KEYSPACE " + KEYSPACE);
  }

  /**
   * Without its server an engine is no arm here, nor in {@link EngineChangeIT}: that is counted.
   */
  @ParameterizedTest
  @ValueSource(strings = {"sql", "redis"})
  void each_engine_with_a_server_is_an_arm(String engine) {
    EngineServers.require(engine);

    assertThat(ARMS).contains(engine, EngineServers.direct(engine));
  }

  private static String primary(Random random) {
    List<String> engines = new ArrayList<>(List.of("lmdb_absorbing"));
    engines.addAll(EngineServers.SERVERS);
    String engine = engines.get(random.nextInt(engines.size()));
    System.out.printf("EngineDifferentialIT: primary copies by rank are in %s%n", engine);
    return engine;
  }

  private void create(TestCluster cluster) {
    cluster.createKeyspace(KEYSPACE, "{'class': 'NetworkTopologyStrategy', 'dc1': 3}");
    cluster.execute("CREATE TYPE %s.pair (a int, b text)".formatted(KEYSPACE));
    KINDS.forEach(
        (kind, schema) -> {
          for (String arm : ARMS) {
            cluster.execute(
                "CREATE TABLE %s.%s_%s %s%s".formatted(KEYSPACE, kind, arm, schema, with(arm)));
          }
        });
  }

  private String with(String arm) {
    return switch (arm) {
      case "stock" -> "";
      case BY_RANK ->
          " WITH memtable = '%s' AND compaction = ".formatted(primary)
              + TestCluster.decoupled(
                  Map.of("primary", "engine", "runs", "2", "split_segments", "1"));
      case LSM -> " WITH memtable = 'lsm' AND compaction = " + TestCluster.decoupled(Map.of());
      default -> " WITH memtable = '" + arm + "'";
    };
  }

  private static void restart(Node node) throws Exception {
    node.stop();
    node.start(StartListener.SILENT);
  }

  private static void killAndStart(TestCluster cluster, Node node) throws Exception {
    cluster.kill(node);
    node.start(StartListener.SILENT);
  }

  private void apply(TestCluster cluster, RandomOperations operations, Random random) {
    List<CompletionStage<AsyncResultSet>> pending = new ArrayList<>();
    for (int i = 0; i < ROUND && operations.hasNext(); i++) {
      String operation = operations.next();
      boolean conditional = RandomOperations.isConditional(operation);
      if (conditional) {
        join(pending);
      }
      both(cluster, operation, "rows", pending);
      if (conditional) {
        join(pending);
      }
      both(cluster, single(random, i), "singles", pending);
      if (i % 3 == 0) {
        String add = "UPDATE $T SET n = n + %d WHERE pk = %d AND ck = %d";
        both(cluster, add.formatted(random.nextInt(100), i % 40, i % 7), "counters", pending);
      }
      if (pending.size() >= IN_FLIGHT) {
        join(pending);
      }
    }
    join(pending);
    expired = System.nanoTime() + Duration.ofMillis(3500).toNanos();
  }

  /** Keys of any length: some are too long for LMDB. */
  private static String single(Random random, int number) {
    int key = random.nextInt(40);
    String pk = "k".repeat(key % 4 == 0 ? 600 : 3) + key;
    long timestamp = 1_600_000_000_000_000L + random.nextInt(1_000_000) * 1000L + number;
    String using = " USING TIMESTAMP " + timestamp;
    return switch (random.nextInt(7)) {
      case 0 -> "DELETE FROM $T%s WHERE pk = '%s'".formatted(using, pk);
      case 1 -> "DELETE v FROM $T%s WHERE pk = '%s'".formatted(using, pk);
      case 2 ->
          "UPDATE $T%s SET s = s + {%d} WHERE pk = '%s'".formatted(using, random.nextInt(9), pk);
      case 3 ->
          "UPDATE $T%s SET u.%s WHERE pk = '%s'"
              .formatted(using, random.nextBoolean() ? "a = " + number : "b = null", pk);
      case 4 ->
          "UPDATE $T%s SET u = {a: %d, b: 'b'}, f = {a: %d} WHERE pk = '%s'"
              .formatted(using, number, random.nextInt(9), pk);
      default ->
          "INSERT INTO $T (pk, v, txt) VALUES ('%s', %d, 't%d')%s"
              .formatted(pk, random.nextInt(9), random.nextInt(9), using);
    };
  }

  private static void both(
      TestCluster cluster,
      String operation,
      String kind,
      List<CompletionStage<AsyncResultSet>> pending) {
    for (String arm : ARMS) {
      pending.add(
          cluster
              .session()
              .executeAsync(
                  SimpleStatement.newInstance(
                          operation.replace("$T", KEYSPACE + "." + kind + "_" + arm))
                      // a conditional write's commit too: any node may be read after a kill
                      .setConsistencyLevel(DefaultConsistencyLevel.ALL)));
    }
  }

  private static void join(List<CompletionStage<AsyncResultSet>> pending) {
    pending.forEach(stage -> stage.toCompletableFuture().join());
    pending.clear();
  }

  /** Waits until what was written with the short TTL is gone. */
  private void awaitExpiry() {
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(200))
        .atMost(Duration.ofSeconds(60))
        .until(() -> System.nanoTime() - expired > 0);
  }

  private static void awaitWarm(TestCluster cluster) {
    for (Node node : cluster.live()) {
      for (String kind : KINDS.keySet()) {
        String table = kind + "_" + EngineServers.VOLATILE;
        await()
            .alias(table + " on " + node)
            .pollDelay(Duration.ZERO)
            .atMost(Duration.ofSeconds(120))
            .until(() -> !cluster.isCold(node, KEYSPACE, table));
      }
    }
  }

  private void compare(TestCluster cluster, Random random) {
    awaitWarm(cluster);
    awaitExpiry();
    Map<String, List<String>> queries =
        Map.of(
            "rows", rowQueries(random),
            "counters", List.of("SELECT pk, ck, n FROM $T", "SELECT n FROM $T WHERE pk = 3"),
            "singles", List.of("SELECT pk, v, txt, s, u, f, writetime(v) FROM $T"));
    List<Node> live = cluster.live();
    queries.forEach(
        (kind, all) -> {
          for (String query : all) {
            // all rows of each node, and of one what it takes to find some of them
            Node one = live.get(random.nextInt(live.size()));
            for (Node node : query.contains(" WHERE ") ? List.of(one) : live) {
              compare(cluster, node, query, kind, random.nextInt(3) == 0 ? SMALL_PAGE : LARGE_PAGE);
            }
          }
        });
  }

  private void compare(TestCluster cluster, Node node, String query, String kind, int page) {
    List<CompletionStage<List<String>>> answers =
        ARMS.stream().map(arm -> answer(cluster, node, query, kind + "_" + arm, page)).toList();
    List<String> stock = answers.get(0).toCompletableFuture().join();
    for (int arm = 1; arm < ARMS.size(); arm++) {
      assertThat(answers.get(arm).toCompletableFuture().join())
          .as("%s of %s_%s on %s, %s", query, kind, ARMS.get(arm), node, seed)
          .isEqualTo(stock);
    }
  }

  private static List<String> rowQueries(Random random) {
    List<String> queries = new ArrayList<>();
    queries.add("SELECT pk, ck, st, v, txt, s, m, l FROM $T");
    queries.add("SELECT DISTINCT pk, st FROM $T");
    for (int i = 0; i < 5; i++) {
      int pk = random.nextInt(RandomOperations.PARTITIONS);
      int from = random.nextInt(5);
      queries.add("SELECT * FROM $T WHERE pk = %d AND ck = %d".formatted(pk, from));
      queries.add(
          "SELECT ck, v, st, writetime(v) FROM $T WHERE pk = %d AND ck IN (1, 3, 8)".formatted(pk));
      queries.add(
          "SELECT ck, v, s FROM $T WHERE pk = %d AND ck > %d AND ck <= %d ORDER BY ck DESC"
              .formatted(pk, from, from + 4));
      queries.add("SELECT ck, m FROM $T WHERE pk = %d ORDER BY ck DESC LIMIT 3".formatted(pk));
      queries.add("SELECT pk, ck, v FROM $T WHERE token(pk) > token(%d) LIMIT 20".formatted(pk));
    }
    return queries;
  }

  /** All rows, page by page. */
  private static CompletionStage<List<String>> answer(
      TestCluster cluster, Node node, String query, String table, int page) {
    List<String> rows = new ArrayList<>();
    return cluster
        .session()
        .executeAsync(
            SimpleStatement.newInstance(query.replace("$T", KEYSPACE + "." + table))
                .setConsistencyLevel(DefaultConsistencyLevel.ONE)
                .setPageSize(page)
                .setNode(cluster.driverNode(node)))
        .thenCompose(first -> withFurtherPages(rows, first));
  }

  private static CompletionStage<List<String>> withFurtherPages(
      List<String> rows, AsyncResultSet page) {
    page.currentPage().forEach(row -> rows.add(row.getFormattedContents()));
    return page.hasMorePages()
        ? page.fetchNextPage().thenCompose(next -> withFurtherPages(rows, next))
        : CompletableFuture.completedFuture(rows);
  }
}
