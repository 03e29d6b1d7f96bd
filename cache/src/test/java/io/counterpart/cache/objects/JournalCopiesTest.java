package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coding.CodeShape;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Journal entries are on n − k + 1 servers, whichever those are. Parity lacks the entries' writes
 * in all of these tests: journals have room for all of them.
 */
@Timeout(180)
class JournalCopiesTest {
  private static final int KEYS = 55;
  private static final int JOURNAL_BYTES = 32 << 20;
  private static final int VALUE_BYTES = 2100;
  private static final int ATTEMPTS = 10;

  /** Longer than a deletion waits on a busy machine, where the lease for it may have lapsed. */
  private static final Duration DELETIONS = Duration.ofSeconds(1);

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void survive_the_proxy_and_any_two_rings(long seed) throws Exception {
    CodeShape code = new CodeShape(5, 3);
    Random random = new Random(seed);
    try (CodedServers servers = servers(10);
        CodedClient client = new CodedClient(code, servers, metadata("first"), JOURNAL_BYTES)) {
      awaitWhole(client, servers);
      Map<String, byte[]> values = write(client, random, key -> true);
      client.fold();
      values.putAll(write(client, random, key -> true));
      assertThat(client.status().journalBytes()).as("seed %d", seed).isPositive();

      client.crash(metadata("second"));
      List<Integer> rings = new ArrayList<>(IntStream.range(0, code.n()).boxed().toList());
      Collections.shuffle(rings, random);
      for (int ring : rings.subList(0, code.parityCount())) {
        servers.kill(ring); // the servers are given to the rings in turn
        servers.kill(ring + code.n());
      }
      client.reopen();

      check(client, values, seed);
    }
  }

  /**
   * Two of three servers with entries come back without them. Then the third is lost with its ring.
   * The stripes in question have data in that ring, and their parity in the rings of the two, on
   * other servers than these: so the restoration of the two has nothing to do in these stripes.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void are_not_needed_once_lost_servers_are_whole_again(long seed) throws Exception {
    CodeShape code = new CodeShape(4, 2);
    Random random = new Random(seed);
    try (CodedServers servers = servers(16);
        CodedClient client = new CodedClient(code, servers, metadata("first"), JOURNAL_BYTES)) {
      Map<String, byte[]> values = new TreeMap<>();
      List<Integer> logs = writeToFewest(client, servers, code, random, values);
      assertThat(logs).as("servers with entries").hasSize(code.parityCount() + 1);
      int last = lastToBeLost(logs, code);

      for (int server : logs) {
        if (server != last) {
          long losses = client.losses();
          servers.kill(server);
          servers.start(server);
          await("its loss is known").until(() -> client.losses() > losses);
          client.awaitRestored(servers.count());
        }
      }
      client.crash(metadata("second"));
      for (int server = 0; server < servers.count(); server++) {
        if (server % code.n() == last % code.n()) {
          servers.kill(server);
        }
      }
      client.reopen();

      check(client, values, seed);
    }
  }

  /**
   * Writes all keys, and tells the servers with entries of all of these writes but the first. Tries
   * again where one of them was late on a busy machine, so that another one got entries too.
   *
   * @param values gets the values
   */
  private static List<Integer> writeToFewest(
      CodedClient client,
      CodedServers servers,
      CodeShape code,
      Random random,
      Map<String, byte[]> values) {
    int copies = code.parityCount() + 1;
    List<Integer> logs = List.of();
    for (int attempt = 0; attempt < ATTEMPTS && logs.size() != copies; attempt++) {
      values.putAll(writeWithoutJournal(client, servers, random));
      long[] before = items(servers);
      values.putAll(write(client, random, key -> true));
      awaitDeletions(servers);
      logs = withEntries(before, items(servers));
      if (logs.size() > copies) {
        // the first write was alone, so that its record's server has its entry
        logs.remove(holder(servers, "key-0"));
      }
    }
    return logs;
  }

  /** Data are in adjacent rings, and so is the parity of two of four. */
  private static int lastToBeLost(List<Integer> logs, CodeShape code) {
    for (int last : logs) {
      int[] others = logs.stream().filter(i -> i != last).mapToInt(i -> i % code.n()).toArray();
      if (Math.floorMod(others[0] - others[1], code.n()) % 2 == 1) {
        return last;
      }
    }
    throw new AssertionError("no two of " + logs + " are in adjacent rings");
  }

  /**
   * Two rings that are down leave two copies of an entry. They miss nothing else, because only
   * objects of the two others are written.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void are_made_up_for_once_rings_are_back(long seed) throws Exception {
    CodeShape code = new CodeShape(4, 2);
    Random random = new Random(seed);
    try (CodedServers servers = servers(4);
        CodedClient client = new CodedClient(code, servers, metadata("first"), JOURNAL_BYTES)) {
      awaitWhole(client, servers);
      Map<String, byte[]> values = write(client, random, key -> true);
      client.fold();
      List<Integer> order = new ArrayList<>(IntStream.range(0, code.n()).boxed().toList());
      Collections.shuffle(order, random);
      List<Integer> away = order.subList(0, code.parityCount());
      List<Integer> kept = order.subList(code.parityCount(), code.n());
      for (int server : away) {
        servers.pause(server);
      }
      await("they are given up").until(() -> client.usable().size() == kept.size());
      values.putAll(write(client, random, key -> kept.contains(CodedClient.ring(key, code))));
      for (int server : away) {
        servers.resume(server);
      }
      client.awaitRestored(servers.count());
      for (int server : away) {
        // otherwise the next start takes it for one that still lacks items
        RawServer raw = new RawServer(servers, server);
        await("its mark").until(() -> raw.mark().endsWith(" whole"));
      }

      client.crash(metadata("second"));
      kept.forEach(servers::kill);
      client.reopen();

      check(client, values, seed);
    }
  }

  /** One that is late for the start of the tier would count as lacking items. */
  private static void awaitWhole(CodedClient client, CodedServers servers) {
    client.awaitRestored(servers.count());
    await("their marks").until(() -> RawServer.areWhole(servers));
  }

  /** Two late servers at once: if one other server took both their items, it would be missed. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void of_late_servers_go_to_different_rings(long seed) throws Exception {
    CodeShape code = new CodeShape(5, 3);
    Random random = new Random(seed);
    try (CodedServers servers = servers(5);
        CodedClient client = new CodedClient(patient(code, servers))) {
      Map<String, byte[]> values = writeWithoutJournal(client, servers, random);
      long[] before = items(servers);
      values.putAll(write(client, random, "key-0"::equals));
      awaitDeletions(servers);
      long[] after = items(servers);
      List<Integer> logs = withEntries(code, before, after);
      Collections.shuffle(logs, random);
      List<Integer> slow = logs.subList(0, 2);
      List<Integer> others = all(servers).filter(i -> !slow.contains(i)).boxed().toList();
      String key = keyOf(others, code);
      for (int server : slow) {
        servers.pause(server);
      }
      values.putAll(write(client, random, key::equals));
      for (int server : others) {
        // a copy that was sent to two servers leaves one of them
        await("seed %d, items of server %d".formatted(seed, server))
            .untilAsserted(() -> assertThat(items(servers, server)).isEqualTo(after[server] + 1));
      }
      for (int server : slow) {
        servers.resume(server);
      }

      client.crash(metadata("second"));
      servers.kill(others.get(0));
      servers.kill(others.get(1));
      client.reopen();

      check(client, values, seed);
    }
  }

  /**
   * All three are late, and two others cannot take all their items. One of the three answers again
   * after its item went elsewhere: it has no copy that counts, and so it may take the third item.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void go_to_a_server_that_was_late_for_another_copy(int back) throws Exception {
    CodeShape code = new CodeShape(5, 3);
    Random random = new Random(back);
    try (CodedServers servers = servers(5);
        CodedClient client = new CodedClient(patient(code, servers))) {
      writeWithoutJournal(client, servers, random);
      long[] before = items(servers);
      write(client, random, "key-0"::equals);
      awaitDeletions(servers);
      long[] after = items(servers);
      List<Integer> logs = withEntries(code, before, after);
      List<Integer> others = all(servers).filter(i -> !logs.contains(i)).boxed().toList();
      String key = keyOf(others, code);
      for (int server : logs) {
        servers.pause(server);
      }
      CompletableFuture<Status> written = client.set(key, new byte[VALUE_BYTES]);
      for (int server : others) {
        await("its copy").until(() -> items(servers, server) == after[server] + 1);
      }

      int answering = logs.get(back);
      servers.resume(answering);

      assertThat(CodedClient.await(written)).isEqualTo(Status.DONE);
      assertThat(items(servers, answering)).isEqualTo(after[answering] + 1);
      for (int server : logs) {
        servers.resume(server);
      }
    }
  }

  /**
   * Late servers are not given up, however slow the machine: their entries would be made up for.
   */
  private CodedSettings patient(CodeShape code, CodedServers servers) {
    return new CodedSettings(
        code,
        servers.ids(),
        metadata("first"),
        JOURNAL_BYTES,
        Duration.ofSeconds(2),
        CodedClient.answeringWithin(Duration.ofSeconds(40)));
  }

  /**
   * Writes all keys; parity has them afterwards, and their journal items are deleted. The servers
   * of a new tier are restored by then: at the end of that, all journals are folded once more.
   */
  private static Map<String, byte[]> writeWithoutJournal(
      CodedClient client, CodedServers servers, Random random) {
    client.awaitRestored(servers.count());
    Map<String, byte[]> values = write(client, random, key -> true);
    client.fold();
    assertThat(client.scrub()).isEmpty();
    awaitDeletions(servers);
    return values;
  }

  /** Waits until servers have deleted what they are to delete, which nothing else waits for. */
  private static void awaitDeletions(CodedServers servers) {
    AtomicReference<long[]> last = new AtomicReference<>(items(servers));
    await()
        .during(DELETIONS)
        .until(
            () -> {
              long[] now = items(servers);
              return Arrays.equals(last.getAndSet(now), now);
            });
  }

  /** A key whose object is in one of these rings. */
  private static String keyOf(List<Integer> rings, CodeShape code) {
    return IntStream.range(0, KEYS)
        .mapToObj(i -> "key-" + i)
        .filter(key -> rings.contains(CodedClient.ring(key, code)))
        .findFirst()
        .orElseThrow();
  }

  /** Servers that have got the journal items of one write between two counts. */
  private static List<Integer> withEntries(CodeShape code, long[] before, long[] after) {
    List<Integer> found = withEntries(before, after);
    assertThat(found).as("servers with entries").hasSize(code.parityCount() + 1);
    return found;
  }

  /** Servers that have got journal items between two counts of {@link #items}. */
  private static List<Integer> withEntries(long[] before, long[] after) {
    return new ArrayList<>(
        IntStream.range(0, after.length).filter(i -> after[i] > before[i]).boxed().toList());
  }

  private static Integer holder(CodedServers servers, String key) {
    return all(servers)
        .filter(i -> !new RawServer(servers, i).record(key).isEmpty())
        .boxed()
        .findFirst()
        .orElseThrow();
  }

  private static IntStream all(CodedServers servers) {
    return IntStream.range(0, servers.count());
  }

  private static long[] items(CodedServers servers) {
    return all(servers).mapToLong(i -> items(servers, i)).toArray();
  }

  private static long items(CodedServers servers, int server) {
    return new RawServer(servers, server).items();
  }

  private static CodedServers servers(int count) throws Exception {
    return new CodedServers(count, "-I", "2m", "-M", "-m", "64");
  }

  private Path metadata(String name) {
    return directory.resolve(name);
  }

  /**
   * Writes the keys of a kind at once, so that only the first is alone; returns their values. The
   * loop waits meanwhile: on a slow machine a write could end before the next one begins.
   */
  private static Map<String, byte[]> write(
      CodedClient client, Random random, Predicate<String> isWritten) {
    CountDownLatch begun = new CountDownLatch(1);
    client.standStill(begun);
    Map<String, byte[]> values = new TreeMap<>();
    List<CompletableFuture<Status>> written = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      String key = "key-" + i;
      if (isWritten.test(key)) {
        byte[] value = new byte[VALUE_BYTES];
        random.nextBytes(value);
        values.put(key, value);
        written.add(client.set(key, value));
      }
    }
    begun.countDown();
    assertThat(written.stream().map(CodedClient::await)).containsOnly(Status.DONE);
    return values;
  }

  private static void check(CodedClient client, Map<String, byte[]> values, long seed) {
    values.forEach(
        (key, value) ->
            assertThat(CodedClient.await(client.get(key)).value())
                .as("seed %d, %s", seed, key)
                .isEqualTo(value));
  }
}
