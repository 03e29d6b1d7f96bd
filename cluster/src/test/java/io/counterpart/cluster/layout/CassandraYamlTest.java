package io.counterpart.cluster.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

class CassandraYamlTest {

  private final ClusterSpec spec =
      ClusterSpec.builder(Path.of("/home"))
          .nodes(2)
          .tokensPerNode(2)
          .serverLib(Path.of("/lib"))
          .yaml(Map.of("concurrent_compactors", 7))
          .build();

  @Test
  void a_fresh_node_has_planned_tokens_and_does_not_bootstrap() {
    Map<String, Object> yaml = rendered(NodeLayout.of(spec).get(0), new Join.Fresh());

    assertThat(yaml)
        .containsEntry("auto_bootstrap", false)
        .containsEntry("num_tokens", 2)
        .containsEntry("initial_token", "-9223372036854775807,1")
        .containsEntry("listen_address", "127.0.0.1")
        .doesNotContainKey("allocate_tokens_for_local_replication_factor");
  }

  @Test
  void an_added_node_bootstraps_with_tokens_of_its_own_choice() {
    NodeLayout added = NodeLayout.of(spec, 3, Location.DEFAULT, List.of());

    Map<String, Object> yaml = rendered(added, new Join.Bootstrap(List.of()));

    assertThat(yaml)
        .containsEntry("auto_bootstrap", true)
        .containsEntry("allocate_tokens_for_local_replication_factor", 3)
        .doesNotContainKey("initial_token");
  }

  @Test
  void overrides_win() {
    assertThat(rendered(NodeLayout.of(spec).get(1), new Join.Restart()))
        .containsEntry("concurrent_compactors", 7);
  }

  @Test
  void everything_is_written_below_the_home() {
    Map<String, Object> yaml = rendered(NodeLayout.of(spec).get(1), new Join.Restart());

    assertThat(yaml.entrySet())
        .filteredOn(entry -> entry.getKey().endsWith("_directory"))
        .hasSizeGreaterThan(3)
        .allSatisfy(entry -> assertThat((String) entry.getValue()).startsWith("/home/node2/"));
  }

  @Test
  void an_engine_is_a_memtable_configuration_with_the_nodes_own_parameters() {
    ClusterSpec configured =
        ClusterSpec.builder(Path.of("/home"))
            .nodes(1)
            .serverLib(Path.of("/lib"))
            .engines(List.of("lmdb", "redis"))
            .build()
            .configured(Map.of("lmdb", Map.of(), "redis", Map.of("url", "redis://here:1")));

    assertThat(configured.yaml().get("memtable").toString())
        .contains("lmdb={", "{engine=lmdb}", "{engine=redis, url=redis://here:1}");
    assertThat(configured.yaml()).containsEntry("memtable_flush_writers", 4);
    assertThat(spec.configured(Map.of())).isSameAs(spec);
  }

  @SuppressWarnings("unchecked")
  private Map<String, Object> rendered(NodeLayout node, Join join) {
    String text =
        CassandraYaml.render(CassandraYaml.entries(spec, node, join, List.of("127.0.0.1")));
    return (Map<String, Object>) new Load(LoadSettings.builder().build()).loadFromString(text);
  }
}
