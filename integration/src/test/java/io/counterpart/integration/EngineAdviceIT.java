package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.counterpart.cli.CommandHere;
import io.counterpart.cluster.ContactPoint;
import io.counterpart.cluster.Node;
import io.counterpart.core.engine.advice.Advice;
import io.counterpart.core.engine.advice.Load;
import io.counterpart.lab.remote.RemoteAccess;
import io.counterpart.lab.remote.advice.WorkloadAdvice;
import io.counterpart.lab.remote.advice.WorkloadSurvey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Advice follows what clients do, and is carried out on request. */
@OnSecondCluster(Shape.THREE_NODES)
class EngineAdviceIT {
  private static final String KEYSPACE = "engine_advice";
  private static final String READ = KEYSPACE + ".read_mostly";
  private static final String WRITTEN = KEYSPACE + ".written";
  private static final String INDEXED = KEYSPACE + ".indexed";
  private static final Path SCRATCH = Path.of("target/engine-advice-it").toAbsolutePath();
  private static final int OPERATIONS = 600;
  private static final int BETWEEN_WRITES_MILLIS = 400;
  private static final int COPIES = 3;

  @Test
  void a_read_and_a_written_table_get_other_engines(TestCluster cluster) throws Exception {
    cluster.createKeyspace(KEYSPACE, "{'class': 'NetworkTopologyStrategy', 'dc1': 3}");
    String columns = " (k int PRIMARY KEY, v text)";
    cluster.execute("CREATE TABLE " + READ + columns);
    cluster.execute("CREATE TABLE " + WRITTEN + columns + " WITH memtable = 'lmdb'");
    cluster.execute("CREATE TABLE " + INDEXED + columns);
    cluster.execute("CREATE INDEX ON " + INDEXED + " (v) USING 'sai'");
    write(cluster, READ, 1);

    Map<String, WorkloadAdvice.OnTable> advised = advice(cluster);

    assertThat(advised).containsOnlyKeys(READ, WRITTEN, INDEXED);
    WorkloadAdvice.OnTable read = advised.get(READ);
    // it is small: it fits into the heap that the engine memory has
    assertThat(read.advice().action()).isEqualTo(Advice.Action.MEMORY);
    assertThat(read.lacking()).isEmpty();
    assertThat(read.facts().load().readShare()).isEqualTo(1);
    assertThat(read.facts().load().readMillis()).isPositive();
    WorkloadAdvice.OnTable written = advised.get(WRITTEN);
    assertThat(written.advice().action()).isEqualTo(Advice.Action.LSM);
    Load load = written.facts().load();
    assertThat(load.operations()).isEqualTo((long) OPERATIONS * COPIES);
    assertThat(load.reads() + load.scans() + load.clientReads()).isZero();
    assertThat(advised.get(INDEXED).advice())
        .isEqualTo(
            new Advice(
                INDEXED, Advice.Action.LEAVE, "it has an index, which engines do not support"));

    applies(cluster);
    migrates(cluster);
    refuses(cluster);
    cluster.execute("DROP KEYSPACE " + KEYSPACE);
  }

  private static Map<String, WorkloadAdvice.OnTable> advice(TestCluster cluster) {
    Node first = cluster.node(1);
    RemoteAccess access =
        new RemoteAccess(
            List.of(new ContactPoint(first.address(), first.cqlPort())),
            null,
            null,
            OptionalInt.empty(),
            null);
    try (WorkloadSurvey survey = WorkloadSurvey.open(access, List.of(READ, WRITTEN, INDEXED))) {
      survey.begin();
      all(cluster, "SELECT v FROM " + READ + " WHERE k = ?", OPERATIONS);
      write(cluster, WRITTEN, OPERATIONS);
      all(cluster, "SELECT v FROM " + INDEXED + " WHERE k = ?", OPERATIONS);
      return survey.advise().tables().stream()
          .collect(Collectors.toMap(table -> table.facts().name(), Function.identity()));
    }
  }

  /** The command changes the table that is written while it counts, and no other one. */
  private static void applies(TestCluster cluster) throws Exception {
    cluster.flush(KEYSPACE);
    assertThat(DataFiles.of(cluster.node(1), KEYSPACE, "written")).isEmpty();
    Files.createDirectories(SCRATCH);
    Path out = Files.createTempFile(SCRATCH, "advise", ".json");
    Process advise =
        new Launcher(SCRATCH)
            .startInto(
                out,
                "engine",
                "advise",
                contact(cluster),
                // long enough for writers that pause
                "--for=6s",
                "--apply",
                "--yes",
                "--json",
                READ,
                WRITTEN);
    while (advise.isAlive()) {
      write(cluster, WRITTEN, OPERATIONS);
      // the command needs the processors too
      Thread.sleep(BETWEEN_WRITES_MILLIS);
    }
    String printed = Files.readString(out);
    assertThat(advise.waitFor()).as(printed).isZero();

    assertThat(printed).contains(WRITTEN + " has memtable = 'lsm' now");
    JsonNode json = new ObjectMapper().readTree(printed.substring(printed.indexOf("\n{") + 1));
    assertThat(json.get("applied")).hasSize(1);
    assertThat(json.at("/applied/0/done").asBoolean()).isTrue();
    assertThat(json.at("/tables/0/advice").asText()).isEqualTo("leave");
    assertThat(memtable(cluster, "written")).isEqualTo("lsm");
    assertThat(memtable(cluster, "read_mostly")).isNotEqualTo("memory");
    for (Node node : cluster.live()) {
      assertThat(DataFiles.of(node, KEYSPACE, "written")).as("on %s", node).isNotEmpty();
      assertThat(cluster.query(node, DefaultConsistencyLevel.ONE, "SELECT k FROM " + WRITTEN))
          .as("on %s", node)
          .hasSize(OPERATIONS);
    }
  }

  private static String contact(TestCluster cluster) {
    return "--contact-points=127.0.0.1:" + cluster.node(1).cqlPort();
  }

  /** As an operator does, beside writes; the same command goes on where it was interrupted. */
  private static void migrates(TestCluster cluster) throws Exception {
    Path out = Files.createTempFile(SCRATCH, "migrate", ".txt");
    List<String> command = List.of("engine", "migrate", WRITTEN, "lmdb_absorbing");
    Launcher launcher = new Launcher(SCRATCH);
    Process first = launcher.startInto(out, command, contact(cluster));
    // on all nodes: the next command asks any of them
    await()
        .atMost(Duration.ofSeconds(120))
        .until(
            () ->
                cluster.live().stream()
                    .map(node -> memtable(cluster, node, "written"))
                    .allMatch("lmdb_absorbing"::equals));
    Launcher.interrupt(first);
    // the nodes may have been done by then
    assertThat(first.waitFor()).as(Files.readString(out)).isIn(0, 130);

    Process again = launcher.startInto(out, command, contact(cluster));
    while (again.isAlive()) {
      write(cluster, WRITTEN, OPERATIONS);
      Thread.sleep(BETWEEN_WRITES_MILLIS);
    }

    String resumed = Files.readString(out);
    assertThat(again.waitFor()).as(resumed).isZero();
    assertThat(resumed)
        .contains("has memtable = 'lmdb_absorbing' already", ": done", "on all 3 nodes");
    for (Node node : cluster.live()) {
      assertThat(cluster.query(node, DefaultConsistencyLevel.ONE, "SELECT k FROM " + WRITTEN))
          .as("on %s", node)
          .hasSize(OPERATIONS);
    }
    Launcher.Outcome back =
        launcher.run("engine", List.of("migrate", WRITTEN, "lsm"), contact(cluster)).ok();
    assertThat(back.out()).contains("lsm");
    assertThat(memtable(cluster, "written")).isEqualTo("lsm");
    for (Node node : cluster.live()) {
      assertThat(DataFiles.of(node, KEYSPACE, "written")).as("on %s", node).isNotEmpty();
    }
  }

  /** What would never end, before anything is touched. */
  private static void refuses(TestCluster cluster) {
    assertRefused(cluster, INDEXED, "lmdb_absorbing", "has the index indexed_v_idx");
    assertRefused(cluster, WRITTEN, "default", "Use 'lsm' to leave an engine");
    assertRefused(cluster, KEYSPACE + ".nothing", "lmdb", "legal in " + KEYSPACE + ": indexed, ");
    assertThat(memtable(cluster, "indexed")).isNotEqualTo("lmdb_absorbing");
    assertThat(memtable(cluster, "written")).isEqualTo("lsm");
  }

  private static void assertRefused(
      TestCluster cluster, String table, String configuration, String reason) {
    CommandHere.Outcome refused =
        CommandHere.run(
            List.of("engine", "migrate", table, configuration, "--timeout=5", contact(cluster)));
    assertThat(refused.exitCode()).as(refused.err()).isEqualTo(3);
    assertThat(refused.err()).contains(reason);
  }

  private static String memtable(TestCluster cluster, String table) {
    return memtable(cluster, cluster.node(1), table);
  }

  private static String memtable(TestCluster cluster, Node node, String table) {
    return String.valueOf(
        cluster
            .query(
                node,
                DefaultConsistencyLevel.ONE,
                "SELECT memtable FROM system_schema.tables WHERE keyspace_name = '%s' AND table_name = '%s'"
                    .formatted(KEYSPACE, table))
            .get(0)
            .getString(0));
  }

  private static void write(TestCluster cluster, String table, int count) {
    all(cluster, "INSERT INTO " + table + " (k, v) VALUES (?, 'a value')", count);
  }

  /** Runs a statement with each key from 0 on at ALL, a few at a time. */
  private static void all(TestCluster cluster, String cql, int count) {
    PreparedStatement statement = cluster.session().prepare(cql);
    List<CompletionStage<?>> under = new ArrayList<>();
    for (int key = 0; key < count; key++) {
      under.add(
          cluster
              .session()
              .executeAsync(statement.bind(key).setConsistencyLevel(DefaultConsistencyLevel.ALL)));
      if (under.size() == 50) {
        under.forEach(each -> each.toCompletableFuture().join());
        under.clear();
      }
    }
    under.forEach(each -> each.toCompletableFuture().join());
  }
}
