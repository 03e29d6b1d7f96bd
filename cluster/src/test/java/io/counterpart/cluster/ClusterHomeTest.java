package io.counterpart.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cluster.layout.ClusterSpec;
import io.counterpart.process.PreflightException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterHomeTest {

  @TempDir Path home;

  @Test
  void directories_that_no_record_names_are_somebody_elses() throws IOException {
    ClusterSpec spec = ClusterSpec.builder(home).nodes(2).serverLib(home).build();
    for (String name : new String[] {"node2", "nodetool"}) {
      Path theirs = Files.createDirectories(home.resolve(name));
      Path file = Files.writeString(theirs.resolve("thesis.txt"), "mine");

      assertThatThrownBy(() -> Cluster.start(spec, StartListener.SILENT))
          .isInstanceOf(PreflightException.class)
          .hasMessageContaining(theirs + " is there, and no cluster.json beside it names it");

      assertThat(file).hasContent("mine");
      Files.delete(file);
      Files.delete(theirs);
    }
  }
}
