package io.counterpart.cache.objects;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.StoreMode;
import io.counterpart.cache.store.FakeStore;
import io.counterpart.cache.tier.DeleteCommand;
import io.counterpart.cache.tier.GetOptions;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.Status;
import io.counterpart.cache.tier.StoreCommand;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects with a new expiry and their old CAS token, through crashes and losses of servers. */
@Timeout(120)
class TouchedRecordTest {
  private static final CodeShape CODE = new CodeShape(5, 3);
  private static final long JOURNAL = 1 << 20;
  private static final int KEYS = 120;
  private static final int SECONDS = 5000;
  private static final GetOptions DETAILS =
      new GetOptions(true, true, false, null, null, null, "t");

  @TempDir private Path directory;

  /** A client's view of an object. */
  private record Told(long cas, String value, boolean expires, boolean won) {}

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_touch_outlives_kill_9_and_the_loss_of_servers_with_its_token(boolean folded)
      throws Exception {
    try (CodedServers servers = new CodedServers(5, "-I", "2m", "-M", "-m", "64");
        CodedClient client = new CodedClient(CODE, servers, directory.resolve("first"), JOURNAL)) {
      Map<String, Long> tokens = fill(client);
      if (folded) {
        client.fold();
      }
      tokens.keySet().forEach(key -> touch(client, key));
      if (folded) {
        client.fold();
      }
      checkTouched(client, tokens);

      client.crashAndReopen(directory.resolve("second"));
      checkTouched(client, tokens);
      assertThat(client.scrub()).isEmpty();

      servers.kill(1);
      servers.kill(3);
      await("the losses are noticed").until(() -> client.usable().size() == 3);
      checkTouched(client, tokens);
      tokens.forEach((key, token) -> replace(client, key, token));
    }
  }

  /** Only the journals have the touch; its record, or the one before, is decoded. */
  @Test
  void a_touch_is_completed_though_its_record_was_not_written() throws Exception {
    try (CodedServers servers = new CodedServers(5, "-I", "2m", "-M", "-m", "64");
        CodedClient client = new CodedClient(CODE, servers, directory.resolve("first"), JOURNAL)) {
      Map<String, Long> tokens = fill(client);
      client.fold();
      Map<String, String> before = new HashMap<>();
      tokens.keySet().forEach(key -> before.put(key, record(servers, key)));
      tokens.keySet().forEach(key -> touch(client, key));
      client.crash(directory.resolve("second"));
      int[] odd = {0};
      before.forEach(
          (key, record) -> {
            if (odd[0]++ % 2 == 0) {
              putBack(servers, key, record); // as if the proxy had died before the record left
            }
          });

      client.reopen();

      checkTouched(client, tokens);
      assertThat(client.scrub()).isEmpty();
      client.crashAndReopen(directory.resolve("third"));
      checkTouched(client, tokens);
    }
  }

  @Test
  void a_stale_object_is_still_to_be_computed_once_after_a_touch_and_a_crash() throws Exception {
    try (CodedServers servers = new CodedServers(5, "-I", "2m", "-M", "-m", "64");
        CodedClient client = new CodedClient(CODE, servers, directory.resolve("first"), JOURNAL)) {
      Map<String, Long> tokens = fill(client);
      Map<String, Long> stale = new HashMap<>();
      for (String key : tokens.keySet()) {
        markStale(client, key);
        stale.put(key, CodedClient.await(client.version(key)));
        touch(client, key);
      }

      client.crashAndReopen(directory.resolve("second"));

      for (Map.Entry<String, Long> entry : stale.entrySet()) {
        Told first = read(client, entry.getKey());
        assertThat(first).isEqualTo(new Told(entry.getValue(), entry.getKey() + "!", true, true));
        assertThat(read(client, entry.getKey()).won()).isFalse();
        assertThat(read(client, entry.getKey()).cas()).isEqualTo(entry.getValue());
      }
    }
  }

  @Test
  void a_touch_of_a_stale_object_keeps_its_token_behind_a_persistent_store() throws Exception {
    try (CodedServers servers = new CodedServers(5, "-I", "2m", "-M", "-m", "64");
        CodedClient client =
            new CodedClient(
                CODE, servers, directory.resolve("first"), JOURNAL, FakeStore.atOnce())) {
      for (String key : fill(client).keySet()) {
        markStale(client, key);
        long token = CodedClient.await(client.version(key));

        touch(client, key);

        assertThat(CodedClient.await(client.version(key))).isEqualTo(token);
        assertThat(read(client, key)).isEqualTo(new Told(token, key + "!", true, true));
        assertThat(read(client, key)).isEqualTo(new Told(token, key + "!", true, false));
      }
    }
  }

  /** A read that waits for a change of its key, and is told with the touch behind it. */
  @Test
  void a_read_before_a_refused_touch_has_its_token() throws Exception {
    try (CodedServers servers = new CodedServers(5, "-I", "2m", "-M", "-m", "8");
        CodedClient client = new CodedClient(CODE, servers, directory.resolve("first"), JOURNAL)) {
      assertThat(CodedClient.await(client.set("key", new byte[1000]))).isEqualTo(Status.DONE);
      long token = CodedClient.await(client.version("key"));
      client.fold();
      client.crashAndReopen(directory.resolve("second")); // it is read from its server then
      new StrangeItems(servers).fill();

      CompletableFuture<Long> read = new CompletableFuture<>();
      CompletableFuture<Status> touch = new CompletableFuture<>();
      client
          .loop()
          .execute(
              () -> {
                client.tier().store(add(), outcome -> {}); // has the key meanwhile
                client.tier().get(Key.of("key"), GetOptions.PLAIN, told -> end(told, read));
                client
                    .tier()
                    .get(
                        Key.of("key"),
                        GetOptions.touching(100),
                        told ->
                            touch.complete(
                                told instanceof GetOutcome.None none
                                    ? none.status()
                                    : Status.DONE));
              });

      assertThat(CodedClient.await(touch)).isEqualTo(Status.OUT_OF_MEMORY);
      assertThat(CodedClient.await(read)).isEqualTo(token);
    }
  }

  private static StoreCommand add() {
    return new StoreCommand(
        Key.of("key"), StoreMode.ADD, 0, 0, 0, false, Unpooled.wrappedBuffer(new byte[1]));
  }

  private static void end(GetOutcome told, CompletableFuture<Long> read) {
    if (told instanceof GetOutcome.Found found) {
      found.value().release();
      read.complete(found.item().cas());
    } else {
      read.complete(-1L);
    }
  }

  private static void markStale(CodedClient client, String key) {
    CodedClient.await(
        client.<Status>call(
            done ->
                client
                    .tier()
                    .delete(
                        new DeleteCommand(Key.of(key), null, true, null),
                        outcome -> done.complete(outcome.status()))));
  }

  private static Map<String, Long> fill(CodedClient client) {
    Map<String, Long> tokens = new HashMap<>();
    for (int i = 0; i < KEYS; i++) {
      String key = "key-" + i;
      byte[] value = (key + "!").getBytes(ISO_8859_1);
      assertThat(CodedClient.await(client.set(key, value))).isEqualTo(Status.DONE);
      tokens.put(key, CodedClient.await(client.version(key)));
    }
    return tokens;
  }

  private static void touch(CodedClient client, String key) {
    Status status =
        CodedClient.await(
            client.<Status>call(
                done ->
                    client
                        .tier()
                        .get(
                            Key.of(key),
                            GetOptions.touching(SECONDS),
                            outcome -> {
                              if (outcome instanceof GetOutcome.Found found) {
                                found.value().release();
                                done.complete(Status.DONE);
                              } else {
                                done.complete(((GetOutcome.None) outcome).status());
                              }
                            })));
    assertThat(status).isEqualTo(Status.DONE);
  }

  private static void checkTouched(CodedClient client, Map<String, Long> tokens) {
    tokens.forEach(
        (key, token) ->
            assertThat(read(client, key)).isEqualTo(new Told(token, key + "!", true, false)));
  }

  private static Told read(CodedClient client, String key) {
    return CodedClient.await(
        client.<Told>call(
            done ->
                client
                    .tier()
                    .get(
                        Key.of(key),
                        DETAILS,
                        outcome -> {
                          if (outcome instanceof GetOutcome.Found found) {
                            String value =
                                new String(ByteBufUtil.getBytes(found.value()), ISO_8859_1);
                            found.value().release();
                            boolean expires = found.item().ttlSeconds() > SECONDS - 1000;
                            done.complete(
                                new Told(found.item().cas(), value, expires, found.item().won()));
                          } else {
                            done.complete(new Told(0, outcome.toString(), false, false));
                          }
                        })));
  }

  private static void replace(CodedClient client, String key, long token) {
    Status status =
        CodedClient.await(
            client.<Status>call(
                done ->
                    client
                        .tier()
                        .store(
                            new StoreCommand(
                                Key.of(key),
                                StoreMode.CAS,
                                0,
                                0,
                                token,
                                false,
                                Unpooled.copiedBuffer("new", ISO_8859_1)),
                            outcome -> done.complete(outcome.status()))));
    assertThat(status).isEqualTo(Status.DONE);
  }

  /** The server that has the record, a space, and its answer. */
  private static String record(CodedServers servers, String key) {
    for (int server = 0; server < servers.count(); server++) {
      String answer = answer(servers, server, "mg " + key + " v\r\n");
      if (answer.startsWith("VA ")) {
        return server + answer.substring(answer.indexOf('\n') + 1);
      }
    }
    throw new AssertionError("no server has " + key);
  }

  private static void putBack(CodedServers servers, String key, String record) {
    String bytes = record.substring(1);
    String request = "ms %s %d\r\n%s".formatted(key, bytes.length() - 2, bytes);
    assertThat(answer(servers, record.charAt(0) - '0', request)).startsWith("HD");
  }

  private static String answer(CodedServers servers, int server, String request) {
    return new String(servers.answers(server, request.getBytes(ISO_8859_1)), ISO_8859_1);
  }
}
