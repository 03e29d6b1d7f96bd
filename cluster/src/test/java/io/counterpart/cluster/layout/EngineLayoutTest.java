package io.counterpart.cluster.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.core.placement.engine.EngineClass;
import io.counterpart.core.placement.engine.EngineQuotas;
import io.counterpart.core.ring.change.Replication;
import io.counterpart.core.ring.change.RingNode;
import io.counterpart.core.ring.change.TokenRing;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EngineLayoutTest {
  private static final Map<EngineClass, String> THREE =
      Map.of(EngineClass.WRITE, "lsm", EngineClass.READ, "lmdb", EngineClass.MEMORY, "memory");

  @Test
  void each_server_has_a_node_of_each_class_in_the_rack_of_that_name() {
    ClusterSpec spec = spec(6, EngineQuotas.of(3, 2, 2));

    assertThat(spec.nodes()).isEqualTo(18);
    assertThat(NodeLayout.of(spec).stream().map(node -> node.location().rack()))
        .startsWith("write", "read", "memory", "write")
        .endsWith("memory");
    assertThat(spec.placement()).isEqualTo(Placement.ENGINES);
  }

  @Test
  void tokens_place_each_row_on_different_servers_by_quota() {
    ClusterSpec spec = spec(6, EngineQuotas.of(4, 3, 2));
    List<NodeLayout> nodes = NodeLayout.of(spec);
    TokenRing ring =
        TokenRing.of(
            nodes.stream()
                .map(
                    node ->
                        new RingNode(
                            // its server and class
                            (node.index() - 1) / 3 + "-" + node.location().rack(),
                            "dc1",
                            node.location().rack(),
                            node.tokens()))
                .toList());

    for (List<String> replicas : new Replication.NetworkTopology(Map.of("dc1", 4)).replicas(ring)) {
      assertThat(replicas.stream().map(name -> name.replaceAll("-.*", "")))
          .hasSize(4)
          .doesNotHaveDuplicates();
      assertThat(replicas.stream().map(name -> name.replaceAll(".*-", "")))
          .containsExactlyInAnyOrder("write", "write", "read", "memory");
    }
  }

  @Test
  void a_node_s_yaml_maps_one_name_to_the_engine_of_its_class() {
    ClusterSpec spec = spec(5, EngineQuotas.of(4, 3, 2));
    List<NodeLayout> nodes = NodeLayout.of(spec);

    for (int node = 0; node < 3; node++) {
      assertThat(configurations(spec, nodes.get(node)))
          .containsEntry("default", Map.of("inherits", "trie"))
          .containsEntry(
              "engine",
              Map.of(
                  "class_name",
                  "io.counterpart.cassandra.engine.EngineMemtable",
                  "parameters",
                  Map.of("engine", List.of("lsm", "lmdb", "memory").get(node))));
    }
  }

  @Test
  void tables_can_leave_the_engine_on_every_node() {
    ClusterSpec spec = spec(5, EngineQuotas.of(4, 3, 2));
    Map<String, Object> lsm =
        Map.of(
            "class_name",
            "io.counterpart.cassandra.engine.EngineMemtable",
            "parameters",
            Map.of("engine", "lsm"));

    for (int node = 0; node < 3; node++) {
      String engine = List.of("lsm", "lmdb", "memory").get(node);
      ClusterSpec started = spec.configured(Map.of(engine, Map.of()));
      assertThat(configurations(spec, NodeLayout.of(spec).get(node))).containsEntry("lsm", lsm);
      assertThat(configurations(started, NodeLayout.of(spec).get(node)))
          .containsEntry("lsm", lsm)
          .containsOnlyKeys("trie", "default", "lsm", "engine");
    }
  }

  @Test
  void an_engine_of_somebody_else_is_configured_by_its_name() {
    Map<EngineClass, String> engines = Map.of(EngineClass.WRITE, "lsm", EngineClass.READ, "mine");
    EngineLayout layout = new EngineLayout(engines, new EngineQuotas(1, 1, 0));
    ClusterSpec spec =
        ClusterSpec.builder(Path.of("/home")).serverLib(Path.of("/lib")).layout(layout, 2).build();

    assertThat(layout.jars()).containsExactly("mine");
    assertThat(configurations(spec, NodeLayout.of(spec).get(1)))
        .containsEntry(
            "engine",
            Map.of(
                "class_name",
                "io.counterpart.cassandra.engine.EngineMemtable",
                "parameters",
                Map.of("engine", "mine")));
  }

  @Test
  void memory_nodes_may_have_no_copy_on_disk() {
    Map<EngineClass, String> engines =
        Map.of(EngineClass.WRITE, "lsm", EngineClass.READ, "lmdb", EngineClass.MEMORY, "volatile");
    ClusterSpec spec =
        ClusterSpec.builder(Path.of("home"))
            .layout(new EngineLayout(engines, EngineQuotas.of(3, 2, 2)), 3)
            .serverLib(Path.of("lib"))
            .build();
    NodeLayout node = NodeLayout.of(spec).get(2);

    Map<String, Object> expected =
        Map.of(
            "class_name",
            "io.counterpart.cassandra.engine.EngineMemtable",
            "parameters",
            Map.of("engine", "memory", "volatile", "true"));
    assertThat(configurations(spec, node)).containsEntry("engine", expected);
    // as a node that is started has it
    ClusterSpec started = spec.configured(Map.of("volatile", Map.of()));
    assertThat(configurations(started, node)).containsEntry("engine", expected);
  }

  @Test
  void reads_ask_the_fastest_class_first_and_repair_the_rest_later() {
    EngineLayout layout = new EngineLayout(THREE, EngineQuotas.of(3, 2, 2));

    assertThat(layout.optionsForReads(List.of("-Da=b")))
        .containsExactly("-Dcounterpart.snitch.engines=memory,read,write");
    assertThat(layout.optionsForReads(List.of("-Dcounterpart.snitch.engines=write,read")))
        .isEmpty();
    assertThat(
            new EngineLayout(
                    Map.of(EngineClass.WRITE, "lsm", EngineClass.READ, "lmdb"),
                    new EngineQuotas(1, 1, 0))
                .optionsForReads(List.of()))
        .containsExactly("-Dcounterpart.snitch.engines=read,write");
    assertThat(QueryHandlerOptions.repairing(List.of("-Da=b")))
        .contains("-Dcounterpart.consistency.read_repair_chance=0.1");
  }

  @Test
  void nothing_is_added_to_a_query_handler_of_the_user() {
    List<String> given = List.of("-Dcassandra.custom_query_handler_class=x");

    assertThat(QueryHandlerOptions.explaining(given)).isEmpty();
    assertThat(QueryHandlerOptions.repairing(given)).isEmpty();
  }

  @Test
  void clients_are_told_of_failures_at_their_own_levels() {
    assertThat(QueryHandlerOptions.explaining(List.of("-Da=b")))
        .containsExactly(
            "-Dcassandra.custom_query_handler_class="
                + "io.counterpart.cassandra.consistency.ConsistencyQueryHandler",
            "-Dcounterpart.consistency.mode=off");
  }

  @Test
  void the_nodes_of_a_server_share_memory_and_have_tokens_by_quota() {
    ClusterSpec spec = spec(5, EngineQuotas.of(4, 3, 2));
    List<NodeLayout> nodes = NodeLayout.of(spec);

    Map<String, Object> write = yaml(spec, nodes.get(0));
    assertThat(write)
        .containsEntry("num_tokens", 32)
        .containsEntry("memtable_heap_space", "32MiB")
        .containsEntry("memtable_offheap_space", "42MiB");
    assertThat(((String) write.get("initial_token")).split(",")).hasSize(32);
    assertThat(yaml(spec, nodes.get(1))).containsEntry("num_tokens", 16);
  }

  @Test
  void a_bad_layout_is_refused_with_what_is_legal() {
    assertThatThrownBy(() -> new EngineLayout(THREE, new EngineQuotas(1, 1, 0)))
        .hasMessageContaining("[write, read, memory], legal: [write, read], which keep copies");
    assertThatThrownBy(
            () -> new EngineLayout(Map.of(EngineClass.WRITE, "Inno DB"), new EngineQuotas(1, 0, 0)))
        .hasMessageContaining("'Inno DB', legal: small letters, digits and _, a letter first");
    assertThatThrownBy(
            () ->
                new EngineLayout(Map.of(EngineClass.WRITE, "volatile"), new EngineQuotas(1, 0, 0)))
        .hasMessageContaining("class write is 'volatile', legal: one with a copy on disk");
    assertThat(new EngineLayout(THREE, EngineQuotas.of(3, 2, 2)).jars())
        .containsExactly("lmdb", "memory");
  }

  private static Object configurations(ClusterSpec spec, NodeLayout node, String name) {
    return ((Map<?, ?>) yaml(spec, node).getOrDefault("memtable", Map.of())).get(name);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> configurations(ClusterSpec spec, NodeLayout node) {
    return (Map<String, Object>) configurations(spec, node, "configurations");
  }

  private static Map<String, Object> yaml(ClusterSpec spec, NodeLayout node) {
    return CassandraYaml.entries(spec, node, new Join.Fresh(), List.of("127.0.0.1"));
  }

  private static ClusterSpec spec(int servers, EngineQuotas quotas) {
    return ClusterSpec.builder(Path.of("/home"))
        .serverLib(Path.of("/lib"))
        .layout(new EngineLayout(THREE, quotas), servers)
        .build();
  }
}
