package io.counterpart.cassandra.consistency.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HintFilesTest {
  @TempDir private Path directory;

  @Test
  void finds_the_hosts_that_there_are_hints_for() throws Exception {
    UUID host = new UUID(1, 2);
    Files.createFile(directory.resolve(host + "-1700000000000-2.hints"));
    Files.createFile(directory.resolve(host + "-1700000000000-2.crc32"));
    // Cassandra sends it to nobody
    Files.createFile(directory.resolve(new UUID(1, 3) + "-1700000000000-2.corrupt.hints"));

    assertThat(HintFiles.hosts(directory)).contains(Set.of(host));
    assertThat(HintFiles.hosts(directory.resolve("missing"))).isEmpty();
  }
}
