package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.google.common.util.concurrent.Uninterruptibles;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.jmx.NodeJmx;
import io.counterpart.cluster.layout.Snitches;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A table with clustering, and the bytes that each of its rows must have: each write is repeated
 * until it is acknowledged, and is expected from then on. For one thread.
 */
final class ModelledRows {
  static final int PARTITIONS = 90;
  static final int ROWS_IN_PARTITION = 3;

  private static final int MAX_VALUE_BYTES = 500;
  private static final int IN_FLIGHT = 60;
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final int SHOWN = 10;

  private final TestCluster cluster;
  private final String keyspace;
  private final String table;
  private final Seed seed;
  private final Random random;
  private final PreparedStatement insert;
  private final PreparedStatement deletePartition;
  private final PreparedStatement deleteRange;
  private final PreparedStatement deleteRow;
  private final PreparedStatement select;

  /** Values in hexadecimal by clustering key, by partition. */
  private final SortedMap<Integer, SortedMap<Integer, String>> expected = new TreeMap<>();

  /**
   * Creates the table.
   *
   * @param with its options
   */
  ModelledRows(TestCluster cluster, String keyspace, String table, String with, Seed seed) {
    this.cluster = cluster;
    this.keyspace = keyspace;
    this.table = table;
    this.seed = seed;
    this.random = seed.random();
    String name = keyspace + "." + table;
    cluster.execute(
        "CREATE TABLE %s (pk int, ck int, v blob, PRIMARY KEY (pk, ck)) WITH %s"
            .formatted(name, with));
    this.insert = prepare("INSERT INTO " + name + " (pk, ck, v) VALUES (?, ?, ?)");
    this.deletePartition = prepare("DELETE FROM " + name + " WHERE pk = ?");
    this.deleteRange = prepare("DELETE FROM " + name + " WHERE pk = ? AND ck > ?");
    this.deleteRow = prepare("DELETE FROM " + name + " WHERE pk = ? AND ck = ?");
    this.select = prepare("SELECT ck, v FROM " + name + " WHERE pk = ?");
  }

  private PreparedStatement prepare(String cql) {
    return cluster.session().prepare(cql);
  }

  String name() {
    return keyspace + "." + table;
  }

  /** New values for all rows of the partitions in {@code [from, to)}. */
  void write(Node coordinator, ConsistencyLevel level, int from, int to) {
    List<BoundStatement> writes = new ArrayList<>();
    for (int pk = from; pk < to; pk++) {
      SortedMap<Integer, String> rows = new TreeMap<>();
      for (int ck = 0; ck < ROWS_IN_PARTITION; ck++) {
        byte[] value = new byte[random.nextInt(MAX_VALUE_BYTES)];
        random.nextBytes(value);
        rows.put(ck, HexFormat.of().formatHex(value));
        writes.add(insert.bind(pk, ck, ByteBuffer.wrap(value)));
      }
      expected.put(pk, rows);
    }
    results(coordinator, level, writes);
  }

  /** Of three partitions one as a whole, of one all rows but the first, of one its first row. */
  void delete(Node coordinator, ConsistencyLevel level, int from, int to) {
    List<BoundStatement> deletions = new ArrayList<>();
    for (int pk = from; pk < to; pk++) {
      SortedMap<Integer, String> rows = expected.getOrDefault(pk, new TreeMap<>());
      if (pk % 3 == 0) {
        deletions.add(deletePartition.bind(pk));
        rows.clear();
      } else if (pk % 3 == 1) {
        deletions.add(deleteRange.bind(pk, 0));
        rows.tailMap(1).clear();
      } else {
        deletions.add(deleteRow.bind(pk, 0));
        rows.remove(0);
      }
    }
    results(coordinator, level, deletions);
  }

  /** Nothing is expected from now on. */
  void truncate() {
    cluster.execute("TRUNCATE " + name());
    expected.clear();
  }

  /** What is expected now, to be expected {@linkplain #expect again}. */
  SortedMap<Integer, SortedMap<Integer, String>> expected() {
    SortedMap<Integer, SortedMap<Integer, String>> copy = new TreeMap<>();
    expected.forEach((pk, rows) -> copy.put(pk, new TreeMap<>(rows)));
    return copy;
  }

  void expect(SortedMap<Integer, SortedMap<Integer, String>> rows) {
    expected.clear();
    expected.putAll(rows);
  }

  /**
   * One for each statement. Those that fail are sent again, for a minute: a node that joined or
   * came back is without connections at times.
   */
  private List<AsyncResultSet> results(
      Node coordinator, ConsistencyLevel level, List<BoundStatement> statements) {
    SortedMap<Integer, AsyncResultSet> results = new TreeMap<>();
    AtomicReference<Throwable> failed = new AtomicReference<>();
    long begin = System.nanoTime();
    while (results.size() < statements.size()) {
      List<Integer> left =
          IntStream.range(0, statements.size())
              .filter(i -> !results.containsKey(i))
              .boxed()
              .toList();
      for (int from = 0; from < left.size(); from += IN_FLIGHT) {
        List<Integer> window = left.subList(from, Math.min(from + IN_FLIGHT, left.size()));
        execute(coordinator, level, window, statements, failed)
            .forEach((i, result) -> result.ifPresent(answer -> results.put(i, answer)));
      }
      if (results.size() < statements.size()) {
        if (System.nanoTime() - begin > LIMIT.toNanos()) {
          throw new AssertionError(
              "no answer at %s by %s, %s".formatted(level, coordinator, seed), failed.get());
        }
        Uninterruptibles.sleepUninterruptibly(PAUSE);
      }
    }
    return List.copyOf(results.values());
  }

  /** At once; empty for those that failed. */
  private Map<Integer, Optional<AsyncResultSet>> execute(
      Node coordinator,
      ConsistencyLevel level,
      List<Integer> window,
      List<BoundStatement> statements,
      AtomicReference<Throwable> failed) {
    var through = cluster.driverNode(coordinator);
    Map<Integer, CompletableFuture<Optional<AsyncResultSet>>> running = new TreeMap<>();
    for (int i : window) {
      running.put(
          i,
          cluster
              .session()
              .executeAsync(statements.get(i).setConsistencyLevel(level).setNode(through))
              .toCompletableFuture()
              .thenApply(Optional::of)
              .exceptionally(
                  failure -> {
                    failed.set(failure);
                    return Optional.empty();
                  }));
    }
    Map<Integer, Optional<AsyncResultSet>> results = new TreeMap<>();
    running.forEach((i, result) -> results.put(i, result.join()));
    return results;
  }

  /** Asserts what a coordinator answers of all partitions. */
  void check(Node coordinator, ConsistencyLevel level) {
    assertThat(differences(coordinator, level, all()).stream().limit(SHOWN).toList())
        .as("%s at %s through %s, %s", name(), level, coordinator, seed)
        .isEmpty();
  }

  /** Asserts that a node's own copies are what is expected of the partitions that it replicates. */
  void checkOwn(Node node) {
    checkOwnFirst(node, DefaultConsistencyLevel.ONE);
  }

  /** As {@link #checkOwn}, of its own copies with as many others as the level needs. */
  void checkOwnFirst(Node node, ConsistencyLevel level) {
    assertThat(differencesOwnFirst(node, level).stream().limit(SHOWN).toList())
        .as("own copies of %s on %s, at %s, %s", name(), node, level, seed)
        .isEmpty();
  }

  /** How a node's own copies differ from what is expected. */
  List<String> ownDifferences(Node node) {
    return differencesOwnFirst(node, DefaultConsistencyLevel.ONE);
  }

  /** Stock snitches ask the coordinator's copy first. Speculative retries may hide it. */
  private List<String> differencesOwnFirst(Node node, ConsistencyLevel level) {
    PrimaryFirstSnitchIT.setSnitch(node, Snitches.USUAL);
    try {
      return differences(node, level, replicated(node));
    } finally {
      PrimaryFirstSnitchIT.setSnitch(node, Snitches.PRIMARY_FIRST);
    }
  }

  private List<String> differences(
      Node coordinator, ConsistencyLevel level, Collection<Integer> partitions) {
    List<String> differences = new ArrayList<>();
    read(coordinator, level, partitions)
        .forEach(
            (pk, rows) -> {
              SortedMap<Integer, String> wanted = expected.getOrDefault(pk, new TreeMap<>());
              Set<Integer> keys = new TreeSet<>(wanted.keySet());
              keys.addAll(rows.keySet());
              for (int ck : keys) {
                if (!wanted.getOrDefault(ck, "none").equals(rows.getOrDefault(ck, "none"))) {
                  differences.add(
                      "%d/%d is %s, expected %s".formatted(pk, ck, rows.get(ck), wanted.get(ck)));
                }
              }
            });
    return differences;
  }

  private Map<Integer, SortedMap<Integer, String>> read(
      Node coordinator, ConsistencyLevel level, Collection<Integer> partitions) {
    List<Integer> keys = List.copyOf(partitions);
    List<AsyncResultSet> results =
        results(coordinator, level, keys.stream().map(pk -> select.bind(pk)).toList());
    Map<Integer, SortedMap<Integer, String>> found = new TreeMap<>();
    for (int i = 0; i < keys.size(); i++) {
      found.put(keys.get(i), rows(results.get(i)));
    }
    return found;
  }

  private static SortedMap<Integer, String> rows(AsyncResultSet result) {
    SortedMap<Integer, String> rows = new TreeMap<>();
    result
        .currentPage()
        .forEach(
            row -> {
              ByteBuffer value = row.getByteBuffer("v").duplicate();
              byte[] bytes = new byte[value.remaining()];
              value.get(bytes);
              rows.put(row.getInt("ck"), HexFormat.of().formatHex(bytes));
            });
    return rows;
  }

  private static List<Integer> all() {
    return IntStream.range(0, PARTITIONS).boxed().toList();
  }

  /** Partitions that a node has a copy of. */
  List<Integer> replicated(Node node) {
    Map<Integer, Set<String>> replicas = replicas(node);
    return all().stream().filter(pk -> replicas.get(pk).contains(node.address())).toList();
  }

  /** Addresses of each partition's replicas, as {@code nodetool getendpoints} has them. */
  Map<Integer, Set<String>> replicas(Node observer) {
    String text = String.class.getName();
    Map<Integer, Set<String>> replicas = new TreeMap<>();
    try (NodeJmx jmx = observer.jmx()) {
      for (int pk : all()) {
        List<?> endpoints =
            (List<?>)
                jmx.invoke(
                    NodeJmx.STORAGE_SERVICE,
                    "getNaturalEndpointsWithPort",
                    new Object[] {keyspace, table, Integer.toString(pk)},
                    new String[] {text, text, text});
        replicas.put(
            pk,
            endpoints.stream()
                .map(each -> String.valueOf(each).replaceFirst("^/", "").replaceFirst(":\\d+$", ""))
                .collect(Collectors.toCollection(TreeSet::new)));
      }
    }
    return replicas;
  }
}
