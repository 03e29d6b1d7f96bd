package io.counterpart.cache.objects;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.ring.ServerId;
import io.counterpart.cache.tier.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An update that is alone: its record leaves with the journal entry, while no other server has a
 * copy of that yet.
 */
@Timeout(180)
class OneFlightTest {
  private static final CodeShape CODE = new CodeShape(5, 3);
  private static final int KEYS = 60;
  private static final int VALUE_BYTES = 1000;
  private static final int JOURNAL_BYTES = 32 << 20;
  private static final int ATTEMPTS = 20;
  private static final int LATE_MILLIS = 500;
  private static final int LOOKS_AT_REST = 10;
  private static final int LOOK_MILLIS = 30;
  private static final long SENT_NANOS = TimeUnit.SECONDS.toNanos(5);

  @TempDir private Path directory;

  private final Map<String, byte[]> values = new TreeMap<>();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void loses_nothing_with_the_proxy_and_two_of_the_others(long seed) throws Exception {
    losesNothing(seed, false);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void loses_nothing_with_the_proxy_and_its_own_server(long seed) throws Exception {
    losesNothing(seed, true);
  }

  /**
   * The proxy dies while only the record's server has entry and record; two servers are lost.
   *
   * @param isHolderLost whether it is one of the two, which are lost before the restart then
   */
  private void losesNothing(long seed, boolean isHolderLost) throws Exception {
    Random random = new Random(seed);
    try (CodedServers servers = servers(64);
        CodedClient client = new CodedClient(patient(servers))) {
      String key = write(client, servers, random);
      int holder = holder(servers, key);
      List<Integer> others = others(servers, holder);
      Collections.shuffle(others, random);
      List<Integer> before = isHolderLost ? List.of(holder, others.get(0)) : List.of();
      List<Integer> after = isHolderLost ? List.of() : others.subList(0, CODE.parityCount());

      byte[] next = updateBesidePaused(client, servers, key, random);
      client.crash(directory.resolve("second"));
      others.forEach(servers::resume);
      before.forEach(servers::kill);
      client.reopen();

      values.put(key, either(client, key, next));
      check(client, seed);
      if (!isHolderLost) {
        client.awaitRestored(servers.count()); // one that was late for the restart is emptied
      }
      after.forEach(servers::kill);
      check(client, seed);
    }
  }

  /** A copy that another server took would have this one deleted, which the record relies on. */
  @Test
  void keeps_the_entry_on_its_own_server_when_that_is_late() throws Exception {
    Random random = new Random(1);
    try (CodedServers servers = servers(64);
        CodedClient client = new CodedClient(patient(servers))) {
      String key = write(client, servers, random);
      int holder = holder(servers, key);
      byte[] next = bytes(random);
      long items = itemsAtRest(servers, holder);

      servers.pause(holder);
      CompletableFuture<Status> update = client.set(key, next);
      Thread.sleep(LATE_MILLIS);
      servers.resume(holder);

      assertThat(CodedClient.await(update)).isEqualTo(Status.DONE);
      values.put(key, next);
      assertThat(new RawServer(servers, holder).items()).isEqualTo(items + 1);
      check(client, 1);
    }
  }

  @Test
  void is_taken_back_when_the_others_have_no_memory_for_the_entry() throws Exception {
    Random random = new Random(1);
    try (CodedServers servers = servers(8);
        HoldingRelay relay = new HoldingRelay(new RawServer(servers, 0).port());
        CodedClient client = new CodedClient(patient(relay.beforeTheFirstOf(servers)))) {
      String key = CodedClient.keyOfRing("key-", 0, CODE);
      write(client, servers, key, random);
      assertThat(holder(servers, key)).as("behind the relay").isZero();
      List<Integer> others = others(servers, 0);
      byte[] next = bytes(random);
      StrangeItems strange =
          new StrangeItems(servers, others.stream().mapToInt(Integer::intValue).toArray());
      strange.fill();

      CompletableFuture<Status> update = client.set(key, next);

      assertThat(CodedClient.await(update)).isEqualTo(Status.OUT_OF_MEMORY);
      assertThat(relay.hasGot(new String(next, ISO_8859_1))).as("its record was sent").isTrue();
      check(client, 1);
      strange.delete();
      client.crash(directory.resolve("second"));
      client.reopen();
      check(client, 1);
      client.fold();
      assertThat(client.scrub()).isEmpty();
      others.subList(0, CODE.parityCount()).forEach(servers::kill);
      check(client, 1);
    }
  }

  /** Writes all keys, folds, and tells one that was updated since. Memory is known then. */
  private String write(CodedClient client, CodedServers servers, Random random) {
    String key = "key-" + random.nextInt(KEYS);
    write(client, servers, key, random);
    return key;
  }

  private void write(CodedClient client, CodedServers servers, String updated, Random random) {
    client.awaitRestored(servers.count());
    for (int i = 0; i < KEYS; i++) {
      set(client, "key-" + i, bytes(random));
    }
    client.foldAll(); // what is left to be deleted leaves with the update at the latest
    set(client, updated, bytes(random));
  }

  private void set(CodedClient client, String key, byte[] value) {
    assertThat(CodedClient.await(client.set(key, value))).isEqualTo(Status.DONE);
    values.put(key, value);
  }

  /**
   * Begins an update while no server but the record's works; tells its value once the record is
   * there. Tries again where a busy machine has let the lease lapse.
   */
  private byte[] updateBesidePaused(
      CodedClient client, CodedServers servers, String key, Random random) {
    int holder = holder(servers, key);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      byte[] next = bytes(random);
      others(servers, holder).forEach(servers::pause);
      CompletableFuture<Status> update = client.set(key, next);
      if (isSent(servers, holder, key, next)) {
        assertThat(update).as("only one server has it").isNotDone();
        return next;
      }
      others(servers, holder).forEach(servers::resume);
      assertThat(CodedClient.await(update)).isEqualTo(Status.DONE);
      values.put(key, next);
    }
    throw new AssertionError("no record is sent in " + ATTEMPTS + " attempts");
  }

  private static boolean isSent(CodedServers servers, int holder, String key, byte[] value) {
    RawServer server = new RawServer(servers, holder);
    String text = new String(value, ISO_8859_1);
    long begunNanos = System.nanoTime();
    while (System.nanoTime() - begunNanos < SENT_NANOS) {
      if (server.record(key).contains(text)) {
        return true;
      }
    }
    return false;
  }

  /** What an object is: the value that was acknowledged, or the next one. */
  private byte[] either(CodedClient client, String key, byte[] next) {
    byte[] value = CodedClient.await(client.get(key)).value();
    assertThat(List.of(values.get(key), next)).anyMatch(known -> Arrays.equals(known, value));
    return value;
  }

  private void check(CodedClient client, long seed) {
    values.forEach(
        (key, value) ->
            assertThat(CodedClient.await(client.get(key)).value())
                .as("seed %d, %s", seed, key)
                .isEqualTo(value));
  }

  private static int holder(CodedServers servers, String key) {
    return IntStream.range(0, servers.count())
        .filter(server -> !new RawServer(servers, server).record(key).isEmpty())
        .findFirst()
        .orElseThrow();
  }

  private static List<Integer> others(CodedServers servers, int server) {
    return new ArrayList<>(
        IntStream.range(0, servers.count()).filter(i -> i != server).boxed().toList());
  }

  private static byte[] bytes(Random random) {
    byte[] bytes = new byte[VALUE_BYTES];
    random.nextBytes(bytes);
    return bytes;
  }

  private static CodedServers servers(int megabytes) throws Exception {
    return new CodedServers(5, "-I", "2m", "-M", "-m", Integer.toString(megabytes));
  }

  /** Servers that stand still for a while are not given up. */
  private CodedSettings patient(CodedServers servers) {
    return patient(servers.ids());
  }

  private CodedSettings patient(List<ServerId> ids) {
    return new CodedSettings(
        CODE,
        ids,
        directory.resolve("first"),
        JOURNAL_BYTES,
        Duration.ofSeconds(2),
        CodedClient.answeringWithin(Duration.ofSeconds(40)));
  }

  /** Items of a server once what a fold leaves to be deleted is gone. */
  private static long itemsAtRest(CodedServers servers, int server) throws Exception {
    RawServer raw = new RawServer(servers, server);
    long items = raw.items();
    for (int same = 0; same < LOOKS_AT_REST; ) {
      Thread.sleep(LOOK_MILLIS);
      long now = raw.items();
      same = now == items ? same + 1 : 0;
      items = now;
    }
    return items;
  }
}
