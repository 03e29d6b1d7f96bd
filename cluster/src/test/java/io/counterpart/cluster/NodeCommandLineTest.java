package io.counterpart.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cluster.layout.ClusterSpec;
import io.counterpart.cluster.layout.NodeLayout;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeCommandLineTest {

  private static final String PLUGIN = "counterpart-cassandra-0.1.0.jar";

  @TempDir Path lib;

  @BeforeEach
  void jars() throws IOException {
    for (String name : List.of("b.jar", PLUGIN, "a.jar", "notes.txt")) {
      Files.createFile(lib.resolve(name));
    }
  }

  @Test
  void class_path_begins_with_the_server_and_holds_the_plugin_once() throws IOException {
    Path plugin = Path.of("/build", PLUGIN);

    assertThat(classPath(plugin))
        .containsExactly(lib.resolve("a.jar"), lib.resolve("b.jar"), Path.of("/x.jar"), plugin);
  }

  @Test
  void stock_server_is_taken_as_it_is() throws IOException {
    assertThat(classPath(null))
        .containsExactly(
            lib.resolve("a.jar"), lib.resolve("b.jar"), lib.resolve(PLUGIN), Path.of("/x.jar"));
  }

  private List<Path> classPath(@Nullable Path plugin) throws IOException {
    ClusterSpec spec =
        ClusterSpec.builder(lib.resolve("home"))
            .serverLib(lib)
            .extraJars(List.of(Path.of("/x.jar")))
            .pluginJar(plugin)
            .build();
    List<String> command =
        NodeCommandLine.server(spec, NodeLayout.of(spec).get(0), List.of("cassandra.x=y"));
    String classPath = command.get(command.indexOf("-cp") + 1);
    return Stream.of(classPath.split(File.pathSeparator)).map(Path::of).toList();
  }
}
