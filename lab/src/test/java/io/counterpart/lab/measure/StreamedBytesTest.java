package io.counterpart.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StreamedBytesTest {
  private static final String WHOLE =
      "INFO  [Stream-Deserializer-/127.0.0.1:7000-1] 2026-01-01T10:00:00,000"
          + " SSTableZeroCopyWriter.java:1 - Writing component Data.db to /d/k/t-1/nb-3-big-Data.db"
          + " length 3.000MiB";
  private static final String COMPRESSED =
      "INFO  [Stream-Deserializer-/127.0.0.1:7000-1] 2026-01-01T10:00:00,000 o.a.c.d.s.CCSR -"
          + " [Stream #a] Finished receiving file #4 from /127.0.0.1:7000 readBytes = 1.000MiB,"
          + " totalSize = 1.000MiB";
  private static final String INDEX =
      WHOLE.replace("Data.db", "Index.db").replace("3.000MiB", "1.000MiB");
  private static final String NOISE =
      "INFO  [x] 2026 SSTableZeroCopyWriter.java:2 - Block Writing component to"
          + " /d/k/t-1/nb-3-big-Data.db length 3.000MiB";

  @Test
  void tells_whole_files_from_sections_and_sums_their_components() {
    StreamedBytes streamed = StreamedBytes.parse(List.of(WHOLE, INDEX, NOISE, COMPRESSED, "other"));

    assertThat(streamed).isEqualTo(new StreamedBytes(4 << 20, 1 << 20, 1, 1));
  }

  @Test
  void reads_every_unit() {
    assertThat(StreamedBytes.parse(List.of(WHOLE.replace("3.000MiB", "512B"))).wholeBytes())
        .isEqualTo(512);
    assertThat(StreamedBytes.parse(List.of(WHOLE.replace("3.000MiB", "1.500KiB"))).wholeBytes())
        .isEqualTo(1536);
    assertThat(StreamedBytes.parse(List.of(WHOLE.replace("3.000MiB", "1.000GiB"))).wholeBytes())
        .isEqualTo(1L << 30);
    assertThat(StreamedBytes.parse(List.of())).isEqualTo(new StreamedBytes(0, 0, 0, 0));
  }

  @Test
  void reads_only_what_a_log_gained(@TempDir Path directory) throws IOException {
    Path log = Files.writeString(directory.resolve("debug.log"), WHOLE + "\n");
    LogTail tail = new LogTail(log);
    Files.writeString(log, COMPRESSED + "\n", StandardOpenOption.APPEND);

    assertThat(tail.lines()).containsExactly(COMPRESSED);
  }

  @Test
  void reads_a_rolled_log_from_its_beginning(@TempDir Path directory) throws IOException {
    Path log = Files.writeString(directory.resolve("debug.log"), WHOLE + "\n" + WHOLE + "\n");
    LogTail tail = new LogTail(log);
    Files.writeString(log, COMPRESSED + "\n");

    assertThat(tail.lines()).containsExactly(COMPRESSED);
  }
}
