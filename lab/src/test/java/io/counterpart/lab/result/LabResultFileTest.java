package io.counterpart.lab.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LabResultFileTest {
  @TempDir Path directory;

  @Test
  void reads_what_was_written() throws IOException {
    LabResult result =
        new LabResult(
            1,
            "x",
            "",
            "",
            "small",
            Map.of("seed", 1),
            List.of(),
            List.of(),
            List.of(),
            1,
            0,
            0,
            0,
            9);
    Path file = directory.resolve("result.json");
    new ResultJson().write(file, result);

    assertThat(LabResultFile.read(file)).isEqualTo(result);
  }

  @Test
  void says_what_is_wrong_with_a_file() throws IOException {
    refused(directory.resolve("none.json"), "no such file");
    refused(file("not JSON"), "is no result of lab run");
    refused(file("[1]"), "is no result of lab run");
    refused(file("{\"figures\": []}"), "it has no schema number");
    refused(file("{\"schema\": 1}"), "config, blocks, samples or figures are missing");
    refused(file("{\"schema\": 2, \"blocks\": 7}"), "has schema 2; this version reads schema 1");
  }

  private void refused(Path file, String why) {
    assertThatThrownBy(() -> LabResultFile.read(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(file.toString())
        .hasMessageContaining(why);
  }

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("result.json"), text);
  }
}
