package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.counterpart.cluster.Cluster;
import io.counterpart.cluster.Node;
import io.counterpart.cluster.jmx.NodeJmx;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The launcher as a user runs it, each command in a process of its own. */
@OnUsualPorts
class CommandLineIT {

  private static final Path HOME = Path.of("target/command-line-it").toAbsolutePath();
  private static final List<String> SMALL =
      List.of("--nodes=2", "--tokens=4", "--heap=512", "--home=" + HOME);

  /** With a server for each node, where one is installed; otherwise that is skipped aloud. */
  private static final List<String> ENGINE =
      EngineServers.ENGINES.contains("redis") ? List.of("--engine=redis", "--install") : List.of();

  @AfterEach
  void leave_nothing() {
    Cluster.recorded(HOME).ifPresent(Cluster::purge);
  }

  @Test
  void a_session_from_up_to_down() throws Exception {
    Launcher launcher = new Launcher(HOME);
    Path jar = EngineOfOthers.jar(HOME.resolveSibling("engine-of-others"));
    List<String> others = List.of("--engine=lmdb", "--engine=mine", "--engine-jar=" + jar);
    Launcher.Outcome unknown = launcher.run("up", SMALL, "--engine=yours", "--engine-jar=" + jar);
    assertThat(unknown.exitCode()).isEqualTo(2);
    assertThat(unknown.err()).contains("legal: one of [lmdb, memory, redis, sql, mine]");
    JsonNode up =
        launcher
            .run("up", SMALL, ENGINE, others, "--rf=2", "--placement=por", "--json")
            .ok()
            .json();
    assertThat(up.get("nodes")).hasSize(2);
    assertThat(up.get("placement").asText()).isEqualTo("por");
    assertThat(up.at("/nodes/1/state").asText()).isEqualTo("NORMAL");
    assertThat(up.at("/nodes/1/ownsPercent").asDouble()).isEqualTo(100);

    assertThat(launcher.run("up", SMALL).exitCode()).isEqualTo(3);
    assertThat(launcher.run("doctor", "--home=" + HOME).ok().out())
        .contains("tokens were placed by por");

    Path file = Files.writeString(HOME.resolve("statements.cql"), STATEMENTS);
    // both replicas: at ONE the read may ask the one that has not written the row yet
    JsonNode rows =
        launcher.run("cql", "--consistency=QUORUM", "--json", "-f", file.toString()).ok().json();
    assertThat(rows.at("/4/rows/0/v").asText()).isEqualTo("a;b");
    Launcher.Outcome bad = launcher.run("cql", "SELECT nothing FROM app.t");
    assertThat(bad.exitCode()).isEqualTo(1);
    assertThat(bad.err()).contains("nothing");

    // the same address as 127.0.0.2; without a coordinator the nodes would take turns
    String address = "SELECT rpc_address FROM system.local;";
    assertThat(launcher.run("cql", "--host=127.2", address.repeat(5)).ok().out())
        .contains("127.0.0.2")
        .doesNotContain("127.0.0.1");
    launcher.run("nodetool", "--home=" + HOME, "flush", "app", "t").ok();
    recorded().orElseThrow().nodes().forEach(node -> TestCluster.flush(node, "one_copy"));
    assertThat(launcher.run("nodetool", "--home=" + HOME, "--node=2", "status", "-r").ok().out())
        .contains("UN");
    assertThat(launcher.run("nodetool", "--home=" + HOME, "nosuch").exitCode()).isEqualTo(1);
    JsonNode roles = launcher.run("status", "--home=" + HOME, "--json").ok().json().get("roles");
    assertThat(roles).hasSize(2);
    assertThat(bytes(roles, "mixed_bytes")).as("of a small table").isPositive();

    aTableOnAServerIsFilled(launcher);
    aTableOnAnEngineOfOthersIsFilled(launcher);
    theRingIsShown(launcher);
    aChangeOfTheRingIsPlanned(launcher);
    aNodeGoesAndComesBack(launcher);

    launcher.run("down", "--home=" + HOME).ok();
    assertThat(Cluster.recorded(HOME).orElseThrow().nodes()).noneMatch(Node::isAlive);
    assertThat(launcher.run("up", "--home=" + HOME, "--nodes=3").exitCode()).isEqualTo(2);
    launcher.run("up", "--home=" + HOME).ok();
    assertThat(launcher.run("cql", "SELECT v FROM app.t WHERE k = 1").ok().out()).contains("a;b");
    if (!ENGINE.isEmpty()) {
      assertThat(launcher.run("cql", "SELECT v FROM app.served").ok().out()).contains("kept");
    }
    assertThat(launcher.run("cql", "SELECT v FROM app.third").ok().out()).contains("theirs");
    launcher.run("down", "--home=" + HOME, "--purge").ok();
    assertThat(HOME.resolve("node1")).doesNotExist();
  }

  private static void aTableOnAServerIsFilled(Launcher launcher) throws Exception {
    if (ENGINE.isEmpty()) {
      return;
    }
    launcher
        .run(
            "cql",
            "--consistency=ALL",
            "CREATE TABLE app.served (k int PRIMARY KEY, v text) WITH memtable = 'redis';"
                + " INSERT INTO app.served (k, v) VALUES (1, 'kept')")
        .ok();
    TestCluster.flush(recorded().orElseThrow().node(1), "app", "served");
    assertThat(launcher.run("cql", "SELECT state FROM counterpart.engines").ok().out())
        .contains("absorbing: routine");
    assertThat(DataFiles.of(recorded().orElseThrow().node(1), "app", "served")).isEmpty();
  }

  private static void aTableOnAnEngineOfOthersIsFilled(Launcher launcher) throws Exception {
    launcher
        .run(
            "cql",
            "--consistency=ALL",
            "CREATE TABLE app.third (k int PRIMARY KEY, v text) WITH memtable = 'mine';"
                + " INSERT INTO app.third (k, v) VALUES (1, 'theirs')")
        .ok();
    TestCluster.flush(recorded().orElseThrow().node(1), "app", "third");
    assertThat(launcher.run("cql", "SELECT engine, table_name FROM counterpart.engines").ok().out())
        .containsPattern("mine +third");
    assertThat(DataFiles.of(recorded().orElseThrow().node(1), "app", "third")).isEmpty();
  }

  private static void theRingIsShown(Launcher launcher) throws Exception {
    Path svg = HOME.resolve("ring.svg");
    assertThat(launcher.run("ring", "--home=" + HOME, "--svg=" + svg).ok().out())
        .contains("2 nodes, 8 tokens", "primary    ", "a 127.0.0.1  b 127.0.0.2");
    assertThat(svg).content().startsWith("<svg ").contains("127.0.0.2, 127.0.0.1");

    JsonNode ring =
        launcher
            .run("ring", "--keyspace=one_copy", "--contact-points=127.0.0.1", "--json")
            .ok()
            .json();
    assertThat(ring.get("keyspaces")).hasSize(1);
    JsonNode copies = ring.at("/keyspaces/0");
    assertThat(copies.get("replicaSets").asInt()).isEqualTo(2);
    assertThat(copies.get("primaryImbalance").asDouble()).isBetween(0.999, 1.001);
    assertThat(copies.at("/nodes/0/bytes").asLong()).isPositive();

    assertThat(launcher.run("ring", "--home=" + HOME, "--svg=/no/such/ring.svg").exitCode())
        .isEqualTo(2);
    assertThat(launcher.run("ring", "--home=" + HOME, "--keyspace=none").exitCode()).isEqualTo(3);
  }

  private static void aChangeOfTheRingIsPlanned(Launcher launcher) throws Exception {
    Map<?, ?> ring = ring();

    JsonNode join = planned(launcher, "--add=1", "--home=" + HOME);
    assertThat(join.get("newNodes")).hasSize(1);
    assertThat(join.at("/newNodes/0/tokens")).hasSize(4);
    assertThat(streamed(join, join.at("/newNodes/0/name").asText())).isPositive();
    JsonNode copies = planned(launcher, "--rf=1", "--contact-points=127.0.0.1,127.0.0.2");
    assertThat(copies.get("newNodes")).isEmpty();
    assertThat(copies.get("costs").findValuesAsText("table")).contains("t");
    JsonNode leave = planned(launcher, "--remove=2", "--keyspace=one_copy", "--home=" + HOME);
    assertThat(streamed(leave, "127.0.0.1")).isPositive();

    assertThat(ring()).hasSize(8).isEqualTo(ring);
  }

  /** Each token with its node's address. */
  private static Map<?, ?> ring() {
    try (NodeJmx jmx = recorded().orElseThrow().node(1).jmx()) {
      return (Map<?, ?>) jmx.attribute(NodeJmx.STORAGE_SERVICE, "TokenToEndpointMap");
    }
  }

  private static JsonNode planned(Launcher launcher, String... options) throws Exception {
    JsonNode plan = launcher.run("plan-ring", List.of(options), "--json").ok().json();
    assertThat(plan.get("silent")).isEmpty();
    assertThat(plan.get("costs")).isNotEmpty();
    return plan;
  }

  /** Bytes that a node gets. */
  private static long streamed(JsonNode plan, String node) {
    long bytes = 0;
    for (JsonNode cost : plan.get("costs")) {
      if (cost.get("node").asText().startsWith(node)) {
        bytes += cost.at("/bytes/in").asLong();
      }
    }
    return bytes;
  }

  /** Leaves node 1 paused and node 2 stopped. */
  private static void aNodeGoesAndComesBack(Launcher launcher) throws Exception {
    assertThat(node(launcher, "pause", 2).ok().json().get("state").asText()).isEqualTo("paused");
    assertThat(state(launcher, 2)).isEqualTo("PAUSED");
    refused(node(launcher, "pause", 2), "paused already");
    refused(node(launcher, "start", 2), "counterpart node resume 2");
    refused(launcher.run("recover", "2", "--home=" + HOME), "counterpart node resume 2");
    node(launcher, "resume", 2).ok();
    refused(node(launcher, "resume", 2), "is not paused");
    refused(node(launcher, "start", 2), "runs already");
    assertThat(node(launcher, "kill", 3).exitCode()).isEqualTo(2);

    node(launcher, "kill", 2).ok();
    assertThat(state(launcher, 2)).isEqualTo("DOWN");
    refused(node(launcher, "kill", 2), "counterpart node start 2");
    try (ServerSocket holder = new ServerSocket()) {
      holder.bind(new InetSocketAddress("127.0.0.2", 9042));
      refused(node(launcher, "start", 2), "127.0.0.2:9042 (CQL)");
      refused(launcher.run("recover", "2", "--start", "--home=" + HOME), "127.0.0.2:9042 (CQL)");
    }
    try (FileChannel lock =
            FileChannel.open(
                HOME.resolve("node2/start.lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock held = lock.lock()) {
      assertThat(held.isValid()).isTrue();
      for (String option : List.of("--start", "--mode=replace")) {
        refused(
            launcher.run("recover", "2", option, "--home=" + HOME),
            "is being started or stopped by another command");
      }
    }
    Process start = launcher.start("node", List.of("start", "2", "--home=" + HOME));
    await()
        .atMost(Duration.ofSeconds(120))
        .failFast("start has ended", () -> !start.isAlive())
        .until(() -> recorded().orElseThrow().node(2).isAlive());
    Launcher.interrupt(start);
    assertThat(start.waitFor()).isEqualTo(130);
    assertThat(recorded().orElseThrow().nodes())
        .extracting(Node::isAlive)
        .containsExactly(true, false);

    node(launcher, "start", 2).ok();
    assertThat(state(launcher, 2)).isEqualTo("NORMAL");
    // the other node may take it for down once more, when its silence of before is seen
    await()
        .atMost(Duration.ofSeconds(120))
        .pollDelay(Duration.ZERO)
        .pollInSameThread()
        .untilAsserted(
            () ->
                assertThat(launcher.run("nodetool", "--home=" + HOME, "status").ok().out())
                    .containsPattern("UN +127.0.0.2"));
    node(launcher, "stop", 2).ok();
    assertThat(state(launcher, 2)).isEqualTo("STOPPED");
    node(launcher, "pause", 1).ok();
    refused(
        launcher.run("recover", "2", "--mode=replace", "--dry-run", "--home=" + HOME),
        "no node of the cluster runs");
  }

  private static Launcher.Outcome node(Launcher launcher, String action, int index)
      throws Exception {
    return launcher.run("node", action, Integer.toString(index), "--home=" + HOME, "--json");
  }

  private static void refused(Launcher.Outcome outcome, String reason) {
    assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(3);
    assertThat(outcome.err()).contains(reason);
  }

  private static String state(Launcher launcher, int index) throws Exception {
    Launcher.Outcome status = launcher.run("status", "--home=" + HOME, "--json");
    JsonNode nodes = status.json().get("nodes");
    boolean whole = nodes.findValuesAsText("state").stream().allMatch("NORMAL"::equals);
    assertThat(status.exitCode()).isEqualTo(whole ? 0 : 1);
    return nodes.get(index - 1).get("state").asText();
  }

  @Test
  void ctrl_c_during_the_start_leaves_no_process() throws Exception {
    Process up = new Launcher(HOME).start("up", SMALL);
    Cluster cluster = awaitNodes(up);

    Launcher.interrupt(up);

    assertThat(up.waitFor()).isEqualTo(130);
    assertThat(cluster.nodes()).noneMatch(Node::isAlive);
  }

  @Test
  void down_stops_what_a_killed_up_left_behind() throws Exception {
    Process up = new Launcher(HOME).start("up", SMALL);
    Cluster orphans = awaitNodes(up);
    up.destroyForcibly().waitFor();
    forgetProcess(2);

    new Launcher(HOME).run("down", "--home=" + HOME).ok();

    assertThat(orphans.nodes()).noneMatch(Node::isAlive);
  }

  private static Cluster awaitNodes(Process up) {
    await()
        .atMost(Duration.ofSeconds(180))
        .failFast("up has ended", () -> !up.isAlive())
        .until(
            () ->
                recorded()
                    .filter(cluster -> cluster.nodes().stream().allMatch(Node::isAlive))
                    .isPresent());
    return recorded().orElseThrow();
  }

  /** As if the one that started the node had been killed before it could record it. */
  private static void forgetProcess(int node) throws IOException {
    Path file = HOME.resolve("cluster.json");
    ObjectMapper json = new ObjectMapper();
    JsonNode state = json.readTree(file.toFile());
    ((ObjectNode) state.at("/members/" + (node - 1))).putNull("process");
    json.writeValue(file.toFile(), state);
  }

  private static final String STATEMENTS =
      """
      -- a decoupled table
      CREATE TABLE app.t (k int PRIMARY KEY, v text)
        WITH compaction = {'class': 'io.counterpart.cassandra.compaction.DecoupledCompactionStrategy'};
      INSERT INTO app.t (k, v) VALUES (1, 'a;b');
      INSERT INTO app.t (k, v) VALUES (2, 'c');
      INSERT INTO app.t (k, v) VALUES (3, 'd');
      SELECT v FROM app.t WHERE k = 1;
      CREATE KEYSPACE one_copy WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 1};
      CREATE TABLE one_copy.t (k int PRIMARY KEY, v text);
      INSERT INTO one_copy.t (k, v) VALUES (1, 'a');
      INSERT INTO one_copy.t (k, v) VALUES (2, 'b');
      INSERT INTO one_copy.t (k, v) VALUES (3, 'c');
      INSERT INTO one_copy.t (k, v) VALUES (4, 'd');
      """;

  private static Optional<Cluster> recorded() {
    return Cluster.recorded(HOME);
  }

  private static long bytes(JsonNode rows, String column) {
    long sum = 0;
    for (JsonNode row : rows) {
      sum += row.get(column).asLong();
    }
    return sum;
  }
}
