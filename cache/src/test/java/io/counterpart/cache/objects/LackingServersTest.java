package io.counterpart.cache.objects;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.tier.Status;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A proxy that dies while n − k servers are being restored. */
@Timeout(120)
class LackingServersTest {
  private static final String MARK =
      Base64.getEncoder().encodeToString(new byte[] {0, 0x1f, 'c', 'M', 0});
  private static final int KEYS = 60;

  @TempDir private Path directory;

  @Test
  void entries_that_only_they_have_count() throws Exception {
    try (CodedServers servers = new CodedServers(5, "-I", "2m", "-M", "-m", "64");
        CodedClient client =
            new CodedClient(new CodeShape(5, 3), servers, directory.resolve("first"), 1 << 20)) {
      setAll(client, "old");
      client.fold();
      for (int server = 0; server < servers.count(); server++) {
        markLacking(servers, server);
      }
      setAll(client, "new");

      client.crashAndReopen(directory.resolve("second"));

      await("servers are restored").until(() -> client.toRestore() == 0);
      assertThat(client.scrub()).isEmpty();
      servers.kill(0);
      servers.kill(1);
      for (int i = 0; i < KEYS; i++) {
        assertThat(CodedClient.await(client.get("key-" + i)).value()).isEqualTo(value("new"));
      }
    }
  }

  private static void setAll(CodedClient client, String text) {
    for (int i = 0; i < KEYS; i++) {
      assertThat(CodedClient.await(client.set("key-" + i, value(text)))).isEqualTo(Status.DONE);
    }
  }

  /** Marks a server as if it had been emptied and not completely restored. */
  private static void markLacking(CodedServers servers, int server) {
    await("it is whole").until(() -> mark(servers, server).endsWith(" whole"));
    String lacking = mark(servers, server).replace(" whole", " lacking");
    String answer =
        answer(servers, server, "ms %s %d b\r\n%s\r\n".formatted(MARK, lacking.length(), lacking));
    assertThat(answer).startsWith("HD");
  }

  private static String mark(CodedServers servers, int server) {
    return answer(servers, server, "mg " + MARK + " b v\r\n")
        .lines()
        .skip(1)
        .findFirst()
        .orElse("");
  }

  private static String answer(CodedServers servers, int server, String request) {
    return new String(servers.answers(server, request.getBytes(ISO_8859_1)), ISO_8859_1);
  }

  private static byte[] value(String text) {
    return text.repeat(20).getBytes(ISO_8859_1);
  }
}
