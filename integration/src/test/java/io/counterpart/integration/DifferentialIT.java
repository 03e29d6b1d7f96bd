package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.counterpart.cluster.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/**
 * The same random operations on decoupled tables and on a stock one, flushed and compacted at
 * different times by different structures: every read must give the same answer.
 */
@OnCluster(Shape.THREE_NODES)
class DifferentialIT {
  private static final String KEYSPACE = "differential";
  private static final String STOCK = "stock";
  private static final String STOCK_COUNTERS = "counters_stock";

  private static final int OPERATIONS = 1000;
  private static final int FLUSH_EVERY = 200;
  private static final int ONE_PAGE = 10_000;
  private static final int IN_FLIGHT = 192;

  private static final List<ConsistencyLevel> SEVERAL_REPLICAS =
      List.of(
          DefaultConsistencyLevel.TWO,
          DefaultConsistencyLevel.THREE,
          DefaultConsistencyLevel.QUORUM,
          DefaultConsistencyLevel.LOCAL_QUORUM,
          DefaultConsistencyLevel.LOCAL_ONE,
          DefaultConsistencyLevel.ALL);

  /** Tables whose segments are split one by one, and whose runs are merged then. */
  private static final List<String> MERGED =
      List.of("runs_1", "runs_3", "merge_all", DecoupledVariants.FORMATS);

  private static final Map<String, String> VARIANTS = DecoupledVariants.ofRows();
  private static final Map<String, String> COUNTER_VARIANTS = DecoupledVariants.ofCounters();

  private final Seed seed = Seed.of(DifferentialIT.class);

  @Test
  void gives_the_same_answers_as_a_stock_table(TestCluster cluster) {
    create(cluster);
    Random random = seed.random();
    RandomOperations operations = new RandomOperations(random, OPERATIONS);

    for (int done = 0; operations.hasNext(); done += FLUSH_EVERY) {
      apply(cluster, operations);
      awaitSplits(cluster);
      cluster.flush(KEYSPACE);
      if (done == OPERATIONS / 2 / FLUSH_EVERY * FLUSH_EVERY) {
        awaitExpiry(cluster);
        compareEverywhere(cluster, random);
      }
    }
    awaitExpiry(cluster);
    VARIANTS.keySet().forEach(table -> cluster.settle(KEYSPACE, table));
    compareEverywhere(cluster, random);
    compareAtAllLevels(cluster, random);
    assertTheStructuresWorked(cluster);

    cluster.compact(KEYSPACE);
    compareEverywhere(cluster, random);
    cluster.execute("DROP KEYSPACE " + KEYSPACE);
  }

  private void create(TestCluster cluster) {
    cluster.createKeyspace(KEYSPACE, "{'class': 'NetworkTopologyStrategy', 'dc1': 3}");
    cluster.execute("CREATE TABLE %s.%s %s".formatted(KEYSPACE, STOCK, RandomOperations.schema()));
    VARIANTS.forEach(
        (table, with) ->
            cluster.execute(
                "CREATE TABLE %s.%s %s WITH %s"
                    .formatted(KEYSPACE, table, RandomOperations.schema(), with)));
    for (String table : rowTables()) {
      cluster.execute("CREATE INDEX ON %s.%s (v)".formatted(KEYSPACE, table));
      cluster.execute("CREATE INDEX ON %s.%s (txt) USING 'sai'".formatted(KEYSPACE, table));
    }
    String counters = "(pk int, ck int, n counter, PRIMARY KEY (pk, ck))";
    cluster.execute("CREATE TABLE %s.%s %s".formatted(KEYSPACE, STOCK_COUNTERS, counters));
    COUNTER_VARIANTS.forEach(
        (table, with) ->
            cluster.execute(
                "CREATE TABLE %s.%s %s WITH %s".formatted(KEYSPACE, table, counters, with)));
  }

  /** One flush interval of operations, on every table. */
  private void apply(TestCluster cluster, RandomOperations operations) {
    List<CompletionStage<AsyncResultSet>> pending = new ArrayList<>();
    for (int i = 0; i < FLUSH_EVERY && operations.hasNext(); i++) {
      String operation = operations.next();
      if (RandomOperations.isConditional(operation)) {
        join(pending);
        for (String table : rowTables()) {
          cluster.session().execute(statement(operation, table));
        }
        continue;
      }
      for (String table : rowTables()) {
        pending.add(cluster.session().executeAsync(statement(operation, table)));
      }
      if (i % 3 == 0) {
        String add =
            "UPDATE $T SET n = n + %d WHERE pk = %d AND ck = %d"
                .formatted(operation.hashCode() % 100, i % 40, i % 7);
        counterTables()
            .forEach(table -> pending.add(cluster.session().executeAsync(statement(add, table))));
      }
      if (pending.size() >= IN_FLIGHT) {
        join(pending);
      }
    }
    join(pending);
  }

  private static void join(List<CompletionStage<AsyncResultSet>> pending) {
    pending.forEach(stage -> stage.toCompletableFuture().join());
    pending.clear();
  }

  private static Statement<?> statement(String operation, String table) {
    boolean conditional = RandomOperations.isConditional(operation);
    return SimpleStatement.newInstance(
            operation.replace(RandomOperations.TABLE, KEYSPACE + "." + table))
        .setConsistencyLevel(
            conditional ? DefaultConsistencyLevel.QUORUM : DefaultConsistencyLevel.ALL);
  }

  /** Segments that wait for a compactor become one run with those of the next flush. */
  private static void awaitSplits(TestCluster cluster) {
    await()
        .atMost(Duration.ofSeconds(120))
        .pollDelay(Duration.ZERO)
        .pollInSameThread()
        .until(() -> cluster.live().stream().allMatch(node -> isSplit(cluster, node)));
  }

  private static boolean isSplit(TestCluster cluster, Node node) {
    return MERGED.stream().allMatch(table -> cluster.state(node, KEYSPACE, table).segments() == 0);
  }

  /** Waits until what was written with the short TTL is gone, wherever its second began. */
  private static void awaitExpiry(TestCluster cluster) {
    long expired = System.nanoTime() + Duration.ofMillis(3500).toNanos();
    await()
        .pollInterval(Duration.ofMillis(200))
        .atMost(Duration.ofSeconds(60))
        .until(() -> System.nanoTime() - expired > 0);
  }

  private void compareEverywhere(TestCluster cluster, Random random) {
    List<String> queries = queries(random);
    for (Node node : cluster.live()) {
      compare(cluster, node, DefaultConsistencyLevel.ONE, queries);
    }
  }

  private void compareAtAllLevels(TestCluster cluster, Random random) {
    List<String> queries = queries(random);
    for (ConsistencyLevel level : SEVERAL_REPLICAS) {
      compare(cluster, cluster.node(1), level, queries);
    }
    compare(cluster, cluster.node(2), DefaultConsistencyLevel.SERIAL, partitionQueries(random));
  }

  private void compare(
      TestCluster cluster, Node node, ConsistencyLevel level, List<String> queries) {
    List<String> tables = new ArrayList<>(VARIANTS.keySet());
    queries.forEach(query -> compare(cluster, node, level, query, STOCK, tables));
    if (!level.isSerial()) {
      compare(
          cluster,
          node,
          level,
          "SELECT pk, ck, n FROM $T",
          STOCK_COUNTERS,
          List.copyOf(COUNTER_VARIANTS.keySet()));
    }
  }

  private void compare(
      TestCluster cluster,
      Node node,
      ConsistencyLevel level,
      String query,
      String stock,
      List<String> tables) {
    CompletionStage<List<String>> expected = answer(cluster, node, level, query, stock);
    List<CompletionStage<List<String>>> answers =
        tables.stream().map(table -> answer(cluster, node, level, query, table)).toList();
    for (int i = 0; i < answers.size(); i++) {
      assertThat(answers.get(i).toCompletableFuture().join())
          .as("%s of %s at %s on %s, %s", query, tables.get(i), level, node, seed)
          .isEqualTo(expected.toCompletableFuture().join());
    }
  }

  private static List<String> queries(Random random) {
    List<String> queries = new ArrayList<>();
    queries.add("SELECT pk, ck, st, v, txt, s, m, l FROM $T");
    for (int value = 0; value < RandomOperations.VALUES; value += 3) {
      queries.add("SELECT pk, ck, v FROM $T WHERE v = " + value);
      queries.add("SELECT pk, ck, txt FROM $T WHERE txt = 't" + value + "'");
    }
    queries.addAll(partitionQueries(random));
    return queries;
  }

  private static List<String> partitionQueries(Random random) {
    List<String> queries = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      int pk = random.nextInt(RandomOperations.PARTITIONS);
      queries.add(
          "SELECT ck, v, txt, writetime(v), writetime(txt), writetime(st) FROM $T WHERE pk = "
              + pk
              + " AND ck >= "
              + random.nextInt(4)
              + " ORDER BY ck DESC LIMIT 5");
      queries.add("SELECT DISTINCT pk, st FROM $T WHERE pk = " + pk);
    }
    return queries;
  }

  private static CompletionStage<List<String>> answer(
      TestCluster cluster, Node node, ConsistencyLevel level, String query, String table) {
    return cluster
        .session()
        .executeAsync(
            SimpleStatement.newInstance(
                    query.replace(RandomOperations.TABLE, KEYSPACE + "." + table))
                .setConsistencyLevel(level)
                .setPageSize(ONE_PAGE)
                .setNode(cluster.driverNode(node)))
        .thenApply(DifferentialIT::rows);
  }

  private static List<String> rows(AsyncResultSet result) {
    List<String> rows = new ArrayList<>();
    result.currentPage().forEach(row -> rows.add(row.getFormattedContents()));
    assertThat(result.hasMorePages()).isFalse();
    return rows;
  }

  private void assertTheStructuresWorked(TestCluster cluster) {
    for (String table :
        List.of("runs_1", "runs_3", "runs_unlimited", "merge_all", DecoupledVariants.FORMATS)) {
      assertThat(cluster.counter(KEYSPACE, table, "SplitBytes")).as("split %s", table).isPositive();
      assertThat(cluster.counter(KEYSPACE, table, "PrimaryBatchBytes")).as(table).isPositive();
    }
    for (String table :
        List.of("runs_1", "runs_3", "merge_all", "lcs", DecoupledVariants.FORMATS)) {
      assertThat(cluster.counter(KEYSPACE, table, "MergedBytes"))
          .as("merge %s", table)
          .isPositive();
    }
    assertThat(cluster.counter(KEYSPACE, "runs_unlimited", "MergedBytes")).isZero();
    assertThat(cluster.counter(KEYSPACE, "straight", "FlushedRedundantBytes"))
        .as("more than the first flush, which is the only one to be split")
        .isGreaterThan(2 * cluster.counter(KEYSPACE, "straight", "SplitBytes"));
    for (Node node : cluster.live()) {
      assertThat(cluster.state(node, KEYSPACE, "mlsm").primarySstables()).isGreaterThanOrEqualTo(3);
      assertThat(cluster.state(node, KEYSPACE, DecoupledVariants.FORMATS).otherFormatSstables())
          .isZero();
      for (String table :
          List.of(
              "runs_1",
              "runs_3",
              "runs_unlimited",
              "merge_all",
              "lcs",
              DecoupledVariants.FORMATS)) {
        TableState state = cluster.state(node, KEYSPACE, table);
        assertThat(state.runs()).as("%s: %s", table, state).isPositive();
        assertThat(state.primarySstables()).as("%s: %s", table, state).isPositive();
        assertThat(state.mixedBytes() + state.foreignBytes()).as("%s: %s", table, state).isZero();
      }
    }
  }

  private static Collection<String> rowTables() {
    List<String> tables = new ArrayList<>(VARIANTS.keySet());
    tables.add(STOCK);
    return tables;
  }

  private static Collection<String> counterTables() {
    List<String> tables = new ArrayList<>(COUNTER_VARIANTS.keySet());
    tables.add(STOCK_COUNTERS);
    return tables;
  }
}
