package io.counterpart.integration;

import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.ALL;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.LOCAL_ONE;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.LOCAL_QUORUM;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.ONE;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.QUORUM;
import static io.counterpart.integration.ConsistencyCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import io.counterpart.integration.ConsistencyCluster.Told;
import io.counterpart.lab.check.OperationHistory;
import io.counterpart.lab.check.StalenessReport;
import io.counterpart.lab.check.TimedRead;
import io.counterpart.lab.check.TimedWrite;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** Levels of reads on a real cluster whose writes are delayed on purpose. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class ConsistencyLevels {
  /** Later than other replicas, and reads that follow at once, are on a busy machine. */
  private static final int LATE_MILLIS = 200;

  /** Later than reads of many keys take. */
  private static final int VERY_LATE_MILLIS = 3_000;

  private static final int LATE_ROWS = 500;
  private static final int HISTORY = 60;

  private ConsistencyCluster cluster;
  private int historyKey = -20;
  private int paged = -1_000;

  abstract ConsistencyCluster cluster();

  @BeforeAll
  void start() {
    cluster = cluster();
    cluster.table("raised", "PRIMARY KEY (k)");
    cluster.table("lowered", "PRIMARY KEY (k, v)");
    cluster.table("plain", "PRIMARY KEY (k)");
    cluster.table("guarded", "PRIMARY KEY (k)");
    cluster.policy("guarded", "mode, epsilon", "'raise', 0.05");
    cluster.policy("raised", "mode, epsilon", "'raise', 0.05");
    cluster.policy("lowered", "mode, epsilon, floor, window_ms", "'lower', 0.05, 'ONE', 1000");
    cluster.policy("missing", "mode", "'raise'");
    cluster.policy("plain", "epsilon", "1.5");
  }

  @Test
  @Order(1)
  void a_node_without_samples_leaves_reads_alone() {
    eventually(
        () -> {
          assertThat(cluster.ask("ks.raised", ONE)).isEqualTo(new Told("ONE", "warm_up"));
          assertThat(cluster.read("ks.raised", ONE, Map.of())).isEqualTo(Told.NOTHING);
        });
  }

  @Test
  @Order(2)
  void bad_policies_switch_their_tables_off_and_say_why() {
    eventually(
        () -> {
          assertThat(cluster.refused("plain"))
              .isEqualTo("epsilon is 1.5, legal: above 0 and below 1");
          assertThat(cluster.refused("missing"))
              .isEqualTo("table is ks.missing, legal: a table that exists");
          assertThat(cluster.ask("ks.plain", ONE)).isEqualTo(new Told("ONE", "mode_off"));
        });
  }

  @Test
  @Order(3)
  void a_bad_payload_is_refused_with_the_legal_range() {
    assertThatThrownBy(() -> cluster.read("ks.raised", ONE, Map.of("max_stale_ms", "soon")))
        .isInstanceOf(InvalidQueryException.class)
        .hasMessageContaining("max_stale_ms is 'soon', legal: 0 to 3600000");
  }

  @Test
  @Order(4)
  void reads_are_raised_past_a_replica_that_is_late() {
    Told raised = new Told("TWO", "raised");
    cluster.delay(3, LATE_MILLIS);
    cluster.writeUntil(
        "ks.raised",
        () -> {
          assertThat(cluster.ask("ks.raised", ONE)).isEqualTo(raised);
          // the client learns it without asking, and may decide otherwise
          assertThat(cluster.read("ks.raised", ONE, Map.of())).isEqualTo(raised);
          assertThat(cluster.read("ks.raised", ONE, Map.of("cr", "strict")))
              .isEqualTo(new Told("ONE", "strict_request"));
          // a busy machine is later than the delay, but not by so much
          assertThat(cluster.read("ks.raised", ONE, Map.of("max_stale_ms", "1000")))
              .isEqualTo(new Told("ONE", "client_level_suffices"));
          assertThat(cluster.ask("ks.raised", LOCAL_ONE))
              .isEqualTo(new Told("LOCAL_QUORUM", "raised"));
          assertThat(cluster.ask("ks.raised", ALL)).isEqualTo(new Told("ALL", "level_is_fixed"));
          assertThat(cluster.ask("ks.raised", QUORUM))
              .isEqualTo(new Told("QUORUM", "client_level_suffices"));
          assertThat(prepared()).isEqualTo(raised);
        });
    assertThat(cluster.counts("ks", "raised").get("raised")).isGreaterThan(2);
  }

  @Test
  @Order(5)
  void other_shapes_of_reads_are_left_alone() {
    eventually(this::checkOtherShapes);
  }

  private void checkOtherShapes() {
    assertThat(shape("SELECT v FROM ks.raised WHERE k IN (-1, -2)"))
        .isEqualTo("several_partitions");
    assertThat(shape("SELECT v FROM ks.raised LIMIT 1")).isEqualTo("several_partitions");
    assertThat(shape("SELECT key FROM system.local")).isEqualTo("system_table");
    assertThat(shape("SELECT * FROM counterpart.tables")).isEqualTo("virtual_table");
    assertThat(shape("SELECT * FROM counterpart_config.consistency WHERE keyspace_name = 'ks'"))
        .isEqualTo("system_table");
    cluster.write("ks.raised", 1, ONE);
    ResultSet own =
        cluster
            .session()
            .execute(asking("UPDATE ks.raised SET v = 1 WHERE k = 1").setConsistencyLevel(ONE));
    assertThat(ConsistencyCluster.told(own)).isEqualTo(Told.NOTHING);
  }

  @Test
  @Order(6)
  void predictions_show_the_late_replica() {
    cluster.writeUntil(
        "ks.raised",
        () -> {
          Row one = prediction(1, 2, 0);
          assertThat(one.getLong("samples")).isPositive();
          // a third of the reads that ask any replica, all that ask the late one
          assertThat(one.getDouble("stale")).isBetween(0.3, 0.4);
          assertThat(one.getDouble("worst")).isGreaterThan(0.9);
          assertThat(prediction(2, 2, 0).getDouble("stale")).isLessThan(0.05);
          assertThat(prediction(1, 2, 1_000).getDouble("stale")).isLessThan(0.05);
        });
  }

  @Test
  @Order(7)
  void the_truth_check_flags_a_stale_replica_and_passes_reads_of_all() {
    cluster.delay(3, LATE_MILLIS);

    StalenessReport stale = history("ks.plain", 3, ONE);
    assertThat(stale.stale()).as("%s", stale).isGreaterThan(HISTORY / 6);
    assertThat(stale.violations().impossible()).isZero();
    assertThat(stale.oldestMillis()).isLessThan(5_000);

    StalenessReport fresh = history("ks.plain", 3, ALL);
    assertThat(fresh.isFresh()).as("%s", fresh).isTrue();
  }

  @Test
  @Order(8)
  void a_level_that_a_guardrail_refuses_is_not_chosen() {
    cluster.delay(2, LATE_MILLIS);
    cluster.delay(3, LATE_MILLIS);
    try {
      eventually(
          () -> {
            cluster.write("ks.guarded", ConsistencyCluster.ROWS, ONE);
            assertThat(cluster.ask("ks.guarded", ONE)).isEqualTo(new Told("ONE", "guardrail"));
          });
    } finally {
      cluster.delay(2, 0);
    }
  }

  @Test
  @Order(9)
  void reads_are_lowered_where_the_policy_permits_it() {
    cluster.delay(3, 0);
    cluster.writeUntil(
        "ks.lowered",
        () -> {
          assertThat(cluster.ask("ks.lowered", QUORUM)).isEqualTo(new Told("ONE", "lowered"));
          assertThat(cluster.ask("ks.lowered", LOCAL_QUORUM))
              .isEqualTo(new Told("LOCAL_ONE", "lowered"));
          assertThat(cluster.read("ks.lowered", QUORUM, Map.of("cr", "strict")))
              .isEqualTo(new Told("QUORUM", "strict_request"));
          assertOwnWritesAreNotLowered();
        });
  }

  private void assertOwnWritesAreNotLowered() {
    cluster
        .session()
        .execute(
            asking("INSERT INTO ks.lowered (k, v) VALUES (-40, 1)").setConsistencyLevel(QUORUM));
    ResultSet own =
        cluster
            .session()
            .execute(asking("SELECT v FROM ks.lowered WHERE k = -40").setConsistencyLevel(QUORUM));
    assertThat(ConsistencyCluster.told(own)).isEqualTo(new Told("QUORUM", "session_wrote_key"));
  }

  @Test
  @Order(10)
  void later_pages_have_the_first_ones_level() {
    cluster.writeUntil("ks.lowered", this::checkPages);
  }

  /** Of a partition of its own: of results that look alike the stronger level is remembered. */
  private void checkPages() {
    paged--;
    for (int v = 0; v < 9; v++) {
      // through another node, so that node 1 does not take them for the session's own
      cluster.execute(2, ALL, "INSERT INTO ks.lowered (k, v) VALUES (?, ?)", paged, (long) v);
    }

    ResultSet first = page(1, 3, null);
    assertThat(ConsistencyCluster.told(first)).isEqualTo(new Told("ONE", "lowered"));
    ResultSet second = page(1, 3, first.getExecutionInfo().getPagingState());
    assertThat(ConsistencyCluster.told(second)).isEqualTo(new Told("ONE", "later_page"));
    assertThat(second.one().getLong("v")).isEqualTo(3);

    // a page that another node began has its client's level
    ResultSet here = page(1, 2, page(2, 2, null).getExecutionInfo().getPagingState());
    assertThat(ConsistencyCluster.told(here)).isEqualTo(new Told("QUORUM", "later_page"));
  }

  private ResultSet page(int node, int rows, ByteBuffer state) {
    return cluster
        .session()
        .execute(
            cluster
                .at(
                    SimpleStatement.newInstance("SELECT v FROM ks.lowered WHERE k = ?", paged),
                    node)
                .setPageSize(rows)
                .setPagingState(state)
                .setCustomPayload(ConsistencyCluster.encoded(Map.of("max_stale_ms", "0")))
                .setConsistencyLevel(QUORUM));
  }

  @Test
  @Order(11)
  void writers_with_clocks_five_minutes_off_change_nothing() {
    for (long shiftSeconds : new long[] {-300, 300}) {
      cluster.writeUntil("ks.raised", () -> checkWithClocksOff(shiftSeconds));
    }
  }

  private void checkWithClocksOff(long shiftSeconds) {
    assertThat(cluster.ask("ks.raised", ONE)).matches(ConsistencyCluster::isEstimated);
    long micros = (System.currentTimeMillis() + shiftSeconds * 1_000) * 1_000;
    for (int i = 0; i < 200; i++) {
      cluster.execute(
          1,
          ONE,
          "INSERT INTO ks.raised (k, v) VALUES (?, 0) USING TIMESTAMP " + micros,
          1_000_000 + i);
    }
    assertThat(cluster.ask("ks.raised", ONE)).matches(ConsistencyCluster::isEstimated);
  }

  @Test
  @Order(12)
  void a_coordinator_whose_clock_is_stepped_decides_as_before() {
    try {
      for (long seconds : new long[] {-300, 300, 0}) {
        cluster.clock(1, 1_000 * seconds);
        cluster.writeUntil("ks.raised", ONE, ConsistencyCluster::isEstimated);
      }
    } finally {
      cluster.clock(1, 0);
    }
    assertThat(cluster.counts("-", "-")).containsEntry("plugin_failures", 0L);
  }

  /** Node 1 knows nothing of writes through node 2: only shadow reads show that they are late. */
  @Test
  @Order(13)
  void shadow_reads_that_refute_the_bound_stop_lowering() {
    AtomicInteger first = new AtomicInteger(-1_000);
    try {
      eventually(
          () -> {
            lowerLateWrites();
            readLate(first.getAndAdd(-LATE_ROWS));
            assertThat(cluster.ask("ks.lowered", QUORUM))
                .isEqualTo(new Told("QUORUM", "lowering_frozen"));
            assertThat(cluster.virtual("consistency"))
                .filteredOn(row -> "lowered".equals(row.getString("table_name")))
                .isNotEmpty()
                .allMatch(
                    row -> row.getBoolean("frozen") && row.getLong("stale_shadow_reads") >= 2);
          });
    } finally {
      cluster.delay(1, 0);
      cluster.delay(3, 0);
    }
  }

  /**
   * Has reads lowered and then writes late. Node 1 samples its own writes alone, and none are late:
   * on a slow machine their samples may age before enough reads are repeated.
   */
  private void lowerLateWrites() {
    String reason = cluster.ask("ks.lowered", QUORUM).reason();
    if (!List.of("lowered", "lowering_frozen").contains(reason)) {
      cluster.delay(1, 0);
      cluster.delay(3, 0);
      cluster.writeUntil("ks.lowered", QUORUM, new Told("ONE", "lowered")::equals);
    }
    cluster.delay(1, VERY_LATE_MILLIS);
    cluster.delay(3, VERY_LATE_MILLIS);
  }

  /** Some 0.5 % of these reads are repeated at ALL. */
  private void readLate(int first) {
    List<Integer> keys = IntStream.range(0, LATE_ROWS).mapToObj(i -> first - i).toList();
    cluster.each(2, ONE, "INSERT INTO ks.lowered (k, v) VALUES (?, 1)", keys);
    for (int i = 0; i < 4; i++) {
      cluster.each(1, QUORUM, "SELECT v FROM ks.lowered WHERE k = ?", keys);
    }
  }

  private Told prepared() {
    PreparedStatement statement =
        cluster.session().prepare("SELECT v FROM ks.raised WHERE k = :key");
    return ConsistencyCluster.told(
        cluster
            .session()
            .execute(cluster.at(statement.bind().setInt("key", -7), 1).setConsistencyLevel(ONE)));
  }

  private SimpleStatement asking(String cql) {
    return cluster
        .at(SimpleStatement.newInstance(cql), 1)
        .setCustomPayload(ConsistencyCluster.encoded(Map.of("max_stale_ms", "0")));
  }

  private String shape(String cql) {
    return ConsistencyCluster.told(cluster.session().execute(asking(cql).setConsistencyLevel(ONE)))
        .reason();
  }

  private Row prediction(int r, int w, long afterMillis) {
    return cluster.virtual("staleness").stream()
        .filter(row -> "raised".equals(row.getString("table_name")))
        .filter(row -> row.getInt("r") == r && row.getInt("w") == w)
        .filter(row -> row.getLong("after_ms") == afterMillis)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no prediction of %d, %d".formatted(r, w)));
  }

  /** The report of a history in which no request timed out. */
  private StalenessReport history(String table, int reader, ConsistencyLevel level) {
    OperationHistory[] whole = new OperationHistory[1];
    eventually(() -> whole[0] = observe(table, reader, level));
    return whole[0].check();
  }

  /**
   * Versions of a new key, written through node 1 at ONE, each read through another node after it.
   */
  private OperationHistory observe(String table, int reader, ConsistencyLevel level) {
    OperationHistory history = new OperationHistory();
    int key = --historyKey;
    for (int version = 1; version <= HISTORY; version++) {
      long invoked = System.nanoTime();
      cluster.execute(
          1, ONE, "INSERT INTO " + table + " (k, v) VALUES (?, ?)", key, (long) version);
      history.add(new TimedWrite(1, key, version, invoked, System.nanoTime()));
      long started = System.nanoTime();
      Row row =
          cluster.execute(reader, level, "SELECT v FROM " + table + " WHERE k = ?", key).one();
      history.add(
          new TimedRead(2, key, started, System.nanoTime(), row == null ? 0 : row.getLong("v")));
    }
    return history;
  }
}
