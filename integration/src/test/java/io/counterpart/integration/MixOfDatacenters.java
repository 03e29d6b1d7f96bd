package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.fasterxml.jackson.databind.JsonNode;
import io.counterpart.cli.CommandHere;
import io.counterpart.cluster.Node;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * {@code engine mix} on two datacenters: dc1 has two memory nodes and a write node, dc2 a node of
 * each class. Copies in both: (2, 2, 1) to (3, 2, 2) in dc2, and so to (2, 2, 2) in dc1. Copies in
 * dc1 alone: (2, 2, 1) to (2, 2, 2).
 */
record MixOfDatacenters(TestCluster cluster, Seed seed) {
  private static final String BOTH = "mixed_in_both";
  private static final String ONE = "mixed_in_one";
  private static final int ROWS = 200;
  private static final Path SCRATCH = Path.of("target/datacenters-mix-it").toAbsolutePath();

  void check() throws Exception {
    create(BOTH, "'dc1': 2, 'dc2': 2");
    for (String datacenter : List.of("dc1", "dc2")) {
      cluster.execute(
          "CREATE TABLE %s.%s (id int PRIMARY KEY, version int) WITH memtable = 'lmdb'"
              .formatted(BOTH, datacenter));
    }
    refusesWhatCannotBe();
    changesBesideClientsOfBoth();
    everyCopyIsThere(BOTH, cluster.live().stream().filter(node -> node.index() != 3).toList());
    cluster.execute("DROP KEYSPACE " + BOTH);

    create(ONE, "'dc1': 2");
    leavesTheRepairToPeopleOverCql();
    assertThat(mix(ONE, "2,2,2").get("repairedNodes")).hasSize(cluster.live().size());
    everyCopyIsThere(ONE, List.of(cluster.node(1), cluster.node(2)));
    cluster.execute("DROP KEYSPACE " + ONE);
  }

  /** With a table that nobody writes or reads meanwhile: only a repair brings its new copies. */
  private void create(String keyspace, String copies) {
    cluster.createKeyspace(
        keyspace,
        "{'class': 'io.counterpart.cassandra.placement.HeterogeneousStrategy', %s, 'write_quorum': 2, 'read_quorum': 1}"
            .formatted(copies));
    cluster.execute("CREATE TABLE " + keyspace + ".still (id int PRIMARY KEY)");
    cluster.executeAll(
        IntStream.range(0, ROWS)
            .mapToObj(id -> "INSERT INTO %s.still (id) VALUES (%d)".formatted(keyspace, id))
            .toList());
  }

  private void refusesWhatCannotBe() {
    refused("datacenter is not named: keyspace mixed_in_both has copies in [dc1, dc2]", "3,2,2");
    refused("dc1: nodes of class read are 0, legal: 1", "3,2,2", "--datacenter=dc1");
    refused("dc2, whose quorums are those of the whole", "3,3,1", "--datacenter=dc1");
    // no datacenter's N changes, so none has to be named
    refused("dc2: nodes of class memory are 1, legal: 2 and above", "2,2,2");
    refused(
        "--reads-at is QUORUM, legal: LOCAL_QUORUM, ALL",
        "3,2,2",
        "--datacenter=dc2",
        "--reads-at=QUORUM");
  }

  private void refused(String message, String... arguments) {
    List<String> command = new ArrayList<>(List.of("engine", "mix", home(), BOTH));
    command.addAll(List.of(arguments));
    CommandHere.Outcome outcome = CommandHere.run(command);
    assertThat(outcome.err()).contains(message);
    assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(3);
  }

  private String home() {
    return "--home=" + cluster.cluster().spec().home();
  }

  private JsonNode mix(String... arguments) throws Exception {
    return new Launcher(SCRATCH)
        .run("engine", "mix", home(), List.of(arguments), "--json")
        .ok()
        .json();
  }

  private void changesBesideClientsOfBoth() throws Exception {
    DefaultConsistencyLevel level = DefaultConsistencyLevel.LOCAL_QUORUM;
    try (VersionedClients first = clients("dc1");
        VersionedClients second = clients("dc2")) {
      List<VersionedClients> both = List.of(first, second);
      both.forEach(clients -> clients.writeAll(DefaultConsistencyLevel.ALL));
      both.forEach(clients -> clients.startWriter(level));
      List<VersionedClients.Reads> reads =
          both.stream().map(clients -> clients.startReader(level)).toList();

      JsonNode done = mix(BOTH, "3,2,2", "--datacenter=dc2", "--reads-at=LOCAL_QUORUM");

      assertThat(done.get("repairedNodes")).hasSize(cluster.live().size());
      assertThat(done.at("/otherDatacenters/dc1/to/readQuorum").asInt()).isEqualTo(2);
      assertThat(done.get("readLevelAfter").asText()).isEqualTo("LOCAL_QUORUM");
      for (VersionedClients clients : both) {
        clients.close();
      }
      assertThat(reads)
          .allSatisfy(
              each -> {
                assertThat(each.missed()).as("%s", seed).isEmpty();
                assertThat(each.answered()).isGreaterThan(100);
              });
    }
  }

  private VersionedClients clients(String datacenter) {
    return new VersionedClients(
        cluster,
        BOTH + "." + datacenter,
        ROWS,
        seed,
        node -> node.location().dc().equals(datacenter));
  }

  /** Each of the nodes keeps all rows, and answers for itself at this level. */
  private void everyCopyIsThere(String keyspace, List<Node> nodes) {
    for (Node node : nodes) {
      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(
              () ->
                  assertThat(
                          cluster.query(
                              node,
                              DefaultConsistencyLevel.LOCAL_ONE,
                              "SELECT id FROM " + keyspace + ".still"))
                      .as("on %s", node)
                      .hasSize(ROWS));
    }
  }

  private void leavesTheRepairToPeopleOverCql() throws Exception {
    Node first = cluster.node(1);
    String printed =
        new Launcher(SCRATCH)
            .run(
                "engine",
                "mix",
                ONE,
                "2,2,2",
                "--reads-at=QUORUM",
                "--contact-points=%s:%d".formatted(first.address(), first.cqlPort()))
            .ok()
            .out();
    for (Node node : cluster.live()) {
      String repair = "on %s: nodetool repair -full -pr %s".formatted(node.address(), ONE);
      assertThat(printed.contains(repair))
          .as("%s in %s", repair, printed)
          .isEqualTo(node.location().dc().equals("dc1"));
    }
  }
}
