package io.counterpart.cache.objects;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.ownership.OwnershipSettings;
import io.counterpart.cache.ring.ServerId;
import io.counterpart.cache.tier.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A proxy that dies while its restart finishes interrupted writes. */
@Timeout(120)
class InterruptedRestartTest {
  private static final Duration REPLY = Duration.ofSeconds(1);
  private static final int KEYS = 60;

  /** Numbers of journal items that a start asks each server for. */
  private static final int JOURNAL_NUMBERS = 4096;

  @TempDir private Path directory;

  @Test
  void an_update_is_completed_in_record_and_parity() throws Exception {
    try (CodedServers servers = new CodedServers(5, "-I", "2m", "-M", "-m", "64");
        HoldingRelay relay = new HoldingRelay(port(servers.id(0)));
        CodedClient client = new CodedClient(settings(servers, relay))) {
      for (int i = 0; i < KEYS; i++) {
        assertThat(CodedClient.await(client.set("key-" + i, value("old")))).isEqualTo(Status.DONE);
      }
      client.fold();
      String key = keyOf(servers);
      String record = record(servers, key);
      assertThat(CodedClient.await(client.set(key, value("new")))).isEqualTo(Status.DONE);
      client.crash(directory.resolve("second"));
      putBack(servers, key, record); // as if the proxy had died between entry and record

      relay.hold("ms " + key + " ");
      CompletableFuture<Void> restart = CompletableFuture.runAsync(() -> reopen(client));
      relay.holds().get(40, TimeUnit.SECONDS);
      client.standStill(REPLY.multipliedBy(4)); // it writes nothing any more
      CodedClient.copy(directory.resolve("second"), directory.resolve("third"));
      relay.holdNothing();

      try (CodedClient last = new CodedClient(third(client.settings()))) {
        assertThat(last.scrub()).isEmpty();
        assertThat(CodedClient.await(last.get(key)).value()).isEqualTo(value("new"));
        servers.kill(0);
        for (int i = 0; i < KEYS; i++) {
          byte[] expected = value(key.equals("key-" + i) ? "new" : "old");
          assertThat(CodedClient.await(last.get("key-" + i)).value()).isEqualTo(expected);
        }
      }
      assertThat(restart).failsWithin(Duration.ofSeconds(40));
    }
  }

  /** What it was asked last ends before its loss is counted, and is not missing. */
  @Test
  void asks_a_server_again_that_is_lost_with_the_last_answers() throws Exception {
    try (CodedServers servers = new CodedServers(5, "-I", "2m", "-M", "-m", "64");
        HoldingRelay relay = new HoldingRelay(port(servers.id(0)));
        CodedClient client = new CodedClient(patient(relay.beforeTheFirstOf(servers)))) {
      String key = CodedClient.keyOfRing("key-", 0, new CodeShape(5, 3));
      assertThat(CodedClient.await(client.set(key, value("new")))).isEqualTo(Status.DONE);
      client.crash(directory.resolve("second"));
      RawServer server = new RawServer(servers, 0);
      long flushes = server.flushes();
      long[] asked = IntStream.range(1, 5).mapToLong(i -> gets(servers, i)).toArray();

      relay.hold("mg AB9jSg"); // an item of its journal
      CompletableFuture<Void> restart = CompletableFuture.runAsync(() -> reopen(client));
      relay.holds().get(40, TimeUnit.SECONDS);
      await("all others have told")
          .atMost(Duration.ofSeconds(40))
          .until(
              () ->
                  IntStream.range(1, 5)
                      .allMatch(i -> gets(servers, i) - asked[i - 1] >= JOURNAL_NUMBERS));
      relay.holdNothing();
      relay.cut();
      restart.get(40, TimeUnit.SECONDS);

      client.awaitRestored(5);
      assertThat(server.flushes()).isEqualTo(flushes);
      assertThat(CodedClient.await(client.get(key)).value()).isEqualTo(value("new"));
    }
  }

  private static long gets(CodedServers servers, int number) {
    return new RawServer(servers, number).gets();
  }

  /** Settings of a tier that waits for all servers, and gives none up. */
  private CodedSettings patient(List<ServerId> ids) {
    return new CodedSettings(
        new CodeShape(5, 3),
        ids,
        directory.resolve("first"),
        1 << 20,
        Duration.ofSeconds(60),
        CodedClient.answeringWithin(Duration.ofSeconds(20)));
  }

  private CodedSettings settings(CodedServers servers, HoldingRelay relay) {
    return settings(relay.beforeTheFirstOf(servers), "first");
  }

  private CodedSettings settings(List<ServerId> ids, String name) {
    return new CodedSettings(
        new CodeShape(5, 3),
        ids,
        directory.resolve(name),
        1 << 20,
        Duration.ofSeconds(15),
        CodedClient.answeringWithin(REPLY));
  }

  private CodedSettings third(CodedSettings second) {
    return settings(second.servers(), "third")
        .with(new OwnershipSettings(false, second.ownership().site()));
  }

  private static void reopen(CodedClient client) {
    try {
      client.reopen();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static int port(ServerId id) {
    return Integer.parseInt(id.name().substring(id.name().indexOf(':') + 1));
  }

  /** A key whose record server 0 has. */
  private static String keyOf(CodedServers servers) {
    for (int i = 0; i < KEYS; i++) {
      if (!record(servers, "key-" + i).isEmpty()) {
        return "key-" + i;
      }
    }
    throw new AssertionError("server 0 has no record");
  }

  private static String record(CodedServers servers, String key) {
    String answer = answer(servers, "mg " + key + " v\r\n");
    return answer.startsWith("VA ") ? answer.substring(answer.indexOf('\n') + 1) : "";
  }

  private static void putBack(CodedServers servers, String key, String record) {
    int length = record.length() - 2;
    assertThat(answer(servers, "ms " + key + " " + length + "\r\n" + record)).startsWith("HD");
  }

  private static String answer(CodedServers servers, String request) {
    return new String(servers.answers(0, request.getBytes(ISO_8859_1)), ISO_8859_1);
  }

  private static byte[] value(String text) {
    return text.repeat(20).getBytes(ISO_8859_1);
  }
}
