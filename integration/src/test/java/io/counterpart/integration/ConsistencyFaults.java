package io.counterpart.integration;

import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.ONE;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.QUORUM;
import static io.counterpart.integration.ConsistencyCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.NodeState;
import io.counterpart.cluster.StartListener;
import io.counterpart.cluster.jmx.NodeJmx;
import io.counterpart.integration.ConsistencyCluster.Told;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** Levels of reads on a real cluster that loses replicas, messages, tables and its coordinator. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class ConsistencyFaults {
  /** Later than the other replicas are on a busy machine. */
  private static final int LATE_MILLIS = 200;

  /** Enough that some ask no suspect. */
  private static final int SUSPECT_READS = 6;

  /** Attempts of which the quick reads at TWO do not hide the slow one yet. */
  private static final int QUICK_ATTEMPTS = 5;

  /** Decisions about reads without wishes are kept for 100 ms. */
  private static final Duration LONGER_THAN_KEPT = Duration.ofMillis(150);

  private static final String RAISED = "raised_with_faults";
  private static final String LOWERED = "lowered_with_faults";

  private ConsistencyCluster cluster;

  abstract ConsistencyCluster cluster();

  @BeforeAll
  void start() {
    cluster = cluster();
    for (String table : List.of(RAISED, LOWERED, "dropped")) {
      cluster.table(table, "PRIMARY KEY (k)");
    }
    cluster.policy(RAISED, "mode, epsilon", "'raise', 0.05");
    cluster.policy(LOWERED, "mode, epsilon, floor, window_ms", "'lower', 0.05, 'ONE', 1000");
    cluster.policy("dropped", "mode, epsilon", "'raise', 0.05");
  }

  /** Writes that a replica missed, without hints: it has those that were read, not the others. */
  @Test
  @Order(0)
  void reads_repair_the_replicas_that_they_do_not_ask() {
    cluster.execute(
        "CREATE TABLE ks.repaired (k int PRIMARY KEY, v bigint) WITH speculative_retry = 'NEVER'");
    cluster.policy("repaired", "mode, read_repair_chance", "'off', 1.0");
    storeHints(false);
    try {
      // new rows each time: a write may reach the replica after it drops none any more
      Iterator<Integer> keys = IntStream.iterate(1, key -> key + 2).iterator();
      eventually(() -> checkRepair(keys.next()));
    } finally {
      storeHints(true);
    }
  }

  private void storeHints(boolean enabled) {
    try (NodeJmx jmx = cluster.node(1).jmx()) {
      jmx.setAttribute(
          "org.apache.cassandra.db:type=StorageProxy", "HintedHandoffEnabled", enabled);
    }
  }

  private void checkRepair(int key) {
    String read = "SELECT v FROM ks.repaired WHERE k = ?";
    int other = key + 1;
    cluster.drop(3, "all");
    try {
      for (int written : List.of(key, other)) {
        cluster.execute(1, QUORUM, "INSERT INTO ks.repaired (k, v) VALUES (?, 7)", written);
      }
    } finally {
      cluster.drop(3, "none");
    }
    long before = repairs("repaired");

    eventually(
        () -> {
          assertThat(cluster.execute(1, ONE, read, key).one()).isNotNull();
          assertThat(repairs("repaired")).isGreaterThan(before);
        });

    // the first answer is of the node's own copy: it is repaired after it
    assertThat(cluster.execute(3, ONE, read, other).one()).isNull();
    assertThat(cluster.execute(3, ONE, read, key).one()).isNotNull();
    eventually(() -> assertThat(cluster.execute(3, ONE, read, other).one()).isNotNull());
  }

  private long repairs(String table) {
    return cluster.virtual("consistency").stream()
        .filter(row -> table.equals(row.getString("table_name")))
        .mapToLong(row -> row.getLong("read_repairs"))
        .max()
        .orElse(0);
  }

  @Test
  @Order(1)
  void a_raised_read_that_fails_is_read_again_at_its_clients_level() {
    cluster.delay(3, LATE_MILLIS);
    cluster.writeUntil("ks." + RAISED, this::checkAFailedRaise);
  }

  private void checkAFailedRaise() {
    assertThat(ask(RAISED, ONE)).isEqualTo(new Told("TWO", "raised"));
    long before = count(RAISED, "raise_failed");
    cluster.drop(2, "reads");
    cluster.drop(3, "reads");
    try {
      assertThat(cluster.read("ks." + RAISED, ONE, Map.of()))
          .isEqualTo(new Told("ONE", "raise_failed"));
    } finally {
      cluster.drop(2, "none");
      cluster.drop(3, "none");
    }
    assertThat(count(RAISED, "raise_failed")).isEqualTo(before + 1);
  }

  /** The read above took its time-out of 2 s, and was one of few at TWO. */
  @Test
  @Order(2)
  void a_raise_that_usually_takes_longer_than_the_deadline_is_not_made() {
    AtomicInteger attempts = new AtomicInteger();
    // timings are looked at each second, and each question is one more read at TWO
    cluster.writeUntil(
        "ks." + RAISED,
        () -> {
          if (attempts.incrementAndGet() % QUICK_ATTEMPTS == 0) {
            checkAFailedRaise();
          }
          assertThat(ask(RAISED, ONE)).isEqualTo(new Told("TWO", "raised"));
          assertThat(cluster.read("ks." + RAISED, ONE, Map.of("deadline_ms", "100")))
              .isEqualTo(new Told("ONE", "deadline"));
          assertThat(cluster.read("ks." + RAISED, ONE, Map.of("deadline_ms", "60000")))
              .isEqualTo(new Told("TWO", "raised"));
        });
  }

  @Test
  @Order(3)
  void a_replica_that_joins_a_set_leaves_reads_at_their_clients_level() {
    cluster.execute(
        "CREATE KEYSPACE two WITH replication ="
            + " {'class': 'NetworkTopologyStrategy', 'replication_factor': 2}");
    cluster.execute("CREATE TABLE two.rows (k int PRIMARY KEY, v bigint)");
    eventually(this::checkJoins);
  }

  private void checkJoins() {
    assertThat(reasonOfTwo()).isEqualTo("warm_up");
    // whichever of them keeps the row: its successor is pending
    List<String> reasons = new ArrayList<>();
    List<String> plain = new ArrayList<>();
    for (int node : new int[] {1, 2, 3}) {
      cluster.leaving(node, true);
      try {
        reasons.add(reasonOfTwo());
        plain.add(plainReasonOfTwo());
      } finally {
        cluster.leaving(node, false);
      }
    }
    assertThat(reasons).containsExactlyInAnyOrder("replica_pending", "replica_pending", "warm_up");
    assertThat(plain).isEqualTo(reasons);
    assertThat(reasonOfTwo()).isEqualTo("warm_up");
  }

  private String reasonOfTwo() {
    return cluster.ask("two.rows", ONE).reason();
  }

  /** Of a read without wishes, once a decision that is kept has expired; by what is counted. */
  private String plainReasonOfTwo() {
    await().pollDelay(LONGER_THAN_KEPT).until(() -> true);
    Map<String, Long> before = cluster.counts("two", "rows");
    cluster.execute(1, ONE, "SELECT v FROM two.rows WHERE k = -1");
    Map<String, Long> after = cluster.counts("two", "rows");
    return after.keySet().stream()
        .filter(reason -> after.get(reason) > before.getOrDefault(reason, 0L))
        .collect(Collectors.joining(" and "));
  }

  @Test
  @Order(4)
  void a_paused_replica_is_suspect() {
    cluster.delay(3, 0);
    awaitLowered();
    cluster.node(3).pause();
    try {
      awaitSuspect();
    } finally {
      cluster.node(3).resume();
    }
  }

  @Test
  @Order(5)
  void messages_dropped_on_the_way_make_a_suspect_too() {
    awaitLowered();
    cluster.drop(3, "all");
    try {
      awaitSuspect();
    } finally {
      cluster.drop(3, "none");
    }
  }

  private void awaitLowered() {
    cluster.writeUntil("ks." + LOWERED, QUORUM, told -> told.reason().equals("lowered"));
  }

  /**
   * Reads at QUORUM that ask the suspect time out, as they would without the plugin; others are
   * answered at their client's level.
   */
  private void awaitSuspect() {
    eventually(
        () -> {
          cluster.write("ks." + LOWERED, 20, QUORUM);
          Set<Told> answers = new HashSet<>();
          for (int key = -1; key >= -SUSPECT_READS; key--) {
            try {
              answers.add(cluster.ask("ks." + LOWERED, key, QUORUM));
            } catch (ReadTimeoutException e) {
              // of the suspect
            }
          }
          if (answers.contains(new Told("QUORUM", "replica_down"))) {
            pauseAnew(cluster.node(3));
          }
          assertThat(answers).containsExactly(new Told("QUORUM", "replica_suspect"));
        });
  }

  /** Gossip gives a node up some 18 s after its pause: a machine may be slower for once. */
  private static void pauseAnew(Node node) {
    if (node.state() == NodeState.PAUSED) {
      node.resume();
      node.pause();
    }
  }

  @Test
  @Order(6)
  void a_table_that_is_dropped_leaves_its_policy_refused_and_other_reads_alone() {
    eventually(() -> cluster.write("ks.dropped", 100, ONE));
    CompletableFuture<DriverException> reads =
        CompletableFuture.supplyAsync(() -> readUntilItFails("dropped"))
            .orTimeout(2, TimeUnit.MINUTES);
    eventually(() -> ask("dropped", ONE));
    cluster.execute("DROP TABLE ks.dropped");

    assertThat(reads.join()).isInstanceOf(InvalidQueryException.class);
    eventually(() -> assertThat(cluster.refused("dropped")).startsWith("table is ks.dropped"));
    eventually(() -> assertThat(ask(RAISED, ONE).level()).isNotEmpty());
    assertThat(cluster.counts("-", "-")).containsEntry("plugin_failures", 0L);
  }

  /** Ends with what Cassandra says of a table that is gone; pauses of nodes are no end. */
  private DriverException readUntilItFails(String table) {
    while (true) {
      try {
        ask(table, ONE);
      } catch (InvalidQueryException e) {
        return e;
      } catch (DriverException e) {
        // what Cassandra's parser says in the moment of the drop, before any handler is asked
        boolean parsed = String.valueOf(e.getMessage()).contains("Unknown CF");
        if (ConsistencyCluster.isServerError(e) && !parsed) {
          return e;
        }
      }
    }
  }

  @Test
  @Order(7)
  void a_restarted_node_starts_without_samples() {
    awaitLowered();
    cluster.node(1).stop();
    cluster.node(1).start(StartListener.SILENT);

    eventually(
        () -> {
          assertThat(ask(LOWERED, QUORUM)).isEqualTo(new Told("QUORUM", "warm_up"));
          assertThat(ask(RAISED, ONE)).isEqualTo(new Told("ONE", "warm_up"));
        });
  }

  @Test
  @Order(8)
  void a_dead_replica_leaves_reads_at_their_clients_level() {
    cluster.writeUntil("ks." + RAISED, ONE, ConsistencyCluster::isEstimated);
    awaitLowered();
    eventually(() -> readsCountAs("lowered"));
    cluster.node(3).kill();

    eventually(
        () -> {
          assertThat(ask(RAISED, ONE)).isEqualTo(new Told("ONE", "replica_down"));
          assertThat(ask(LOWERED, QUORUM)).isEqualTo(new Told("QUORUM", "replica_down"));
        });
    eventually(() -> readsCountAs("replica_down"));
    assertThat(cluster.counts("-", "-")).containsEntry("plugin_failures", 0L);
  }

  /** Of reads without wishes, whose decision is kept for a while. */
  private void readsCountAs(String reason) {
    long before = count(LOWERED, reason);
    for (int i = 0; i < 3; i++) {
      cluster.execute(1, QUORUM, "SELECT v FROM ks." + LOWERED + " WHERE k = -1");
    }
    assertThat(count(LOWERED, reason)).isEqualTo(before + 3);
  }

  private Told ask(String table, ConsistencyLevel level) {
    return cluster.ask("ks." + table, level);
  }

  private long count(String table, String reason) {
    return cluster.counts("ks", table).getOrDefault(reason, 0L);
  }
}
