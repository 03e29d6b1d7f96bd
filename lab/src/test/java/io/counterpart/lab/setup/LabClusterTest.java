package io.counterpart.lab.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cluster.layout.Placement;
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
