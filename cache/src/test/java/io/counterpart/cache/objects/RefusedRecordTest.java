package io.counterpart.cache.objects;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.metadata.MetadataLog;
import io.counterpart.cache.metadata.MetadataOptions;
import io.counterpart.cache.objects.CodedClient.Got;
import io.counterpart.cache.tier.Status;
import io.counterpart.testkit.random.SeededRandom;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Writes that real servers without a free chunk refuse. */
@ExtendWith(SeededRandom.class)
@Timeout(120)
class RefusedRecordTest {
  private static final CodeShape CODE = new CodeShape(5, 3);

  /** Both are in the slot class up to 74,592 bytes; chunks have 66,232 or 82,792. */
  private static final int LARGE_BYTES = 62_000;

  private static final int LARGER_BYTES = 74_000;

  /** Both are in the slot class up to 694,780 bytes, in items of several chunks. */
  private static final int LONG_BYTES = 600_000;

  private static final int LONGER_BYTES = 690_000;
  private static final int LONG_ITEM_MEGABYTES = 32;

  /** The headers of long items, and marks, find room beside these. */
  private static final int LEAST_STRANGE_BYTES = 1000;

  private static final int VALUE_BYTES = 1000;

  /** Of memcached's class for records with those values. */
  private static final int STRANGE_BYTES = 1080;

  /** Whoever takes the memory may get little of the processors. */
  private static final Duration ATTEMPTS = Duration.ofSeconds(40);

  @TempDir private Path directory;

  @Test
  void a_large_object_outlives_an_update_that_needs_a_larger_chunk(Random random) throws Exception {
    try (CodedServers servers = servers();
        CodedClient client = client(servers)) {
      byte[] value = bytes(random, LARGE_BYTES);
      assertThat(CodedClient.await(client.set("key", value))).isEqualTo(Status.DONE);
      client.fold();
      new StrangeItems(servers, number(servers, "key")).fill();

      Status status = CodedClient.await(client.set("key", bytes(random, LARGER_BYTES)));

      assertThat(status).isEqualTo(Status.OUT_OF_MEMORY);
      List<String> wrong = new ArrayList<>();
      addIfWrong(client, "key", value, wrong);
      assertThat(wrong).isEmpty();
    }
  }

  /** The server had room when it was asked, and has none when the record comes. */
  @Test
  void a_large_object_outlives_an_update_that_its_server_refuses(Random random) throws Exception {
    outlivesRefusal(random, LARGE_BYTES, LARGER_BYTES, StrangeItems.SMALLEST_BYTES);
  }

  @Test
  void an_object_above_half_a_mebibyte_outlives_a_refused_update(Random random) throws Exception {
    outlivesRefusal(random, LONG_BYTES, LONGER_BYTES, LEAST_STRANGE_BYTES);
  }

  private void outlivesRefusal(Random random, int oldBytes, int newBytes, int leastStrangeBytes)
      throws Exception {
    try (CodedServers servers = servers(LONG_ITEM_MEGABYTES);
        HoldingRelay relay = new HoldingRelay(new RawServer(servers, 0).port());
        CodedClient client =
            new CodedClient(relay.patientSettings(servers, directory.resolve("first")))) {
      RawServer server = new RawServer(servers, 0);
      byte[] value = bytes(random, oldBytes);
      String key = setOn(server, client, value);
      client.fold();
      awaitDeletedJournals(client, key);

      relay.hold("ms " + key + " ");
      CompletableFuture<Status> update = client.set(key, bytes(random, newBytes));
      relay.holds().get(40, TimeUnit.SECONDS);
      StrangeItems strange = new StrangeItems(servers, 0);
      strange.fill(leastStrangeBytes);
      relay.release();

      assertThat(CodedClient.await(update)).isEqualTo(Status.OUT_OF_MEMORY);
      assertThat(server.record(key)).as("its record").isNotEmpty();
      strange.delete();
      List<String> wrong = new ArrayList<>();
      addIfWrong(client, key, value, wrong);
      client.crash(directory.resolve("second")); // journals or parity have both entries
      client.reopen();
      addIfWrong(client, key, value, wrong);
      client.fold();
      assertThat(client.scrub()).isEmpty();
      servers.kill(1);
      servers.kill(2);
      addIfWrong(client, key, value, wrong);
      assertThat(wrong).isEmpty();
    }
  }

  /** Deletions that left behind the update would give its server the memory that it lacks. */
  private static void awaitDeletedJournals(CodedClient client, String key) {
    await("journals are released").until(() -> client.status().journalBytes() == 0);
    CodedClient.await(client.get(key)); // its server has executed all commands before
  }

  /** memcached finds no memory for such an item while it reads it, and keeps the one before. */
  @Test
  void an_object_above_half_a_mebibyte_is_updated_in_its_own_memory(Random random)
      throws Exception {
    try (CodedServers servers = servers(LONG_ITEM_MEGABYTES);
        CodedClient client = client(servers)) {
      assertThat(CodedClient.await(client.set("key", bytes(random, LONG_BYTES))))
          .isEqualTo(Status.DONE);
      client.fold();
      new StrangeItems(servers, number(servers, "key")).fill(LEAST_STRANGE_BYTES);

      byte[] value = bytes(random, LONG_BYTES);
      assertThat(CodedClient.await(client.set("key", value))).isEqualTo(Status.DONE);

      List<String> wrong = new ArrayList<>();
      addIfWrong(client, "key", value, wrong);
      client.crash(directory.resolve("second"));
      client.reopen();
      addIfWrong(client, "key", value, wrong);
      client.fold();
      assertThat(client.scrub()).isEmpty();
      assertThat(wrong).isEmpty();
    }
  }

  @Test
  void parity_above_half_a_mebibyte_is_never_older_than_its_journals(Random random)
      throws Exception {
    try (CodedServers servers = servers(LONG_ITEM_MEGABYTES);
        CodedClient client = new CodedClient(CODE, servers, directory.resolve("first"), 32 << 20)) {
      assertThat(CodedClient.await(client.set("key", bytes(random, LONG_BYTES))))
          .isEqualTo(Status.DONE);
      client.fold();
      byte[] value = bytes(random, LONG_BYTES);
      assertThat(CodedClient.await(client.set("key", value))).isEqualTo(Status.DONE);
      new StrangeItems(servers, number(servers, RawServer.parityKey(0, 0) + " b"))
          .fill(LEAST_STRANGE_BYTES);

      client.fold();
      client.awaitParity();

      assertThat(client.scrub()).isEmpty();
      servers.kill(number(servers, "key"));
      List<String> wrong = new ArrayList<>();
      addIfWrong(client, "key", value, wrong);
      assertThat(wrong).isEmpty();
    }
  }

  @Test
  void a_refusal_while_too_many_servers_are_down_is_no_matter_of_memory(Random random)
      throws Exception {
    try (CodedServers servers = servers();
        HoldingRelay relay = new HoldingRelay(new RawServer(servers, 0).port());
        CodedClient client =
            new CodedClient(relay.patientSettings(servers, directory.resolve("first")))) {
      String key = setOn(new RawServer(servers, 0), client, bytes(random, LARGE_BYTES));
      client.fold();

      relay.hold("ms " + key + " ");
      CompletableFuture<Status> update = client.set(key, bytes(random, LARGER_BYTES));
      relay.holds().get(40, TimeUnit.SECONDS);
      new StrangeItems(servers, 0).fill();
      for (int server = 1; server <= 3; server++) {
        servers.kill(server);
      }
      await("three are lost").until(() -> client.usable().size() == 2);
      relay.release();

      assertThat(CodedClient.await(update)).isEqualTo(Status.UNAVAILABLE);
    }
  }

  /** Tells the key of an object with its record on that server. */
  private static String setOn(RawServer server, CodedClient client, byte[] value) {
    String key = "k";
    assertThat(CodedClient.await(client.set(key, value))).isEqualTo(Status.DONE);
    while (server.record(key).isEmpty()) {
      assertThat(CodedClient.await(client.delete(key))).isEqualTo(Status.DONE);
      key += "x"; // until it is there that the object belongs
      assertThat(CodedClient.await(client.set(key, value))).isEqualTo(Status.DONE);
    }
    return key;
  }

  /** Folding comes as soon as the write ends: memory was short. */
  @Test
  void a_refused_record_takes_no_other_along_while_parity_is_missing(Random random)
      throws Exception {
    try (CodedServers servers = servers();
        CodedClient client = client(servers)) {
      Map<String, byte[]> values = new TreeMap<>();
      for (int i = 0; i < 60; i++) {
        values.put("key-" + i, bytes(random, VALUE_BYTES));
        assertThat(CodedClient.await(client.set("key-" + i, values.get("key-" + i))))
            .isEqualTo(Status.DONE);
      }
      client.fold();
      client.crash(directory.resolve("second"));
      Column column = column(client);
      client.reopen();
      String refused = column.keys().get(0);
      String lost = column.keys().get(1);
      assertThat(delete(servers, lost)).isOne();
      int full = number(servers, refused);
      StrangeItems strange = new StrangeItems(servers, full);
      strange.fill();

      List<Status> ends = new ArrayList<>();
      long last = System.nanoTime() + ATTEMPTS.toNanos();
      strange.takeWhatIsFree(
          STRANGE_BYTES,
          () -> {
            while (!ends.contains(Status.OUT_OF_MEMORY) && System.nanoTime() - last < 0) {
              // a write that is not refused has had it encoded anew
              delete(servers, RawServer.parityKey(column.stripe(), 0) + " b");
              CompletableFuture<Status> write = client.set(refused, bytes(random, VALUE_BYTES));
              client.fold();
              ends.add(CodedClient.await(write));
            }
          });
      assertThat(ends).contains(Status.OUT_OF_MEMORY);

      values.remove(refused);
      List<String> wrong = new ArrayList<>();
      values.forEach((key, value) -> addIfWrong(client, key, value, wrong));
      assertThat(wrong).isEmpty();
    }
  }

  private static void addIfWrong(CodedClient client, String key, byte[] value, List<String> wrong) {
    Got got = CodedClient.await(client.get(key));
    if (!Arrays.equals(got.value(), value)) {
      wrong.add(key + ": " + got.status());
    }
  }

  /** The keys of a column of a stripe, by chunk. */
  private record Column(int stripe, List<String> keys) {}

  private static Column column(CodedClient client) throws Exception {
    Path metadata = client.settings().metadata();
    try (MetadataLog log = MetadataLog.open(metadata, MetadataOptions.of(CODE.k()))) {
      List<String> keys = new ArrayList<>();
      for (int chunk = 0; chunk < CODE.k(); chunk++) {
        keys.add(new String(log.chunks().key(0, chunk, 0), UTF_8));
      }
      return new Column(0, keys);
    }
  }

  /** Behind the tier's back; tells how many servers had it. */
  private static int delete(CodedServers servers, String keyAndFlags) {
    int deleted = 0;
    for (int server = 0; server < servers.count(); server++) {
      byte[] request = "md %s\r\n".formatted(keyAndFlags).getBytes(UTF_8);
      deleted += new String(servers.answers(server, request), UTF_8).startsWith("HD") ? 1 : 0;
    }
    return deleted;
  }

  private static int number(CodedServers servers, String key) {
    for (int server = 0; server < servers.count(); server++) {
      if (!new RawServer(servers, server).record(key).isEmpty()) {
        return server;
      }
    }
    throw new AssertionError("no server has " + key);
  }

  private static RawServer holder(CodedServers servers, String key) {
    return new RawServer(servers, number(servers, key));
  }

  private static byte[] bytes(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static CodedServers servers() throws Exception {
    return servers(8);
  }

  private static CodedServers servers(int megabytes) throws Exception {
    return new CodedServers(5, "-I", "2m", "-M", "-m", Integer.toString(megabytes));
  }

  private CodedClient client(CodedServers servers) throws Exception {
    return new CodedClient(CODE, servers, directory.resolve("first"), 1 << 20);
  }

  @Test
  void a_restart_restores_what_a_server_dropped_with_a_refused_record(Random random)
      throws Exception {
    try (CodedServers servers = servers(64);
        CodedClient client = client(servers)) {
      CodedClient.await(client.set("key", bytes(random, VALUE_BYTES)));
      client.fold();
      byte[] value = bytes(random, VALUE_BYTES);
      assertThat(CodedClient.await(client.set("key", value))).isEqualTo(Status.DONE);
      client.crash(directory.resolve("second"));
      RawServer holder = holder(servers, "key");
      assertThat(delete(servers, "key")).as("as the refusal does").isOne();

      client.reopen();

      client.awaitRestored(5);
      await("it is written").until(() -> !holder.record("key").isEmpty());
      assertThat(CodedClient.await(client.get("key")).value()).isEqualTo(value);
    }
  }
}
