package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.counterpart.cli.CommandHere;
import io.counterpart.cluster.Node;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * {@code engine mix} beside clients, on a cluster with two nodes of each of the classes write and
 * memory and one of class read: (2, 2, 1) to (3, 3, 1); by {@code engine advise} (3, 2, 3) to (3,
 * 2, 2), and with a repair before the change to (2, 1, 2).
 */
record MixUnderLoad(TestCluster cluster, Seed seed) {
  private static final String KEYSPACE = "mixed";
  private static final String TABLE = KEYSPACE + ".t";
  private static final int ROWS = 200;
  private static final int MOST_TRIES = 5;
  private static final Path SCRATCH = Path.of("target/engine-mix-it").toAbsolutePath();

  void check() throws Exception {
    create(2, 2, 1);
    cluster.createKeyspace("tokens_mixed", "{'class': 'NetworkTopologyStrategy', 'dc1': 2}");
    refusesWhatCannotBe();
    JsonNode plan = printsTheLevelsAndChangesNothing();
    changesBesideClients(plan, "3,3,1");
    findsItDone();
    create(3, 2, 3);
    changesAsAdvised();
    changesAfterARepair();
    cluster.execute("DROP KEYSPACE tokens_mixed");
    cluster.execute("DROP KEYSPACE " + KEYSPACE);
  }

  private void create(int copies, int writes, int reads) {
    cluster.createKeyspace(
        KEYSPACE,
        "{'class': 'io.counterpart.cassandra.placement.HeterogeneousStrategy', 'dc1': %d, 'write_quorum': %d, 'read_quorum': %d}"
            .formatted(copies, writes, reads));
    cluster.execute(
        "CREATE TABLE " + TABLE + " (id int PRIMARY KEY, version int) WITH memtable = 'lmdb'");
  }

  private void refusesWhatCannotBe() {
    refused("there is no keyspace absent", "absent", "3,3,1");
    refused(
        "keyspace tokens_mixed is under NetworkTopologyStrategy, legal: HeterogeneousStrategy. Of"
            + " others the mix is in the tokens of the nodes: start a new datacenter",
        "tokens_mixed",
        "3,3,1");
    refused("dc1: nodes of class read are 1, legal: 2 and above", KEYSPACE, "3,1,3");
    refused("0 of 2 copies stay where they are", KEYSPACE, "2,1,2");
    refused("dc1: nodes of class write are 2, legal: 3 and above", KEYSPACE, "4,4,1");
    refused(
        "datacenter dc9: keyspace mixed has copies in [dc1]",
        KEYSPACE,
        "3,3,1",
        "--datacenter=dc9");
    refused("--writes-at is missing, legal: ALL", KEYSPACE, "3,3,1", "--reads-at=all");
    refused(
        "--writes-at is ONE, legal: ALL", KEYSPACE, "3,3,1", "--reads-at=ALL", "--writes-at=ONE");
    refused("--reads-at is ONE, legal: ", KEYSPACE, "3,3,1", "--reads-at=ONE", "--writes-at=ALL");
    assertThat(copies()).isEqualTo(2);
  }

  private void refused(String message, String... arguments) {
    List<String> command = new ArrayList<>(List.of("engine", "mix", home()));
    command.addAll(List.of(arguments));
    CommandHere.Outcome outcome = CommandHere.run(command);
    assertThat(outcome.err()).contains(message);
    assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(3);
  }

  private String home() {
    return "--home=" + cluster.cluster().spec().home();
  }

  private int copies() {
    return Integer.parseInt(
        cluster
            .query(
                cluster.node(1),
                DefaultConsistencyLevel.ONE,
                "SELECT replication FROM system_schema.keyspaces WHERE keyspace_name = '"
                    + KEYSPACE
                    + "'")
            .get(0)
            .getMap(0, String.class, String.class)
            .get("dc1"));
  }

  private JsonNode printsTheLevelsAndChangesNothing() throws Exception {
    JsonNode plan = plan("3,3,1");

    assertThat(plan.get("state").asText()).isEqualTo("nothing was changed");
    assertThat(plan.get("writeLevels").get(0).asText()).isEqualTo("ALL");
    assertThat(plan.get("gainingNodes")).isNotEmpty();
    assertThat(copies()).isEqualTo(2);
    return plan;
  }

  private JsonNode plan(String mix) throws Exception {
    Launcher.Outcome outcome =
        new Launcher(SCRATCH).run("engine", "mix", home(), KEYSPACE, mix, "--json");
    assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(3);
    assertThat(outcome.err()).contains("nothing was changed; when they do, add --reads-at ");
    return new ObjectMapper().readTree(outcome.out());
  }

  private void changesBesideClients(JsonNode plan, String mix) throws Exception {
    DefaultConsistencyLevel reads = level(plan.get("readLevels").path(0).asText());
    DefaultConsistencyLevel writes = level(plan.get("writeLevels").path(0).asText("TWO"));
    VersionedClients.Reads control =
        besideClients(
            List.of(reads, DefaultConsistencyLevel.ONE),
            writes,
            List.of("mix", home(), KEYSPACE, mix, "--reads-at=" + reads, "--writes-at=" + writes),
            UnaryOperator.identity());
    assertThat(copies()).isEqualTo(Integer.parseInt(mix.substring(0, 1)));
    if (plan.get("to").get("copies").asInt() > plan.get("from").get("copies").asInt()) {
      // new copies were asked while they were empty: the level made the difference
      assertThat(control.missed()).isNotEmpty();
    }
  }

  /** To ask two of three copies costs less than to ask all. */
  private void changesAsAdvised() throws Exception {
    besideClients(
        List.of(DefaultConsistencyLevel.ALL, DefaultConsistencyLevel.ALL),
        DefaultConsistencyLevel.TWO,
        List.of("advise", home(), "--for=6s", "--apply", "--yes", "--reads-at=ALL", TABLE),
        advised -> {
          JsonNode mix = advised.at("/mixes/0");
          assertThat(mix.get("changes").asBoolean()).as(advised.toString()).isTrue();
          assertThat(mix.get("keyspaces").path(0).asText()).isEqualTo(KEYSPACE);
          assertThat(advised.at("/applied/0/to/readQuorum").asInt()).isEqualTo(2);
          return advised.at("/applied/0");
        });
  }

  /** A write of before may be on neither of the new copies, so that no level of reads helps. */
  private void changesAfterARepair() throws Exception {
    JsonNode plan = plan("2,1,2");
    assertThat(plan.get("repairedFirst").asBoolean()).as(plan.toString()).isTrue();
    changesBesideClients(plan, "2,1,2");
  }

  /**
   * Clients read and write at levels from before a command to its end.
   *
   * @param reads level of the reads that may miss nothing, and of others
   * @param changed looks at what the command printed, and finds the change in it
   * @return the other reads
   */
  private VersionedClients.Reads besideClients(
      List<DefaultConsistencyLevel> reads,
      DefaultConsistencyLevel writes,
      List<String> command,
      UnaryOperator<JsonNode> changed)
      throws Exception {
    VersionedClients.Reads safe;
    VersionedClients.Reads control;
    try (VersionedClients clients = new VersionedClients(cluster, TABLE, ROWS, seed)) {
      clients.writeAll(DefaultConsistencyLevel.ALL);
      cluster.flush(KEYSPACE);
      clients.startWriter(writes);
      safe = clients.startReader(reads.get(0));
      control = clients.startReader(reads.get(1));

      JsonNode done = changed.apply(run(command));

      assertThat(done.get("repairedNodes")).hasSize(cluster.live().size());
      clients.close();
      checkAfter(clients, done);
      System.out.printf(
          "%s: %d reads at %s, %d failed; at %s %d of %d missed; %d writes failed%n",
          command,
          safe.answered(),
          reads.get(0),
          safe.failed(),
          reads.get(1),
          control.missed().size(),
          control.answered(),
          clients.failedWrites());
    }
    assertThat(safe.missed()).as("reads at %s, %s", reads, seed).isEmpty();
    assertThat(safe.answered()).as("reads beside the change").isGreaterThan(100);
    return control;
  }

  /**
   * What a command prints. Advice to change nothing is asked for once more: nodes that stand still
   * while it counts have few operations, and other shares of reads.
   */
  private static JsonNode run(List<String> command) throws Exception {
    JsonNode printed;
    int tries = 0;
    do {
      Launcher.Outcome outcome = new Launcher(SCRATCH).run("engine", command, "--json");
      assertThat(outcome.exitCode()).as(outcome.err()).isZero();
      printed = outcome.json();
      tries++;
    } while (tries < MOST_TRIES && !printed.at("/mixes/0/changes").asBoolean(true));
    return printed;
  }

  private static void checkAfter(VersionedClients clients, JsonNode done) {
    clients.writeAll(level(done.get("writeLevelAfter").asText()));
    VersionedClients.Reads after = clients.readAll(level(done.get("readLevelAfter").asText()));
    assertThat(after.missed()).isEmpty();
    assertThat(after.failed()).isZero();
  }

  private static DefaultConsistencyLevel level(String name) {
    return DefaultConsistencyLevel.valueOf(name);
  }

  /** As after an interruption; over CQL alone the repairs are left to people. */
  private void findsItDone() throws Exception {
    Launcher.Outcome again =
        new Launcher(SCRATCH).run("engine", "mix", home(), KEYSPACE, "3,3,1").ok();

    assertThat(again.err()).contains("mixed has the mix (3, 3, 1) already; the repair is repeated");
    assertThat(again.out()).contains("applications may read at ONE and write at ALL now");
    Node first = cluster.node(1);
    Launcher.Outcome remote =
        new Launcher(SCRATCH)
            .run(
                "engine",
                "mix",
                KEYSPACE,
                "3,3,1",
                "--contact-points=%s:%d".formatted(first.address(), first.cqlPort()))
            .ok();
    for (Node node : cluster.live()) {
      assertThat(remote.out())
          .contains("on %s: nodetool repair -full -pr mixed".formatted(node.address()));
    }
  }
}
