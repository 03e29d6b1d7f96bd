package io.counterpart.lab.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cluster.ContactPoint;
import io.counterpart.cluster.RemoteNode;
import io.counterpart.cluster.jmx.JmxEndpoint;
import io.counterpart.lab.setup.ClusterNeeds;
import io.counterpart.lab.setup.Progress;
import io.counterpart.lab.setup.RunRefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

/** The reasons for refusing a cluster, and the description of an accepted one. */
class RemoteClusterTest {
  private static final String JAR = "counterpart-cassandra-0.1.0.jar";
  private static final ClusterNeeds NEEDS = new ClusterNeeds(3, 3, true, 12_000_000_000L);

  private final List<String> said = new ArrayList<>();

  @Test
  void a_fitting_cluster_is_told_what_it_must_hold_and_that_nobody_looked() {
    RemoteCluster cluster = cluster(List.of(), node(1, JAR), node(2, JAR), node(3, JAR));

    cluster.require(NEEDS, progress());

    assertThat(cluster.fixedNodes()).hasValue(3);
    assertThat(said).hasSize(1);
    assertThat(said.get(0))
        .contains("about 12.0 GB on 3 nodes, 4.0 GB each")
        .contains("free disk space not checked", "look at each node");
  }

  @Test
  void nodes_without_the_plugin_are_named_with_the_remedy() {
    RemoteCluster cluster = cluster(List.of(), node(1, JAR), node(2), node(3));

    refused(cluster, NEEDS, "the plugin is missing on node 10.0.0.2", "node 10.0.0.3", "install");
    assertThat(said).isEmpty();
    cluster.require(new ClusterNeeds(3, 3, false, 1), progress());
    assertThat(said).hasSize(1);
  }

  @Test
  void nodes_with_different_plugins_are_refused() {
    RemoteCluster cluster =
        cluster(List.of(), node(1, JAR), node(2, "counterpart-cassandra-0.2.0.jar"), node(3, JAR));

    refused(cluster, NEEDS, "different plugins", "10.0.0.2 counterpart-cassandra-0.2.0.jar");
  }

  @Test
  void more_replicas_than_nodes_are_refused() {
    RemoteCluster cluster = cluster(List.of(), node(1, JAR), node(2, JAR));

    refused(cluster, NEEDS, "replication factor 3: datacenter dc1 has 2 nodes");
  }

  @Test
  void keyspaces_called_like_a_labs_are_refused_with_the_statement_that_drops_them() {
    RemoteCluster cluster =
        cluster(List.of("counterpart_lab_lcs"), node(1, JAR), node(2, JAR), node(3, JAR));

    refused(cluster, NEEDS, "(counterpart_lab_lcs)", "DROP KEYSPACE counterpart_lab_lcs");
  }

  @Test
  void settings_of_the_nodes_are_refused() {
    RemoteCluster cluster = cluster(List.of(), node(1, JAR));

    assertThat(cluster.with(Map.of())).isSameAs(cluster);
    assertThatThrownBy(() -> cluster.with(Map.of("memtable_heap_space", "1GiB")))
        .isInstanceOf(RunRefusedException.class)
        .hasMessageContaining("cassandra.yaml (memtable_heap_space)");
  }

  @Test
  void another_series_of_cassandra_is_refused() {
    SurveyedNode old = new SurveyedNode(remote(3), "4.1.3", List.of(JAR), "S", 16, 1, 1, 1);
    RemoteCluster cluster = cluster(List.of(), node(1, JAR), node(2, JAR), old);

    refused(cluster, NEEDS, "node 10.0.0.3 (Cassandra 4.1.3): not Cassandra 5.0.x");
  }

  @Test
  void the_result_says_what_differs_from_node_to_node_and_what_nobody_knows() {
    SurveyedNode large = new SurveyedNode(remote(2), "5.0.9", List.of(JAR), "S", 16, 2 << 20, 8, 1);
    Survey.Findings findings =
        new Survey.Findings("prod", "dc1", List.of(node(1, JAR), large), List.of(), Map.of());

    Map<String, Object> config = RemoteDescription.of(findings, access());

    assertThat(config)
        .containsEntry("cluster", "run by somebody else: prod, datacenter dc1")
        .containsEntry("cassandra", "5.0.9")
        .containsEntry("nodeCores", List.of(4, 8))
        .containsEntry("snitch", "S")
        .containsEntry("encryption", "none")
        .containsKeys("notMeasured", "routing", "diskSpace");
  }

  @Test
  void the_plugin_is_known_by_its_jar_on_the_class_path() {
    assertThat(NodeSurvey.plugins("/c/conf:/c/lib/a.jar:/c/lib/" + JAR)).containsExactly(JAR);
    assertThat(NodeSurvey.plugins("/c/counterpart-cassandra/lib/a.jar")).isEmpty();
  }

  private void refused(RemoteCluster cluster, ClusterNeeds needs, String... parts) {
    assertThatThrownBy(() -> cluster.require(needs, progress()))
        .isInstanceOf(RunRefusedException.class)
        .hasMessageContainingAll(parts);
  }

  private static RemoteCluster cluster(List<String> keyspaces, SurveyedNode... nodes) {
    return new RemoteCluster(
        access(), new Survey.Findings("prod", "dc1", List.of(nodes), keyspaces, Map.of()));
  }

  private static RemoteAccess access() {
    return new RemoteAccess(
        List.of(ContactPoint.parse("10.0.0.1")), null, null, OptionalInt.empty(), null);
  }

  private static SurveyedNode node(int index, String... plugins) {
    return new SurveyedNode(remote(index), "5.0.9", List.of(plugins), "S", 16, 1 << 20, 4, 1);
  }

  private static RemoteNode remote(int index) {
    String address = "10.0.0." + index;
    return new RemoteNode(index, address, "dc1", new JmxEndpoint(address, 7199, null));
  }

  private Progress progress() {
    return new Progress() {
      @Override
      public void say(String line) {
        said.add(line);
      }

      @Override
      public LongConsumer step(String label, long total) {
        return done -> {};
      }
    };
  }
}
