package io.counterpart.lab.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.LabResultOf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoredRunTest {
  private static final String WHOLE =
      "{\"schema\":1,\"experiment\":\"e\",\"scale\":\"smoke\",\"config\":{},\"samples\":[],"
          + "\"figures\":[],\"blocks\":[%s]}";

  @TempDir private Path directory;

  @Test
  void a_folder_and_its_result_are_the_same_run() throws IOException {
    LabResult result = LabResultOf.blocks(2, 150, 1);
    ResultFolder.write(directory, result);

    assertThat(StoredRun.read(directory))
        .isEqualTo(StoredRun.read(directory.resolve("result.json")));
    assertThat(StoredRun.read(directory).blocks()).isEqualTo(result.blocks());
  }

  @Test
  void says_what_a_path_is_not() throws IOException {
    Path none = directory.resolve("none");
    assertThatThrownBy(() -> StoredRun.read(none)).hasMessage(none + ": does not exist");
    assertThatThrownBy(() -> StoredRun.read(directory))
        .hasMessageContaining("it has no result.json");
    refused("", "neither a bundle nor a whole result.json");
    refused("hello", "neither a bundle nor a whole result.json");
    refused("[1]", "neither a bundle nor a whole result.json");
    refused("null", "neither a bundle nor a whole result.json: JSON's null");
    refused("{}", "JSON, but no result of lab run: it has no schema and experiment");
    refused(
        "{\"schema\":2,\"experiment\":\"e\"}",
        "result of schema 2: this Counterpart reads schema 1");
    refused("{\"schema\":1,\"experiment\":\"e\"}", "damaged: scale, config or blocks are missing");
  }

  @Test
  void says_what_is_damaged_in_a_block() throws IOException {
    refused(WHOLE.formatted("null"), "a block lacks");
    refused(WHOLE.formatted("{}"), "a block lacks its phase, arm, latencies or server");
    String block =
        "{\"phase\":\"p\",\"arm\":\"a\",\"server\":{},\"operations\":%d,\"seconds\":1,\"latencies\":"
            + "{\"read\":{\"histogram\":\"%s\"}}}";
    refused(WHOLE.formatted(block.formatted(-1, "")), "block p a 0: -1 operations in 1.0 s");
    refused(WHOLE.formatted(block.formatted(1, "AAAA")), "not an HDR histogram");
    refused(WHOLE.formatted(block.formatted(1, "%")), "the result is damaged");
  }

  private void refused(String text, String message) throws IOException {
    Path file = directory.resolve("given.json");
    Files.writeString(file, text);
    assertThatThrownBy(() -> StoredRun.read(file))
        .isInstanceOf(UnreadableRunException.class)
        .hasMessageStartingWith(file.toString())
        .hasMessageContaining(message);
  }
}
