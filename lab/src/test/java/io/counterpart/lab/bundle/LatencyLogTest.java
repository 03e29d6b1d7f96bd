package io.counterpart.lab.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.LabResultOf;
import java.io.FileNotFoundException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LatencyLogTest {
  @Test
  void is_read_by_the_usual_reader_and_holds_every_value(@TempDir Path directory) throws Exception {
    LabResult result = LabResultOf.blocks(3, 150, 1);
    ResultFolder.write(directory, result);

    Map<String, Histogram> byTag = read(directory.resolve("latencies.hlog"));

    assertThat(byTag).containsOnlyKeys("read/lcs/read", "read/decoupled/read");
    for (String arm : List.of("lcs", "decoupled")) {
      List<BlockResult> blocks =
          result.blocks().stream().filter(block -> block.arm().equals(arm)).toList();
      assertThat(byTag.get("read/" + arm + "/read")).isEqualTo(BlockResult.mergedLatencies(blocks));
    }
  }

  private static Map<String, Histogram> read(Path file) throws FileNotFoundException {
    Map<String, Histogram> byTag = new TreeMap<>();
    try (HistogramLogReader reader = new HistogramLogReader(file.toFile())) {
      while (reader.hasNext()) {
        Histogram interval = (Histogram) reader.nextIntervalHistogram();
        byTag.computeIfAbsent(interval.getTag(), tag -> new Histogram(3)).add(interval);
      }
    }
    return byTag;
  }
}
