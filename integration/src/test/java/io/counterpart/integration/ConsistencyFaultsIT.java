package io.counterpart.integration;

import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.ONE;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.QUORUM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import io.counterpart.cluster.StartListener;
import io.counterpart.integration.ConsistencyCluster.Told;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** Levels of reads on a real cluster that loses replicas, messages, tables and its coordinator. */
@OnUsualPorts
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ConsistencyFaultsIT {
  private static final int LATE_MILLIS = 60;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private ConsistencyCluster cluster;

  @BeforeAll
  void start() throws Exception {
    cluster = ConsistencyCluster.start();
    for (String table : List.of("raised", "lowered", "dropped")) {
      cluster.table(table, "PRIMARY KEY (k)");
    }
    cluster.policy("raised", "mode, epsilon", "'raise', 0.05");
    cluster.policy("lowered", "mode, epsilon, floor, window_ms", "'lower', 0.05, 'ONE', 1000");
    cluster.policy("dropped", "mode, epsilon", "'raise', 0.05");
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  @Test
  @Order(1)
  void a_raised_read_that_fails_is_read_again_at_its_clients_level() {
    cluster.delay(3, LATE_MILLIS);
    cluster.writeUntil("ks.raised", ONE, new Told("TWO", "raised")::equals);
    cluster.drop(2, "reads");
    cluster.drop(3, "reads");
    try {
      assertThat(cluster.read("ks.raised", ONE, Map.of()))
          .isEqualTo(new Told("ONE", "raise_failed"));
    } finally {
      cluster.drop(2, "none");
      cluster.drop(3, "none");
    }
    assertThat(cluster.counts("ks", "raised")).containsEntry("raise_failed", 1L);
  }

  /** The read above took its time-out of 2 s, and was one of few at TWO. */
  @Test
  @Order(2)
  void a_raise_that_usually_takes_longer_than_the_deadline_is_not_made() {
    cluster.writeUntil("ks.raised", ONE, new Told("TWO", "raised")::equals);

    // timings are looked at each second, and each question is one more read at TWO
    await()
        .atMost(LIMIT)
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(
            () ->
                assertThat(cluster.read("ks.raised", ONE, Map.of("deadline_ms", "100")))
                    .isEqualTo(new Told("ONE", "deadline")));
    assertThat(cluster.read("ks.raised", ONE, Map.of("deadline_ms", "60000")))
        .isEqualTo(new Told("TWO", "raised"));
  }

  @Test
  @Order(3)
  void a_replica_that_joins_a_set_leaves_reads_at_their_clients_level() {
    cluster.execute(
        "CREATE KEYSPACE two WITH replication ="
            + " {'class': 'NetworkTopologyStrategy', 'replication_factor': 2}");
    cluster.execute("CREATE TABLE two.rows (k int PRIMARY KEY, v bigint)");
    assertThat(cluster.ask("two.rows", ONE).reason()).isEqualTo("warm_up");
    // whichever of them keeps the row: its successor is pending
    List<String> reasons = new ArrayList<>();
    for (int node : new int[] {1, 2, 3}) {
      cluster.leaving(node, true);
      reasons.add(cluster.ask("two.rows", ONE).reason());
      cluster.leaving(node, false);
    }

    assertThat(reasons).containsExactlyInAnyOrder("replica_pending", "replica_pending", "warm_up");
    assertThat(cluster.ask("two.rows", ONE).reason()).isEqualTo("warm_up");
  }

  @Test
  @Order(4)
  void a_paused_replica_is_suspect() throws Exception {
    cluster.delay(3, 0);
    cluster.writeUntil("ks.lowered", QUORUM, new Told("ONE", "lowered")::equals);
    cluster.node(3).pause();
    try {
      awaitSuspect(0);
    } finally {
      cluster.node(3).resume();
    }
  }

  @Test
  @Order(5)
  void messages_dropped_on_the_way_make_a_suspect_too() {
    cluster.writeUntil("ks.lowered", QUORUM, new Told("ONE", "lowered")::equals);
    long before = cluster.counts("ks", "lowered").get("replica_suspect");
    cluster.drop(3, "all");
    try {
      awaitSuspect(before);
    } finally {
      cluster.drop(3, "none");
    }
  }

  /** Reads at QUORUM may ask the suspect and time out, as they would without the plugin. */
  private void awaitSuspect(long before) {
    await()
        .atMost(LIMIT)
        .ignoreExceptionsInstanceOf(DriverException.class)
        .untilAsserted(
            () -> {
              cluster.write("ks.lowered", 20, QUORUM);
              try {
                cluster.ask("ks.lowered", QUORUM);
              } catch (ReadTimeoutException e) {
                // counted all the same
              }
              assertThat(cluster.counts("ks", "lowered").getOrDefault("replica_suspect", 0L))
                  .isGreaterThan(before);
            });
  }

  @Test
  @Order(6)
  void a_table_that_is_dropped_leaves_its_policy_refused_and_other_reads_alone() {
    cluster.write("ks.dropped", 100, ONE);
    cluster.execute("DROP TABLE ks.dropped");

    await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> assertThat(cluster.refused("dropped")).startsWith("table is ks.dropped"));
    assertThat(cluster.ask("ks.raised", ONE).level()).isNotEmpty();
    assertThat(cluster.counts("-", "-")).containsEntry("plugin_failures", 0L);
  }

  @Test
  @Order(7)
  void a_restarted_node_starts_without_samples() {
    cluster.node(1).stop();
    cluster.node(1).start(StartListener.SILENT);

    await()
        .atMost(LIMIT)
        .ignoreExceptionsInstanceOf(DriverException.class)
        .untilAsserted(
            () -> assertThat(cluster.ask("ks.raised", ONE)).isEqualTo(new Told("ONE", "warm_up")));
  }

  @Test
  @Order(8)
  void a_dead_replica_leaves_reads_at_their_clients_level() {
    cluster.writeUntil("ks.raised", ONE, ConsistencyCluster::isEstimated);
    cluster.node(3).kill();

    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(cluster.ask("ks.raised", ONE))
                    .isEqualTo(new Told("ONE", "replica_down")));
    assertThat(cluster.counts("-", "-")).containsEntry("plugin_failures", 0L);
  }
}
