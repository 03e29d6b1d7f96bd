package io.counterpart.lab.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cluster.layout.ClusterSpec;
import io.counterpart.cluster.layout.EngineLayout;
import io.counterpart.cluster.layout.Location;
import io.counterpart.cluster.layout.Placement;
import io.counterpart.cluster.layout.Ports;
import io.counterpart.core.placement.engine.EngineClass;
import io.counterpart.core.placement.engine.EngineQuotas;
import io.counterpart.process.PreflightException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LabClusterTest {

  @Test
  void refuses_data_that_the_disk_will_not_hold_before_anything_is_made(@TempDir Path directory) {
    Path home = directory.resolve("home");
    LabCluster cluster = new LabCluster(home, directory, null);
    ClusterNeeds tooMuch = new ClusterNeeds(5, 3, false, 1L << 60);

    assertThatThrownBy(() -> cluster.require(tooMuch, Progress.silent()))
        .isInstanceOf(PreflightException.class)
        .hasMessageContainingAll("MiB free", "needed: ", "1099511627776 MiB of it for the data");
    assertThat(Files.exists(home)).isFalse();
    assertThat(cluster.fixedNodes()).isEmpty();
  }

  @Test
  void nodes_have_the_engines_that_their_tables_name(@TempDir Path directory) {
    Path jar = directory.resolve("lmdb.jar");
    EngineJars jars = new EngineJars(Map.of("lmdb", jar), List.of());
    LabCluster able =
        new LabCluster(directory, directory, directory.resolve("plugin.jar")).with(jars);
    LabCluster using = able.with(jars.using(List.of("lmdb"))).withNodes(2);

    assertThat(able.engines()).containsExactly("lmdb");
    assertThat(able.spec().extraJars()).isEmpty();
    assertThat(able.yaml()).doesNotContainKey("memtable");
    assertThat(using.spec().extraJars()).containsExactly(jar.toAbsolutePath());
    assertThat(using.yaml().get("memtable").toString()).contains("engine=lmdb");
    assertThatThrownBy(() -> jars.using(List.of("sql")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("engines [sql]: this build has jars of [lmdb]");
  }

  @Test
  void servers_of_several_classes_have_a_node_of_each_and_ports_of_their_own(
      @TempDir Path directory) {
    EngineLayout layout =
        new EngineLayout(
            Map.of(
                EngineClass.WRITE, "lsm",
                EngineClass.READ, "lmdb",
                EngineClass.MEMORY, "memory"),
            EngineQuotas.of(3, 2, 2));
    ServerShape shape =
        new ServerShape("classes", 2, 3, 300, layout, Map.of(), List.of("-Dorder=m"));
    Path jar = directory.resolve("lmdb.jar");
    EngineJars jars = new EngineJars(Map.of("lmdb", jar, "memory", jar), List.of());
    LabCluster able =
        new LabCluster(directory, directory, directory.resolve("plugin.jar")).with(jars);

    ClusterSpec spec =
        able.fitted(new WantedNodes(9, Placement.ENGINES, false, List.of("lmdb", "memory"), shape))
            .spec();

    assertThat(spec.nodes()).isEqualTo(9);
    assertThat(spec.locations().subList(0, 3))
        .extracting(Location::rack)
        .containsExactly("write", "read", "memory");
    assertThat(spec.heapMegabytes()).isEqualTo(300);
    assertThat(spec.extraJars()).containsExactly(jar.toAbsolutePath());
    assertThat(spec.jvmOptions()).contains("-Dorder=m");
    assertThat(spec.ports()).isEqualTo(new Ports(9082, 7040, 7279));
    assertThat(spec.home()).isEqualTo(directory.resolve("classes").toAbsolutePath());
    assertThat(shape.serverOf(3)).isEqualTo(1);
    assertThat(shape.serverOf(4)).isEqualTo(2);
    assertThat(shape.entriesMebibytes(2)).isEqualTo(75);
    assertThat(able.spec().ports()).isEqualTo(Ports.DEFAULT);
    assertThat(able.spec().home()).isEqualTo(directory.toAbsolutePath());
  }

  @Test
  void nodes_have_the_consistency_handler_only_where_it_is_asked_for(@TempDir Path directory) {
    LabCluster usual = new LabCluster(directory, directory, directory.resolve("plugin.jar"));
    LabCluster deciding = usual.placed(Placement.POR, true).forExperiment(3);
    String handler =
        "-Dcassandra.custom_query_handler_class=io.counterpart.cassandra.faults.FaultInjectionHandler";

    assertThat(deciding.jvmOptions()).contains(handler);
    assertThat(deciding.placed(Placement.RANDOM, false).jvmOptions()).doesNotContain(handler);
    assertThat(usual.forExperiment(3).jvmOptions()).doesNotContain(handler);
    assertThatThrownBy(() -> new LabCluster(directory, directory, null).placed(Placement.POR, true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("plugin's jar");
  }
}
