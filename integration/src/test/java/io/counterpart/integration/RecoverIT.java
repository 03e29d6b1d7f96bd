package io.counterpart.integration;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.Row;
import com.fasterxml.jackson.databind.JsonNode;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.StartListener;
import io.counterpart.cluster.jmx.NodeJmx;
import io.counterpart.core.recovery.KeyspaceDecision.Restore;
import io.counterpart.core.recovery.RecoveryMode;
import io.counterpart.core.recovery.RecoveryPolicy;
import io.counterpart.core.recovery.RecoveryStep;
import io.counterpart.core.recovery.RecoveryWay;
import io.counterpart.recovery.Recovery;
import io.counterpart.recovery.RecoveryListener;
import io.counterpart.recovery.RecoveryProgress;
import io.counterpart.recovery.RecoveryResult;
import io.counterpart.recovery.RecoveryResult.RestoredKeyspace;
import io.counterpart.recovery.RecoverySettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A node loses all or some of its data and is recovered, by each method. */
@OnCluster(Shape.THREE_NODES)
class RecoverIT {
  private static final String KEYSPACE = "recover";
  private static final String PROXY = "org.apache.cassandra.db:type=StorageProxy";
  private static final Path STATE = Shape.HOME.resolve("recovery/node2.json");
  private static final List<String> RECOVER =
      List.of("recover", "--home=" + Shape.HOME, "--keyspace=" + KEYSPACE, "--json");

  /** Four tokens a node, three nodes, RF 3: every node keeps every range. */
  private static final int PRIMARY = 4;

  private static final int REDUNDANT = 8;

  private static final int LATE_ROWS = 300;

  /** A keyspace whose one table is on an engine: its data is in no sstable for most of the time. */
  private static final String ON_ENGINE = "recover_engine";

  private static final int ENGINE_ROWS = 300;

  private final Seed seed = Seed.of(RecoverIT.class);
  private final Launcher launcher = new Launcher(Path.of("target/recover-it").toAbsolutePath());

  @Test
  void makes_a_node_whole_by_the_way_that_fits(TestCluster cluster) throws Exception {
    cluster.createKeyspace(KEYSPACE, "{'class': 'NetworkTopologyStrategy', 'dc1': 3}");
    AcknowledgedWrites rows =
        new AcknowledgedWrites(
            cluster,
            KEYSPACE + ".t",
            "compaction = " + TestCluster.decoupled(Map.of("runs", "3")),
            2000,
            300,
            seed);
    cluster.execute("CREATE TABLE recover.late (id int PRIMARY KEY) WITH read_repair = 'NONE'");
    rows.writeAllAndFlush(2);
    fillEngine(cluster);

    interruptedRebuildGoesOn(cluster, rows);
    interruptedRebuildOfAnEngineGoesOn(cluster);
    missedWritesAreRepaired(cluster);
    merkleTreesFillAnEmptyNode(cluster, rows);
  }

  private void interruptedRebuildGoesOn(TestCluster cluster, AcknowledgedWrites rows)
      throws Exception {
    Node node = wipe(cluster);
    RecoveryStep first;
    try (NodeJmx jmx = node.jmx()) {
      aRunThatEndsBeforeItsFirstStepLeavesNothing(jmx);
      Recovery recovery = new Recovery(jmx, settings(KEYSPACE, RecoveryMode.AUTO, 4));
      first = recovery.plan().restores().get(0).steps().get(0);
      assertThatThrownBy(() -> recovery.run(cancelAfterFirstStep(recovery)))
          .isInstanceOf(CancellationException.class);
    }
    assertThat(STATE).exists();

    JsonNode plan = launcher.run(RECOVER, "2", "--dry-run").ok().json().at("/keyspaces/0");
    assertThat(plan.get("way").asText()).isEqualTo("REBUILD");
    assertThat(plan.get("resumedRanges").asInt()).isEqualTo(first.all().size());

    JsonNode result = launcher.run(RECOVER, "2").ok().json();
    JsonNode keyspace = result.at("/keyspaces/0");
    assertThat(keyspace.get("way").asText()).isEqualTo("REBUILD");
    assertThat(keyspace.get("resumedRanges").asInt()).isEqualTo(first.all().size());
    assertThat(keyspace.get("primaryRanges").asInt()).isEqualTo(PRIMARY - first.primary().size());
    assertThat(keyspace.get("redundantRanges").asInt())
        .isEqualTo(REDUNDANT - first.redundant().size());
    assertThat(keyspace.get("receivedBytes").asLong()).isPositive();
    assertThat(keyspace.get("verdict").asText()).isEqualTo("IN_SYNC");
    assertThat(STATE).doesNotExist();
    rows.check(node, DefaultConsistencyLevel.ONE);
  }

  private static void fillEngine(TestCluster cluster) {
    cluster.createKeyspace(ON_ENGINE, "{'class': 'NetworkTopologyStrategy', 'dc1': 3}");
    cluster.execute(
        "CREATE TABLE recover_engine.t (id int PRIMARY KEY) WITH read_repair = 'NONE'"
            + " AND memtable = 'lmdb_absorbing'");
    cluster.executeAll(
        IntStream.range(0, ENGINE_ROWS).mapToObj(id -> insert("recover_engine.t", id)).toList());
    cluster.flush(ON_ENGINE);
  }

  /** A wiped node is rebuilt; what came before an interruption counts when it is in the store. */
  private static void interruptedRebuildOfAnEngineGoesOn(TestCluster cluster) throws Exception {
    Node node = cluster.node(2);
    try (NodeJmx jmx = node.jmx()) {
      Recovery first = new Recovery(jmx, settings(ON_ENGINE, RecoveryMode.AUTO, 4));
      Restore plan = first.plan().restores().get(0);
      assertThat(plan.way()).isEqualTo(RecoveryWay.REBUILD);
      assertThatThrownBy(() -> first.run(cancelAfterFirstStep(first)))
          .isInstanceOf(CancellationException.class);
      awaitAbsorbed(cluster, node);

      RecoveryResult result =
          new Recovery(jmx, settings(ON_ENGINE, RecoveryMode.AUTO, 1)).run(RecoveryListener.DEAF);

      RestoredKeyspace keyspace = result.keyspaces().get(0);
      assertThat(keyspace.way()).isEqualTo(RecoveryWay.REBUILD);
      assertThat(keyspace.resumedRanges()).isEqualTo(plan.steps().get(0).all().size());
      assertThat(result.inSync()).isTrue();
    }
    assertThat(rows(cluster, node, "recover_engine.t")).isEqualTo(ENGINE_ROWS);
  }

  /** An intact node with its data in stores is repaired: these take part in the comparison. */
  private static void missedWritesToAnEngineAreRepaired(TestCluster cluster, Node node)
      throws InterruptedException {
    awaitAbsorbed(cluster, node);
    try (NodeJmx jmx = node.jmx()) {
      RecoveryResult result =
          new Recovery(jmx, settings(ON_ENGINE, RecoveryMode.AUTO, 1)).run(RecoveryListener.DEAF);

      assertThat(result.keyspaces().get(0).way()).isEqualTo(RecoveryWay.REPAIR);
      assertThat(result.inSync()).isTrue();
    }
    assertThat(rows(cluster, node, "recover_engine.t")).isEqualTo(ENGINE_ROWS + LATE_ROWS);
  }

  private static void awaitAbsorbed(TestCluster cluster, Node node) {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              Row engine = cluster.engine(node, ON_ENGINE, "t");
              assertThat(engine.getInt("sstables")).isZero();
              assertThat(engine.getLong("partitions")).isPositive();
            });
  }

  /** What was restored before the node lost it must not be believed by the run after this one. */
  private static void aRunThatEndsBeforeItsFirstStepLeavesNothing(NodeJmx jmx) throws IOException {
    Recovery recovery = new Recovery(jmx, settings(KEYSPACE, RecoveryMode.AUTO, 4));
    String state =
        "{\"hostId\": \"%s\", \"keyspaces\": {\"%s\": {\"way\": \"REBUILD\", \"ranges\": []}}}";
    Files.createDirectories(STATE.getParent());
    Files.writeString(STATE, state.formatted(recovery.plan().hostId(), KEYSPACE));
    recovery.cancel();

    assertThatThrownBy(() -> recovery.run(RecoveryListener.DEAF))
        .isInstanceOf(CancellationException.class);
    assertThat(STATE).doesNotExist();
  }

  private void missedWritesAreRepaired(TestCluster cluster) throws Exception {
    Node node = cluster.node(2);
    cluster.kill(node);
    hints(cluster, false);
    Launcher.Outcome dead = launcher.run(RECOVER, "2");
    assertThat(dead.exitCode()).isEqualTo(3);
    assertThat(dead.err()).contains("does not run", "--start");
    awaitSeenDown(node, cluster.node(1));
    // what is sent to a node earlier waits for it for 20 s, and it may be back by then
    for (String late :
        List.of(inserts("recover.late", 0), inserts("recover_engine.t", ENGINE_ROWS))) {
      cluster.query(cluster.node(1), DefaultConsistencyLevel.QUORUM, late);
    }
    Launcher.Outcome neighbour = launcher.run(RECOVER, "1");
    assertThat(neighbour.exitCode()).isEqualTo(3);
    assertThat(neighbour.err())
        .contains("[127.0.0.2:%d] do not answer".formatted(Shape.PORTS.storage()));
    node.start(StartListener.SILENT);
    hints(cluster, true);
    assertThat(rows(cluster, node, "recover.late")).isZero();

    JsonNode keyspace = launcher.run(RECOVER, "2").ok().json().at("/keyspaces/0");

    assertThat(keyspace.get("way").asText()).isEqualTo("REPAIR");
    assertThat(keyspace.get("verdict").asText()).isEqualTo("IN_SYNC");
    assertThat(rows(cluster, node, "recover.late")).isEqualTo(LATE_ROWS);
    missedWritesToAnEngineAreRepaired(cluster, node);
  }

  private void merkleTreesFillAnEmptyNode(TestCluster cluster, AcknowledgedWrites rows)
      throws Exception {
    Node node = wipe(cluster);
    try (NodeJmx jmx = node.jmx()) {
      RecoveryResult result =
          new Recovery(jmx, settings(KEYSPACE, RecoveryMode.REPAIR, 1)).run(RecoveryListener.DEAF);

      RestoredKeyspace keyspace = result.keyspaces().get(0);
      assertThat(result.inSync()).isTrue();
      assertThat(keyspace.way()).isEqualTo(RecoveryWay.REPAIR);
      assertThat(keyspace.primaryRanges()).isEqualTo(PRIMARY);
      assertThat(keyspace.redundantRanges()).isEqualTo(REDUNDANT);
      assertThat(keyspace.receivedBytes()).isPositive();
      assertThat(keyspace.merkleSeconds()).isPositive();
    }
    rows.check(node, DefaultConsistencyLevel.ONE);
    assertThat(rows(cluster, node, "recover.late")).isEqualTo(LATE_ROWS);
  }

  private static Node wipe(TestCluster cluster) throws Exception {
    Files.deleteIfExists(STATE);
    Node node = cluster.node(2);
    node.kill();
    node.wipe();
    node.start(StartListener.SILENT);
    return node;
  }

  private static RecoverySettings settings(String keyspace, RecoveryMode mode, int steps) {
    return new RecoverySettings(
        List.of(keyspace), new RecoveryPolicy(mode, OptionalInt.of(steps)), STATE);
  }

  private static RecoveryListener cancelAfterFirstStep(Recovery recovery) {
    return new RecoveryListener() {
      @Override
      public void say(String line) {
        // only progress matters here
      }

      @Override
      public void progress(RecoveryProgress progress) {
        if (progress.primaryDone() + progress.redundantDone() > 0) {
          recovery.cancel();
        }
      }
    };
  }

  private static void awaitSeenDown(Node node, Node witness) {
    try (NodeJmx jmx = witness.jmx()) {
      await()
          .atMost(Duration.ofSeconds(120))
          .until(
              () ->
                  ((List<?>) jmx.attribute(NodeJmx.STORAGE_SERVICE, "UnreachableNodes"))
                      .contains(node.address()));
    }
  }

  private static void hints(TestCluster cluster, boolean enabled) {
    for (Node node : cluster.live()) {
      try (NodeJmx jmx = node.jmx()) {
        jmx.setAttribute(PROXY, "HintedHandoffEnabled", enabled);
      }
    }
  }

  private static String insert(String table, int id) {
    return "INSERT INTO %s (id) VALUES (%d)".formatted(table, id);
  }

  /** All late rows at once, each of a partition of its own. */
  private static String inserts(String table, int first) {
    return IntStream.range(first, first + LATE_ROWS)
        .mapToObj(id -> insert(table, id) + ";")
        .collect(joining(" ", "BEGIN UNLOGGED BATCH ", " APPLY BATCH"));
  }

  private static int rows(TestCluster cluster, Node node, String table) {
    return cluster.query(node, DefaultConsistencyLevel.ONE, "SELECT id FROM " + table).size();
  }
}
