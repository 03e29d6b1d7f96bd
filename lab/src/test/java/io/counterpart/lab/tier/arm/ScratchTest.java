package io.counterpart.lab.tier.arm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScratchTest {
  private static final int PAGE = 4096;

  @TempDir private Path directory;

  @Test
  void what_is_mapped_several_times_counts_once() throws Exception {
    List<MappedByteBuffer> mapped = new ArrayList<>();
    for (String name : List.of("one", "two")) {
      Path file = Files.write(directory.resolve(name), new byte[8 * PAGE]);
      try (FileChannel channel = FileChannel.open(file)) {
        mapped.add(channel.map(MapMode.READ_ONLY, 0, 3 * PAGE));
        mapped.add(channel.map(MapMode.READ_ONLY, 0, 5 * PAGE));
        mapped.add(channel.map(MapMode.READ_ONLY, 5 * PAGE, PAGE));
      }
    }
    Files.delete(directory.resolve("two"));

    assertThat(Scratch.mappedBytes(directory)).isEqualTo(12 * PAGE);
    assertThat(mapped).allMatch(part -> part.get(0) == 0);
  }
}
