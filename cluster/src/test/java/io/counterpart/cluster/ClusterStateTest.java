package io.counterpart.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cluster.layout.ClusterSpec;
import io.counterpart.cluster.layout.EngineLayout;
import io.counterpart.cluster.layout.Join;
import io.counterpart.cluster.layout.Location;
import io.counterpart.cluster.layout.NodeLayout;
import io.counterpart.core.placement.engine.EngineClass;
import io.counterpart.core.placement.engine.EngineQuotas;
import io.counterpart.process.ProcessIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterStateTest {

  @TempDir Path home;

  @Test
  void what_is_written_is_read_back() throws IOException {
    ClusterSpec spec =
        ClusterSpec.builder(home)
            .nodes(2)
            .serverLib(Path.of("/lib"))
            .pluginJar(Path.of("/plugin.jar"))
            .yaml(Map.of("memtable", Map.of("configurations", List.of(1, "two"))))
            .jvmOptions(List.of("-Da=b"))
            .engines(List.of("lmdb", "redis"))
            .build();
    List<NodeLayout> layouts = NodeLayout.of(spec);
    ClusterState state =
        new ClusterState(
            spec,
            List.of(
                new ClusterState.Member(
                    layouts.get(0),
                    new ProcessIdentity(7, 70),
                    Map.of("redis", new ProcessIdentity(8, 80)),
                    null),
                new ClusterState.Member(layouts.get(1), null, Map.of(), "127.0.0.3")));

    state.write();

    assertThat(ClusterState.read(home)).contains(state);
  }

  @Test
  void a_heterogeneous_cluster_is_read_back() throws IOException {
    EngineLayout engines =
        new EngineLayout(
            Map.of(EngineClass.WRITE, "lsm", EngineClass.READ, "lmdb"), new EngineQuotas(1, 1, 0));
    ClusterSpec spec =
        ClusterSpec.builder(home).serverLib(Path.of("/lib")).layout(engines, 2).build();
    ClusterState state =
        new ClusterState(
            spec,
            List.of(new ClusterState.Member(NodeLayout.of(spec).get(0), null, Map.of(), null)));

    state.write();

    assertThat(ClusterState.read(home)).contains(state);
  }

  @Test
  void a_state_of_an_older_version_without_placement_and_engines_is_read() throws IOException {
    ClusterSpec spec = ClusterSpec.builder(home).nodes(1).serverLib(Path.of("/lib")).build();
    ClusterState state =
        new ClusterState(
            spec,
            List.of(new ClusterState.Member(NodeLayout.of(spec).get(0), null, Map.of(), null)));
    state.write();
    Path file = home.resolve("cluster.json");
    String older =
        Files.readString(file)
            .replaceAll(",\\s*\"placement\" : \"EVEN\"", "")
            .replaceAll(",\\s*\"engines\" : \\[ ]", "")
            .replaceAll(",\\s*\"servers\" : \\{ }", "")
            .replaceAll(",\\s*\"replaces\" : null", "");
    assertThat(older).doesNotContain("placement", "engines", "servers", "replaces");

    Files.writeString(file, older);

    assertThat(ClusterState.read(home)).contains(state);
  }

  @Test
  void a_node_that_was_replaced_does_not_start_and_its_replacement_goes_on_streaming()
      throws IOException {
    Cluster cluster = recordWithFourthFor("127.0.0.3");

    assertThat(cluster.members()).extracting(Node::index).containsExactly(1, 2, 4);
    assertThat(Replacements.onItsData(cluster.node(1))).isEqualTo(new Join.Restart());
    Node replacement = cluster.node(4);
    assertThat(Replacements.onItsData(replacement)).isEqualTo(new Join.Replace("127.0.0.3"));
    assertThat(Seeds.of(cluster.nodes(), replacement, Replacements.onItsData(replacement)))
        .as("it comes up while nobody answers")
        .containsExactly("127.0.0.4");
    assertThatThrownBy(() -> cluster.node(3).start(StartListener.SILENT))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("node 3 (127.0.0.3) was replaced: another node has its tokens");
  }

  @Test
  void what_was_to_replace_a_node_is_forgotten_with_its_directory() throws IOException {
    Cluster cluster = recordWithFourthFor("127.0.0.1");
    Path logs = Files.createDirectories(cluster.node(4).directory().resolve("logs"));
    List<Node> nodes = new ArrayList<>(cluster.nodes());

    Replacements.forgetAttempts(cluster.node(1), nodes);

    assertThat(nodes).extracting(Node::index).containsExactly(1, 2, 3);
    assertThat(logs.getParent()).doesNotExist();
  }

  @Test
  void a_node_that_was_removed_while_it_was_dead_starts_no_more_until_it_is_wiped()
      throws IOException {
    Cluster cluster = recordWithFourthFor("127.0.0.9");
    Node removed = cluster.node(2);
    Files.createDirectories(removed.dataDirectory().resolve("system"));
    Path mark = Files.createFile(removed.dataDirectory().resolve("removed-from-ring"));

    assertThat(cluster.members()).extracting(Node::index).containsExactly(1, 3, 4);
    assertThatThrownBy(() -> removed.start(StartListener.SILENT))
        .hasMessageContaining("node 2 (127.0.0.2) was removed from the ring");

    removed.wipe();
    assertThat(mark).doesNotExist();
    assertThat(cluster.members()).hasSize(4);
  }

  /** As after Ctrl-C in a replacement, whose node goes on and is not in the ring yet. */
  @Test
  void a_node_whose_replacement_runs_is_not_replaced_once_more() throws IOException {
    Process running = new ProcessBuilder("sleep", "60").start();
    try {
      Cluster cluster =
          recordWithFourthFor("127.0.0.3", ProcessIdentity.of(running.pid()).orElseThrow());

      assertThatThrownBy(() -> cluster.replaceNode(3, StartListener.SILENT))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("node 3 (127.0.0.3) was replaced: another node has its tokens");

      assertThat(cluster.nodes()).hasSize(4);
    } finally {
      running.destroyForcibly();
    }
  }

  @Test
  void a_node_that_another_command_has_added_meanwhile_stays_recorded() throws IOException {
    ClusterSpec spec = ClusterSpec.builder(home).nodes(3).serverLib(Path.of("/lib")).build();
    new ClusterState(spec, members(spec)).write();
    Cluster before = Cluster.recorded(home).orElseThrow();
    recordWithFourthFor("127.0.0.3");

    before.node(1).stop();

    Cluster after = Cluster.recorded(home).orElseThrow();
    assertThat(after.nodes()).extracting(Node::index).containsExactly(1, 2, 3, 4);
    assertThat(after.members()).extracting(Node::index).containsExactly(1, 2, 4);
  }

  @Test
  void a_fresh_cluster_takes_the_place_of_the_record_of_a_former_one() throws IOException {
    recordWithFourthFor("127.0.0.3");
    ClusterSpec spec = ClusterSpec.builder(home).nodes(1).serverLib(Path.of("/lib")).build();

    Cluster fresh = Cluster.fresh(spec);
    try {
      fresh.save();
      fresh.save();
    } finally {
      fresh.detach();
    }

    assertThat(Cluster.recorded(home).orElseThrow().nodes()).hasSize(1);
  }

  @Test
  void two_nodes_that_are_added_at_once_get_two_indices() throws IOException {
    List<Node> nodes = recordWithFourthFor("127.0.0.3").nodes();
    ClusterSpec spec = ClusterSpec.builder(home).nodes(3).serverLib(Path.of("/lib")).build();

    assertThat(ClusterRecord.claimIndex(spec, nodes)).isEqualTo(5);
    assertThat(ClusterRecord.claimIndex(spec, nodes)).isEqualTo(6);
  }

  @Test
  void the_record_of_another_directory_is_refused() throws IOException {
    Path first = Files.createDirectories(home.resolve("a"));
    ClusterSpec spec = ClusterSpec.builder(first).nodes(1).serverLib(Path.of("/lib")).build();
    new ClusterState(spec, List.of()).write();
    Path copy = Files.createDirectories(home.resolve("b"));
    Files.copy(first.resolve("cluster.json"), copy.resolve("cluster.json"));

    assertThatThrownBy(() -> ClusterState.read(copy))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("it is of a cluster under " + first);
  }

  @Test
  void nothing_recorded_is_no_cluster() throws IOException {
    assertThat(ClusterState.read(home)).isEmpty();
    assertThat(Cluster.recorded(home)).isEmpty();
  }

  @Test
  void a_damaged_file_is_named() throws IOException {
    Files.writeString(home.resolve("cluster.json"), "{\"spec\": ");

    assertThatThrownBy(() -> Cluster.recorded(home)).hasMessageContaining("cluster.json");
  }

  /** Records three nodes, and a fourth that was put in the place of one of them. */
  private Cluster recordWithFourthFor(String replaced) throws IOException {
    return recordWithFourthFor(replaced, null);
  }

  private Cluster recordWithFourthFor(String replaced, @Nullable ProcessIdentity process)
      throws IOException {
    ClusterSpec spec = ClusterSpec.builder(home).nodes(3).serverLib(Path.of("/lib")).build();
    List<ClusterState.Member> members = new ArrayList<>(members(spec));
    NodeLayout fourth = NodeLayout.of(spec, 4, Location.DEFAULT, List.of());
    members.add(new ClusterState.Member(fourth, process, Map.of(), replaced));
    new ClusterState(spec, members).write();
    return Cluster.recorded(home).orElseThrow();
  }

  private static List<ClusterState.Member> members(ClusterSpec spec) {
    return NodeLayout.of(spec).stream()
        .map(each -> new ClusterState.Member(each, null, Map.of(), null))
        .toList();
  }
}
