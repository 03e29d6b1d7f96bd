package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.metadata.JournalNumbers;
import io.counterpart.cache.metadata.MetadataLog;
import io.counterpart.cache.metadata.MetadataOptions;
import io.counterpart.cache.tier.Status;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The number of journal items that a restart has to ask for. */
@Timeout(180)
class JournalNumbersTest {
  private static final CodeShape CODE = new CodeShape(6, 2);
  private static final int MOST = 64 << 10;
  private static final int TAKEN_AHEAD = 2 * 4096;
  private static final int OBJECTS = (MOST + 2 * TAKEN_AHEAD) / CODE.parityCount();

  @TempDir private Path directory;

  @Test
  void an_object_that_is_never_written_again_does_not_make_them_ever_more() throws Exception {
    try (CodedServers servers = new CodedServers(6, "-I", "2m", "-M", "-m", "64");
        CodedClient client =
            new CodedClient(
                CodedClient.settings(CODE, servers, directory.resolve("first"), 8 << 20))) {
      write(client, "cold", 3000); // alone in a stripe of its class, which never becomes full
      for (int i = 0; i < OBJECTS; i++) {
        write(client, "key-" + i, 100); // one after the other: each has items of its own
      }

      client.crash(directory.resolve("second"));
      JournalNumbers numbers = numbers();
      assertThat(numbers.end()).isGreaterThan(MOST + TAKEN_AHEAD);
      assertThat(numbers.end() - numbers.first()).isLessThanOrEqualTo(MOST + TAKEN_AHEAD);

      client.reopen();
      assertThat(client.scrub()).isEmpty();
      assertThat(CodedClient.await(client.get("cold")).value()).hasSize(3000);
      assertThat(CodedClient.await(client.get("key-0")).value()).hasSize(100);
    }
  }

  private JournalNumbers numbers() throws Exception {
    try (MetadataLog log =
        MetadataLog.open(directory.resolve("second"), MetadataOptions.of(CODE.k()))) {
      return log.journalNumbers();
    }
  }

  private static void write(CodedClient client, String key, int bytes) {
    byte[] value = "x".repeat(bytes).getBytes(StandardCharsets.US_ASCII);
    assertThat(CodedClient.await(client.set(key, value))).isEqualTo(Status.DONE);
  }
}
