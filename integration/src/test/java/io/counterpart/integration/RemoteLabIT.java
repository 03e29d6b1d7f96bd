package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.Row;
import io.counterpart.cluster.ContactPoint;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.jmx.NodeJmx;
import io.counterpart.lab.plan.Aim;
import io.counterpart.lab.plan.Experiment;
import io.counterpart.lab.plan.ExperimentArm;
import io.counterpart.lab.plan.LabPlan;
import io.counterpart.lab.plan.Regime;
import io.counterpart.lab.plan.Repetition;
import io.counterpart.lab.plan.Routing;
import io.counterpart.lab.plan.Stage;
import io.counterpart.lab.plan.Step;
import io.counterpart.lab.remote.RemoteAccess;
import io.counterpart.lab.remote.RemoteCluster;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.NodeCost;
import io.counterpart.lab.run.Lab;
import io.counterpart.lab.run.RunListener;
import io.counterpart.lab.setup.Arm;
import io.counterpart.lab.setup.LabTable;
import io.counterpart.lab.setup.Progress;
import io.counterpart.lab.setup.RunRefusedException;
import io.counterpart.lab.workload.ConsistencyLevels;
import io.counterpart.lab.workload.OperationMix;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Experiments on a cluster that somebody else runs. */
@OnCluster(Shape.THREE_NODES)
class RemoteLabIT {
  private static final int ROWS = 500;
  private static final int OPERATIONS = 100;
  private static final String REPLICATION = "{'class': 'NetworkTopologyStrategy', 'dc1': 1}";
  private static final ConsistencyLevels QUORUM =
      new ConsistencyLevels(DefaultConsistencyLevel.QUORUM, DefaultConsistencyLevel.QUORUM);

  private final Launcher launcher = new Launcher(Path.of("target/remote-lab-it").toAbsolutePath());

  @Test
  void measures_somebody_elses_cluster_and_leaves_it_as_it_was(TestCluster cluster)
      throws Exception {
    cluster.execute("CREATE KEYSPACE theirs WITH replication = " + REPLICATION);
    List<String> keyspaces = keyspaces(cluster);
    List<String> snitches = snitches(cluster);

    LabResult result = run(experiment());

    assertThat(result.clean()).isTrue();
    assertThat(result.checked()).isGreaterThanOrEqualTo(2 * ROWS);
    assertThat(result.blocks()).hasSize(2 * 2 + 2 + 2 * 3);
    assertThat(result.blocks()).allSatisfy(RemoteLabIT::assertMeasured);
    assertThat(result.figures()).hasSize(1);
    assertThat(result.config())
        .containsEntry("nodes", 3)
        .containsEntry("tokensPerNode", 4)
        .containsKeys("cluster", "plugin", "notMeasured", "diskSpace");
    assertThat(result.config().get("regimes").toString())
        .contains("read=not limited: the nodes are not this lab's");
    assertThat(result.config().get("skipped").toString()).contains("phase curve skipped");

    assertThat(keyspaces(cluster)).isEqualTo(keyspaces);
    assertThat(snitches(cluster)).isEqualTo(snitches);
    cluster.execute("DROP KEYSPACE theirs");
  }

  @Test
  void refuses_what_does_not_fit_and_touches_nothing(TestCluster cluster) throws Exception {
    cluster.execute("CREATE KEYSPACE counterpart_lab_lcs WITH replication = " + REPLICATION);
    assertThatThrownBy(() -> run(experiment()))
        .isInstanceOf(RunRefusedException.class)
        .hasMessageContaining("DROP KEYSPACE counterpart_lab_lcs");
    assertThat(keyspaces(cluster)).contains("counterpart_lab_lcs");
    cluster.execute("DROP KEYSPACE counterpart_lab_lcs");

    RemoteAccess elsewhere =
        new RemoteAccess(List.of(contact(2)), "dc9", null, OptionalInt.empty(), null);
    assertThatThrownBy(() -> RemoteCluster.survey(elsewhere))
        .isInstanceOf(RunRefusedException.class)
        .hasMessage("datacenter 'dc9': the cluster has dc1");
    RemoteAccess mute = new RemoteAccess(List.of(contact(2)), null, null, OptionalInt.of(1), null);
    assertThatThrownBy(() -> RemoteCluster.survey(mute))
        .isInstanceOf(RunRefusedException.class)
        .hasMessageContainingAll("node 127.0.0.1: no JMX on 127.0.0.1:1", "LOCAL_JMX=no");
  }

  @Test
  void drops_its_keyspaces_when_interrupted(TestCluster cluster) throws Exception {
    List<String> before = keyspaces(cluster);
    Process run =
        launcher.start(
            "lab",
            "run",
            "depart-exp1",
            "--scale=smoke",
            "--contact-points=" + contact(2),
            "--no-live");
    await()
        .atMost(Duration.ofSeconds(180))
        .until(() -> keyspaces(cluster).contains("counterpart_lab_decoupled_t4"));
    assertLeavesNoSnapshot(cluster, "counterpart_lab_lcs");

    Launcher.interrupt(run);

    assertThat(run.waitFor(120, TimeUnit.SECONDS)).isTrue();
    assertThat(run.exitValue()).isEqualTo(130);
    // another node may not have heard of the last DROP when the process ends
    await()
        .atMost(Duration.ofSeconds(120))
        .untilAsserted(() -> assertThat(keyspaces(cluster)).isEqualTo(before));
  }

  private static void assertMeasured(BlockResult block) {
    assertThat(block.failed()).isZero();
    NodeCost server = block.server();
    assertThat(server.cpuSeconds()).isPositive();
    assertThat(server.hasDiskReads()).isFalse();
    assertThat(server.hasDiskWrites()).isFalse();
    assertThat(server.diskReadBytes()).isEqualTo(NodeCost.NOT_MEASURED);
    if (block.phase().equals("drain")) {
      assertThat(server.bytesFlushed()).isPositive();
    } else {
      assertThat(block.operationsPerSecond()).isPositive();
    }
    if (block.phase().equals("read")) {
      assertThat(server.sstablesPerRead()).isBetween(0.5, 20.0);
    }
  }

  private static LabResult run(Experiment experiment) throws Exception {
    RemoteCluster cluster =
        RemoteCluster.survey(
            new RemoteAccess(List.of(contact(1)), null, null, OptionalInt.empty(), null));
    return new Lab(LabPlan.of(experiment, "it", 1), cluster, Progress.silent(), RunListener.DEAF)
        .run();
  }

  private static ContactPoint contact(int node) {
    return new ContactPoint("127.0.0." + node, Shape.PORTS.cql());
  }

  private static List<String> keyspaces(TestCluster cluster) {
    return cluster
        .query(
            cluster.node(1),
            DefaultConsistencyLevel.ONE,
            "SELECT keyspace_name FROM system_schema.keyspaces")
        .stream()
        .map(row -> Objects.requireNonNull(row.getString(0)))
        .sorted()
        .toList();
  }

  private static List<String> snitches(TestCluster cluster) {
    return cluster.live().stream().map(RemoteLabIT::snitch).toList();
  }

  private static String snitch(Node node) {
    try (NodeJmx jmx = node.jmx()) {
      return (String)
          jmx.attribute("org.apache.cassandra.db:type=EndpointSnitchInfo", "SnitchName");
    }
  }

  /** Else a dropped table would stay on the nodes' disks. */
  private static void assertLeavesNoSnapshot(TestCluster cluster, String keyspace) {
    Row table =
        cluster
            .query(
                cluster.node(1),
                DefaultConsistencyLevel.ONE,
                "SELECT allow_auto_snapshot, incremental_backups FROM system_schema.tables"
                    + " WHERE keyspace_name = '%s'".formatted(keyspace))
            .get(0);
    assertThat(table.getBoolean("allow_auto_snapshot")).isFalse();
    assertThat(table.getBoolean("incremental_backups")).isFalse();
  }

  private static Experiment experiment() {
    LabTable stock = LabTable.of(Arm.named(Arm.LCS).orElseThrow());
    // splits each flush, so that a drain has nothing to wait for
    LabTable decoupled = LabTable.of(Arm.decoupledRuns("20"));
    List<Step> steps =
        List.of(
            new Step.Load("load", ROWS, 2),
            new Step.Drain("drain"),
            blocks("read", OperationMix.READS, Regime.HEADLINE),
            blocks("curve", OperationMix.READS, new Regime(0.5, 100)),
            blocks("update", OperationMix.UPDATES, Regime.UNLIMITED));
    List<ExperimentArm> arms =
        List.of(
            new ExperimentArm(stock, Routing.STOCK),
            new ExperimentArm(decoupled, Routing.STOCK),
            new ExperimentArm(decoupled, Routing.PRIMARY_FIRST));
    return new Experiment(
        "it",
        "none",
        "a cluster that somebody else runs",
        List.of(new Stage(5, ROWS * 2, arms, steps)),
        List.of(new Aim.Throughput("it.reads", "read", "decoupled_s20+pf", "lcs", 1, "")));
  }

  private static Step.Blocks blocks(String phase, OperationMix mix, Regime regime) {
    return new Step.Blocks(phase, mix, QUORUM, new Repetition(OPERATIONS, 0, 0, 1), regime);
  }
}
