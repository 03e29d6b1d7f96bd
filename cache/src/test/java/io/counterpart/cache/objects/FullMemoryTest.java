package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.coded.CodedStatus;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.protocol.StoreMode;
import io.counterpart.cache.ring.ServerId;
import io.counterpart.cache.tier.Status;
import io.counterpart.testkit.random.SeededRandom;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A tier on real servers without free memory. */
@ExtendWith(SeededRandom.class)
@Timeout(240)
class FullMemoryTest {
  private static final CodeShape CODE = new CodeShape(5, 3);
  private static final long JOURNAL = 32 << 20;
  private static final int AT_ONCE = 64;
  private static final int STRIPES = 500;

  /**
   * Least size of foreign items; a mark is shorter. If the mark were dropped, the whole server
   * would be restored.
   */
  private static final int LEAST_STRANGE_BYTES = 1000;

  /** Writes that journals keep: more would be folded, because servers are so small. */
  private static final int NOT_FOLDED = 100;

  private static final int REFUSED_IN_A_ROW = 300;
  private static final byte[] STATISTICS = "stats\r\n".getBytes(StandardCharsets.US_ASCII);

  @TempDir private Path directory;

  @Test
  void full_tier_takes_every_update(Random random) throws Exception {
    try (CodedServers servers = servers(32);
        CodedClient client = patientClient(servers)) {
      Map<String, byte[]> values = fill(client, random, 1000, 1000);
      assertThat(values.size() * 1000.0 * 5 / 3)
          .as("bytes kept")
          .isGreaterThan(0.5 * 5 * (32 << 20));

      Writing updates = new Writing(client, values);
      List<String> keys = List.copyOf(values.keySet());
      for (int i = 0; i < 40_000; i++) {
        updates.set(keys.get(random.nextInt(keys.size())), bytes(random, 1000));
      }
      updates.end();

      assertThat(updates.refused).as("updates refused").isZero();
      checkAfterLosses(client, servers, values);
    }
  }

  @Test
  void key_that_grows_leaves_no_memory_behind(Random random) throws Exception {
    try (CodedServers servers = servers(64);
        CodedClient client = client(servers, JOURNAL)) {
      Map<String, byte[]> values = new TreeMap<>();
      Writing large = new Writing(client, values);
      for (int i = 0; i < 400; i++) {
        large.set("large-" + i, bytes(random, 250_000));
      }
      large.end();
      assertThat(large.refused).isZero();

      byte[] grown = bytes(random, 2_000);
      assertThat(CodedClient.await(client.set("grown", grown))).isEqualTo(Status.DONE);
      for (int i = 0; i < 2000; i++) {
        byte[] more = bytes(random, 64);
        // pages that move to the next size may take a moment, in which a write is refused
        await("append %d to %d bytes".formatted(i, grown.length))
            .atMost(Duration.ofSeconds(40))
            .pollDelay(Duration.ZERO)
            .until(
                () ->
                    CodedClient.await(client.store(StoreMode.APPEND, "grown", more))
                        == Status.DONE);
        byte[] longer = Arrays.copyOf(grown, grown.length + more.length);
        System.arraycopy(more, 0, longer, grown.length, more.length);
        grown = longer;
      }
      values.put("grown", grown);
      checkAfterLosses(client, servers, values);
    }
  }

  @Test
  void parity_without_memory_is_written_once_there_is_some(Random random) throws Exception {
    try (CodedServers servers = servers(8);
        CodedClient client = client(servers, JOURNAL)) {
      Map<String, byte[]> values = write(client, random, "key", NOT_FOLDED, 1000);
      client.fold();
      deleteParity(servers);
      values.putAll(write(client, random, "key", NOT_FOLDED, 1000)); // parity has it not
      StrangeItems strange = new StrangeItems(servers);
      strange.fill();
      client.fold();
      assertThat(client.status().stripesToRestore()).as("stripes without parity").isPositive();
      assertThat(client.status().journalBytes()).as("held for them").isPositive();

      strange.delete();
      client.awaitParity();
      // they are released once the disk has what is in parity
      await("journals are released").until(() -> client.status().journalBytes() == 0);
      assertThat(client.scrub()).isEmpty();
      checkAfterLosses(client, servers, values);
    }
  }

  @Test
  void restarts_remember_which_parity_is_missing(Random random) throws Exception {
    try (CodedServers servers = servers(8)) {
      StrangeItems strange = new StrangeItems(servers);
      Map<String, byte[]> values;
      try (CodedClient client = client(servers, JOURNAL)) {
        values = write(client, random, "key", NOT_FOLDED, 1000);
        client.fold();
        deleteParity(servers);
        values.putAll(write(client, random, "key", NOT_FOLDED, 1000));
        strange.fill(LEAST_STRANGE_BYTES);
        client.fold();
        assertThat(client.status().stripesToRestore()).as("stripes without parity").isPositive();
      }
      for (int restart = 1; restart <= 2; restart++) {
        try (CodedClient client = awaitingClient(servers)) {
          assertThat(client.status().servers())
              .as("restart %d: nothing else is restored", restart)
              .allMatch(server -> server.state() == CodedStatus.ServerState.UP);
          assertThat(client.status().stripesToRestore()).as("restart %d", restart).isPositive();
        }
      }

      strange.delete();
      try (CodedClient client = client(servers, JOURNAL)) {
        client.awaitParity();
        assertThat(client.scrub()).isEmpty();
        checkAfterLosses(client, servers, values);
      }
    }
  }

  @Test
  void server_that_takes_too_small_items_is_not_added(Random random) throws Exception {
    isNotAdded(random, "item_size_max", "-I", "1m", "-M", "-m", "64");
  }

  @Test
  void server_that_evicts_is_not_added(Random random) throws Exception {
    isNotAdded(random, "evictions", "-I", "2m", "-m", "64");
  }

  private void isNotAdded(Random random, String why, String... options) throws Exception {
    try (CodedServers servers = servers(64);
        CodedClient client = client(servers, JOURNAL)) {
      Map<String, byte[]> values = write(client, random, "key", 100, 1000);
      ServerId added = servers.grow();
      int number = servers.count() - 1;
      servers.kill(number);
      servers.start(number, options);

      CompletableFuture<Void> change = client.call(done -> add(client, added, done));

      assertThat(change)
          .failsWithin(Duration.ofSeconds(40))
          .withThrowableThat()
          .withMessageContaining(why);
      assertThat(new String(servers.answers(number, STATISTICS), StandardCharsets.US_ASCII))
          .as("it got nothing")
          .contains("STAT total_items 0\r\n");
      checkAfterLosses(client, servers, values);
    }
  }

  private static void add(CodedClient client, ServerId added, CompletableFuture<Void> done) {
    client
        .shard()
        .addServers(List.of(added))
        .whenComplete(
            (nothing, failure) -> {
              if (failure == null) {
                done.complete(null);
              } else {
                done.completeExceptionally(failure);
              }
            });
  }

  /** Whether the proxy sees it or is dead at that moment. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void items_that_a_page_move_drops_are_restored(boolean isSeen, Random random) throws Exception {
    try (CodedServers servers = servers(64);
        CodedClient client = client(servers, JOURNAL)) {
      Map<String, byte[]> values = write(client, random, "key", 8000, 1000);
      client.fold();
      assertThat(client.scrub()).isEmpty();
      Path drops = directory.resolve("metadata/drops");
      await("it is asked")
          .until(
              () ->
                  Files.exists(drops)
                      && Files.readString(drops).contains(servers.id(0).name() + " "));
      if (!isSeen) {
        await("it is whole").until(() -> new RawServer(servers, 0).mark().endsWith(" whole"));
        client.crash(directory.resolve("second"));
      }
      String slabs = answer(servers, "stats slabs\r\n");
      int slabClass = // of the records
          Pattern.compile("STAT (\\d+):total_pages [2-9]")
              .matcher(slabs)
              .results()
              .mapToInt(page -> Integer.parseInt(page.group(1)))
              .min()
              .orElseThrow();

      assertThat(answer(servers, "slabs reassign " + slabClass + " 0\r\n")).startsWith("OK");
      await("items are dropped")
          .atMost(Duration.ofSeconds(40))
          .until(() -> answer(servers, "stats\r\n").matches("(?s).*evictions_nomem [1-9].*"));
      if (!isSeen) {
        client.reopen();
      }

      await("all is there again")
          .atMost(Duration.ofSeconds(40))
          .untilAsserted(() -> assertThat(client.scrub()).isEmpty());
      checkAfterLosses(client, servers, values);
    }
  }

  private static String answer(CodedServers servers, String command) {
    byte[] bytes = servers.answers(0, command.getBytes(StandardCharsets.US_ASCII));
    return new String(bytes, StandardCharsets.US_ASCII);
  }

  @Test
  void objects_that_a_returned_server_refuses_are_restored_later(Random random) throws Exception {
    try (CodedServers servers = servers(64);
        CodedClient client = client(servers, JOURNAL)) {
      Map<String, byte[]> values = write(client, random, "key", 22_000, 1000);
      client.fold();
      servers.kill(0);
      servers.start(0, "-I", "2m", "-M", "-m", "8");
      await("its memory is full")
          .atMost(Duration.ofSeconds(60))
          .until(() -> answer(servers, "stats\r\n").matches("(?s).*store_no_memory [1-9].*"));
      // a server that gave up what it was refused would be up by then
      await("it lacks objects")
          .during(Duration.ofSeconds(20))
          .atMost(Duration.ofSeconds(40))
          .until(() -> state(client, servers.id(0)) == CodedStatus.ServerState.RESTORING);

      List<String> deleted = values.keySet().stream().limit(16_000).toList();
      SeveralAtOnce.delete(client, deleted);
      deleted.forEach(values::remove);
      await("it has every object")
          .atMost(Duration.ofSeconds(90))
          .until(() -> state(client, servers.id(0)) == CodedStatus.ServerState.UP);
      assertThat(client.scrub()).isEmpty();
      checkAfterLosses(client, servers, values);
    }
  }

  @Test
  void deleted_memory_takes_new_objects_at_once(Random random) throws Exception {
    try (CodedServers servers = servers(16);
        CodedClient client = patientClient(servers)) {
      Map<String, byte[]> values = fill(client, random, 1000, 1000);
      List<String> keys = new ArrayList<>(values.keySet());
      Collections.shuffle(keys, random);
      List<String> deleted = keys.subList(0, keys.size() * 6 / 10);
      SeveralAtOnce.delete(client, deleted);
      deleted.forEach(values::remove);

      Writing inserts = new Writing(client, values);
      for (int i = 0; i < keys.size() / 2; i++) {
        inserts.set("later-" + i, bytes(random, 1000));
      }
      inserts.end();

      assertThat(inserts.refused).as("refused of %d", keys.size() / 2).isZero();
      checkAfterLosses(client, servers, values);
    }
  }

  @Test
  void folding_passes_over_what_cannot_be_folded(Random random) throws Exception {
    long bound = 256 << 10;
    try (CodedServers servers = servers(64);
        CodedClient client = client(servers, bound)) {
      Map<String, byte[]> values = write(client, random, "key", 300, 1000);
      client.fold();
      servers.kill(0);
      // it lacks a write before two others lack items: with three at once the shard would end
      String lacked = CodedClient.keyOfRing("key-", 0, CODE);
      assertThat(CodedClient.await(client.set(lacked, bytes(random, 900)))).isEqualTo(Status.DONE);
      for (int server = 3; server < 5; server++) {
        servers.answers(server, "flush_all\r\n".getBytes(StandardCharsets.US_ASCII));
      }
      int changed = 0;
      for (String key : values.keySet()) {
        // one at a time: each has a journal item of its own
        Status status = CodedClient.await(client.set(key, bytes(random, 900)));
        changed += status == Status.DONE ? 1 : 0;
      }
      assertThat(changed).as("entries that cannot be folded").isGreaterThan(64);

      for (int round = 0; round < 10; round++) {
        write(client, random, "new", 300, 2000); // in stripes of another slot class
      }

      await("journals are folded")
          .atMost(Duration.ofSeconds(40))
          .untilAsserted(
              () -> {
                CodedClient.await(client.set("one more", bytes(random, 2000)));
                assertThat(client.status().journalBytes()).isLessThan(4 * bound);
              });
    }
  }

  @Test
  void server_that_takes_too_small_items_is_not_used(Random random) throws Exception {
    try (CodedServers servers = servers(64);
        CodedClient client = client(servers, JOURNAL)) {
      Map<String, byte[]> values = write(client, random, "key", 100, 1000);
      servers.kill(2);
      servers.start(2, "-I", "1m", "-M", "-m", "64");
      await("it is connected")
          .atMost(Duration.ofSeconds(40))
          .until(() -> state(client, servers.id(2)) == CodedStatus.ServerState.JOINING);
      values.putAll(write(client, random, "key", 50, 1000));
      servers.kill(2);
      servers.start(2);
      await("it is used")
          .atMost(Duration.ofSeconds(40))
          .until(() -> state(client, servers.id(2)) == CodedStatus.ServerState.UP);
      checkAfterLosses(client, servers, values);
    }
  }

  /** Behind the tier's back, so that others can take its memory before it is written anew. */
  private static void deleteParity(CodedServers servers) {
    for (int server = 0; server < servers.count(); server++) {
      assertThat(new RawServer(servers, server).deleteParity(STRIPES, CODE))
          .as("some was there")
          .isTrue();
    }
  }

  private static CodedStatus.ServerState state(CodedClient client, ServerId server) {
    return client.status().servers().stream()
        .filter(one -> one.id().equals(server))
        .findFirst()
        .orElseThrow()
        .state();
  }

  private static Map<String, byte[]> write(
      CodedClient client, Random random, String name, int count, int length) {
    Map<String, byte[]> values = new TreeMap<>();
    Writing writing = new Writing(client, values);
    for (int i = 0; i < count; i++) {
      writing.set(name + "-" + i, bytes(random, length));
    }
    writing.end();
    assertThat(writing.refused).isZero();
    return values;
  }

  /** Writes new objects until servers refuse a number of them in a row. */
  private static Map<String, byte[]> fill(
      CodedClient client, Random random, int leastBytes, int mostBytes) {
    Map<String, byte[]> values = new TreeMap<>();
    Writing inserts = new Writing(client, values);
    for (int i = 0; inserts.refusedInARow < REFUSED_IN_A_ROW; i++) {
      int length = leastBytes + random.nextInt(mostBytes - leastBytes + 1);
      inserts.set("key-" + i, bytes(random, length));
    }
    inserts.end();
    return values;
  }

  private static void checkAfterLosses(
      CodedClient client, CodedServers servers, Map<String, byte[]> values) {
    servers.kill(1);
    servers.kill(3);
    assertThat(SeveralAtOnce.wrong(client, values)).isEmpty();
  }

  private static byte[] bytes(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static CodedServers servers(int megabytes) throws Exception {
    return new CodedServers(5, "-I", "2m", "-M", "-m", Integer.toString(megabytes));
  }

  private CodedClient client(CodedServers servers, long journalBytes) throws Exception {
    return new CodedClient(
        CodedClient.settings(CODE, servers, directory.resolve("metadata"), journalBytes));
  }

  private CodedClient awaitingClient(CodedServers servers) throws Exception {
    return new CodedClient(
        CodedClient.awaitingAll(
            CodedClient.settings(CODE, servers, directory.resolve("metadata"), JOURNAL)));
  }

  private CodedClient patientClient(CodedServers servers) throws Exception {
    return new CodedClient(
        CodedClient.patientSettings(CODE, servers, directory.resolve("metadata"), JOURNAL));
  }

  /** Concurrent writes, with the last acknowledged value of each object. */
  private static final class Writing {
    private final CodedClient client;
    private final Map<String, byte[]> values;
    private final ArrayDeque<UnderWay> underWay = new ArrayDeque<>();
    private int refused;
    private int refusedInARow;

    private record UnderWay(String key, byte[] value, CompletableFuture<Status> status) {}

    Writing(CodedClient client, Map<String, byte[]> values) {
      this.client = client;
      this.values = values;
    }

    void set(String key, byte[] value) {
      underWay.add(new UnderWay(key, value, client.set(key, value)));
      if (underWay.size() == AT_ONCE) {
        take();
      }
    }

    void end() {
      while (!underWay.isEmpty()) {
        take();
      }
    }

    private void take() {
      UnderWay oldest = underWay.remove();
      if (CodedClient.await(oldest.status()) == Status.DONE) {
        values.put(oldest.key(), oldest.value());
        refusedInARow = 0;
      } else {
        refused++;
        refusedInARow++;
      }
    }
  }
}
