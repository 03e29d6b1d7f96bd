package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cluster.Installation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;

/** What the plugin brings to Cassandra's class path. */
class PluginJarIT {
  @Test
  void has_no_class_of_others() throws IOException {
    Path jar = Installation.locate().pluginJar();
    try (JarFile file = new JarFile(jar.toFile())) {
      List<String> classes =
          file.stream()
              .map(entry -> entry.getName())
              .filter(name -> name.endsWith(".class"))
              .toList();

      assertThat(classes)
          .contains("io/counterpart/cassandra/engine/EngineMemtable.class")
          .contains("io/counterpart/engine/KvStore.class")
          .allMatch(name -> name.startsWith("io/counterpart/"));
    }
  }
}
