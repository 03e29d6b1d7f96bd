package io.counterpart.cache.objects;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.coded.CodedStatus;
import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.ring.ServerId;
import io.counterpart.cache.tier.Status;
import io.counterpart.testkit.random.SeededRandom;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Emptying of sparse stripes that deletions leave, on real servers. */
@ExtendWith(SeededRandom.class)
@Timeout(120)
class StripeCompactionTest {
  private static final CodeShape CODE = new CodeShape(5, 3);
  private static final String[] OPTIONS = {"-I", "2m", "-M", "-m", "64"};
  private static final long SMALL_JOURNAL = 256 << 10;
  private static final int VALUE_BYTES = 100;

  /** Of one slot a chunk: a stripe that gets an object has no other one of that ring. */
  private static final int LARGE_BYTES = 3000;

  /** The records' keys have a space, so they are sent in base64; the other one is none. */
  private static final String RECORD = "ms a2V5ID";

  private static final String NO_KEY = "ms !!!!!!";

  /** Parity's keys in base64. */
  private static final String PARITY = "ms AB9jUA";

  /** Emptying may pause for a second and go on. */
  private static final int QUIET_SECONDS = 3;

  @TempDir private Path directory;

  @Test
  void sparse_stripes_give_their_memory_back(Random random) throws Exception {
    try (CodedServers servers = new CodedServers(5, OPTIONS);
        CodedClient client = new CodedClient(settings(servers, "metadata"))) {
      Map<String, byte[]> values = fill(client, 6000, random);
      client.fold();
      CodedStatus full = client.status();
      long fullBytes = bytes(servers);
      Map<String, Long> versions = versions(client, values);

      deleteSome(client, values, 70, random);
      awaitRest(client);
      client.fold();

      CodedStatus after = client.status();
      assertThat(after.objects()).isEqualTo(values.size());
      assertThat(2 * after.objects()).as("of %d slots", after.slots()).isGreaterThan(after.slots());
      assertThat(stripes(after)).isLessThan(stripes(full) * 45 / 100);
      assertThat(bytes(servers)).isLessThan(fullBytes * 45 / 100);
      assertThat(client.shard().statistics().emptiedStripes().sum())
          .isGreaterThan(stripes(full) / 4);
      assertThat(client.scrub()).isEmpty();
      versions.keySet().retainAll(values.keySet());
      assertThat(versions(client, values)).isEqualTo(versions);
      check(client, values, 6000);

      servers.kill(0);
      servers.kill(1);
      check(client, values, 6000);
    }
  }

  @Test
  void nothing_moves_while_a_ring_is_down(Random random) throws Exception {
    try (CodedServers servers = new CodedServers(5, OPTIONS);
        CodedClient client = new CodedClient(settings(servers, "metadata"))) {
      Map<String, byte[]> values = fill(client, 1000, random);
      client.fold();
      servers.kill(2);
      await("the loss is noticed").until(() -> client.usable().size() == 4);
      deleteSome(client, values, 80, random);

      await("nothing moves")
          .during(Duration.ofSeconds(1))
          .until(() -> client.shard().statistics().movedWithinClass().values() == 0);

      servers.start(2);
      await("stripes are emptied")
          .atMost(Duration.ofSeconds(40))
          .until(() -> client.shard().statistics().emptiedStripes().sum() > 0);
      check(client, values, 1000);
    }
  }

  @Test
  void values_outlive_crashes_while_stripes_are_emptied(Random random) throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 1500, 300);
    try (CodedServers servers = new CodedServers(6, OPTIONS);
        CodedClient client = new CodedClient(settings(servers, "life-0"))) {
      for (int life = 1; life <= 4; life++) {
        model.change(client, 2500, 64);
        client.fold();
        model.thin(client, 75, 64);
        awaitMoves(client);
        Thread.sleep(random.nextInt(30));
        model.changeWithoutWaiting(client, 40);
        boolean killed = life % 2 == 0;
        int first = random.nextInt(6);
        int second = (first + 1 + random.nextInt(5)) % 6;
        if (killed) {
          servers.kill(first);
          servers.kill(second);
        }
        client.crashAndReopen(directory.resolve("life-" + life));
        model.check(client, "life " + life);
        if (killed) {
          servers.start(first);
          servers.start(second);
          client.awaitRestored(servers.count());
          model.check(client, "life %d restored".formatted(life));
        }
        assertThat(client.scrub()).as("life %d", life).isEmpty();
      }
    }
  }

  /** The record of a moved object is unchanged, so it must not be lost with its new slot. */
  @Test
  void values_outlive_power_and_servers_while_stripes_are_emptied(Random random) throws Exception {
    outlivePowerAndServers(random, 4);
  }

  /** With this seed a move is cut off into a stripe whose parity servers are lost as well. */
  @Test
  void a_move_that_is_cut_off_beside_lost_parity_leaves_parity_right() throws Exception {
    outlivePowerAndServers(new Random(8247255027540409344L), 1);
  }

  private void outlivePowerAndServers(Random random, int lives) throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 1500, 300);
    try (CodedServers servers = new CodedServers(5, OPTIONS);
        CodedClient client =
            new CodedClient(
                CodedClient.settings(CODE, servers, directory.resolve("life-0"), 16 << 20)
                    .with(Duration.ofMillis(300)))) {
      for (int life = 1; life <= lives; life++) {
        model.change(client, 2500, 64);
        client.fold();
        model.thin(client, 75, 64);
        awaitDurable(client);
        awaitMoves(client);
        int first = random.nextInt(5);
        int second = (first + 1 + random.nextInt(4)) % 5;
        servers.kill(first);
        servers.kill(second);
        client.losePowerAndReopen(directory.resolve("life-" + life), random);
        model.check(client, "life " + life);
        servers.start(first);
        servers.start(second);
        client.awaitRestored(servers.count());
        assertThat(client.scrub()).as("life %d", life).isEmpty();
      }
    }
  }

  /** The server takes no records, as one that is full, and objects move meanwhile. */
  @Test
  void objects_that_move_without_their_record_are_restored(Random random) throws Exception {
    try (CodedServers servers = new CodedServers(5, OPTIONS);
        HoldingRelay relay = new HoldingRelay(new RawServer(servers, 0).port());
        CodedClient client =
            new CodedClient(
                relay.settings(
                    servers, directory.resolve("metadata"), SMALL_JOURNAL, CodedClient.QUICK))) {
      Map<String, byte[]> values = new TreeMap<>();
      for (int i = 0; i < 600; i++) {
        byte[] value = new byte[LARGE_BYTES];
        random.nextBytes(value);
        values.put("key " + i, value);
      }
      SeveralAtOnce.ask(
          values.keySet(),
          key -> client.set(key, values.get(key)),
          (key, status) -> assertThat(status).isEqualTo(Status.DONE));
      client.fold();
      relay.replace(RECORD, NO_KEY);
      long losses = client.losses();
      servers.kill(0);
      servers.start(0);
      await("its loss is known").until(() -> client.losses() > losses);

      Predicate<String> isItsOwn = key -> CodedClient.ring(key, CODE) == 0;
      deleteSome(client, values, 70, random, isItsOwn); // no stripe is sparse yet
      long lacking = values.keySet().stream().filter(isItsOwn).count();
      await("only stripes of objects that it lacks are visited again")
          .during(Duration.ofSeconds(3))
          .atMost(Duration.ofSeconds(40))
          .until(
              () ->
                  client.usable().size() == 5
                      && client.toRestore() == 1
                      && client.status().stripesToRestore() <= lacking);
      deleteSome(client, values, 70, random, isItsOwn.negate());
      awaitRest(client);
      relay.replace("", "");

      client.awaitRestored(5);
      assertThat(client.scrub()).isEmpty();
      servers.kill(1);
      servers.kill(2);
      assertThat(SeveralAtOnce.wrong(client, values)).isEmpty();
    }
  }

  /** Its server had it when the move began. */
  @Test
  void an_object_whose_server_is_emptied_while_it_moves_is_restored() throws Exception {
    try (CodedServers servers = new CodedServers(5, OPTIONS);
        HoldingRelay first = new HoldingRelay(new RawServer(servers, 0).port());
        HoldingRelay last = new HoldingRelay(new RawServer(servers, 4).port())) {
      List<ServerId> ids = new ArrayList<>(servers.ids());
      ids.set(0, first.id());
      ids.set(4, last.id());
      try (CodedClient client =
          new CodedClient(
              new CodedSettings(
                  CODE,
                  ids,
                  directory.resolve("metadata"),
                  1 << 20,
                  Duration.ofSeconds(2),
                  CodedClient.answeringWithin(Duration.ofSeconds(20))))) {
        // stripe 0: data in the rings 0 to 2; stripe 1: in 3, 4 and 0
        String moved = key("moved-", 0);
        List<String> besides = List.of(key("b-", 1), key("c-", 2));
        String other = key("d-", 3);
        String sameRing = key("a-", 0);
        for (String key :
            List.of(moved, besides.get(0), besides.get(1), other, key("e-", 4), sameRing)) {
          assertThat(CodedClient.await(client.set(key, new byte[LARGE_BYTES])))
              .isEqualTo(Status.DONE);
        }
        client.foldAll();
        SeveralAtOnce.delete(client, besides);
        last.hold(PARITY); // of stripe 0: the fold stays in the stripe
        CompletableFuture<Boolean> fold =
            client.call(done -> client.shard().fold(() -> done.complete(true)));
        last.holds().get(40, TimeUnit.SECONDS);
        SeveralAtOnce.delete(client, List.of(sameRing, other));
        await("it is to move").until(() -> first.hasGot("mg " + moved + " "));
        CodedClient.await(client.get(moved)); // the answer before is there, too
        long losses = client.losses();
        servers.kill(0);
        servers.start(0);
        await("only stripe 0 is left")
            .atMost(Duration.ofSeconds(40))
            .until(
                () ->
                    client.losses() > losses
                        && client.toRestore() == 1
                        && client.status().stripesToRestore() == 1);
        last.release();
        CodedClient.await(fold);
        client.awaitRestored(5);

        assertThat(new RawServer(servers, 0).record(moved)).isNotEmpty();
        servers.kill(1);
        servers.kill(2);
        assertThat(CodedClient.await(client.get(moved)).status()).isEqualTo(Status.DONE);
      }
    }
  }

  private static String key(String prefix, int ring) {
    return CodedClient.keyOfRing(prefix, ring, CODE);
  }

  private static Map<String, byte[]> fill(CodedClient client, int keys, Random random) {
    Map<String, byte[]> values = new TreeMap<>();
    ArrayDeque<CompletableFuture<Status>> underWay = new ArrayDeque<>();
    for (int i = 0; i < keys; i++) {
      byte[] value = new byte[VALUE_BYTES];
      random.nextBytes(value);
      values.put("key-" + i, value);
      underWay.add(client.set("key-" + i, value));
      if (underWay.size() == 64) {
        assertThat(CodedClient.await(underWay.remove())).isEqualTo(Status.DONE);
      }
    }
    underWay.forEach(write -> assertThat(CodedClient.await(write)).isEqualTo(Status.DONE));
    return values;
  }

  private static void deleteSome(
      CodedClient client, Map<String, byte[]> values, int percent, Random random) {
    deleteSome(client, values, percent, random, key -> true);
  }

  private static void deleteSome(
      CodedClient client,
      Map<String, byte[]> values,
      int percent,
      Random random,
      Predicate<String> which) {
    List<String> deleted =
        values.keySet().stream()
            .filter(key -> which.test(key) && random.nextInt(100) < percent)
            .toList();
    SeveralAtOnce.delete(client, deleted);
    deleted.forEach(values::remove);
  }

  private static void check(CodedClient client, Map<String, byte[]> values, int keys) {
    SeveralAtOnce.ask(
        IntStream.range(0, keys).mapToObj(i -> "key-" + i).toList(),
        client::get,
        (key, got) -> {
          byte[] expected = values.get(key);
          assertThat(got.status()).isEqualTo(expected == null ? Status.NOT_FOUND : Status.DONE);
          if (expected != null) {
            assertThat(got.value()).isEqualTo(expected);
          }
        });
  }

  private static Map<String, Long> versions(CodedClient client, Map<String, byte[]> values) {
    Map<String, Long> versions = new TreeMap<>();
    SeveralAtOnce.ask(values.keySet(), client::version, versions::put);
    return versions;
  }

  private static int stripes(CodedStatus status) {
    return status.openStripes() + status.sealedStripes();
  }

  /** Item bytes on all servers. */
  private static long bytes(CodedServers servers) {
    long sum = 0;
    for (int i = 0; i < servers.count(); i++) {
      String stats =
          new String(servers.answers(i, "stats\r\nquit\r\n".getBytes(US_ASCII)), US_ASCII);
      sum +=
          stats
              .lines()
              .filter(line -> line.startsWith("STAT bytes "))
              .mapToLong(line -> Long.parseLong(line.substring("STAT bytes ".length())))
              .sum();
    }
    return sum;
  }

  /** Waits until no acknowledged write can be lost with the power. */
  private static void awaitDurable(CodedClient client) throws IOException {
    long end = PowerLoss.end(client.settings().metadata());
    await("what was acknowledged is durable")
        .pollInterval(Duration.ofMillis(10))
        .until(
            () ->
                CodedClient.await(
                    client.<Boolean>call(
                        done -> done.complete(client.shard().durableMetadata() >= end))));
  }

  private static void awaitMoves(CodedClient client) {
    await("objects move")
        .atMost(Duration.ofSeconds(40))
        .pollInterval(Duration.ofMillis(1))
        .until(() -> client.shard().statistics().movedWithinClass().values() > 0);
  }

  /** Waits until stripes have been emptied, and nothing moves any more. */
  private static void awaitRest(CodedClient client) {
    awaitMoves(client);
    long[] last = new long[1];
    int[] equal = new int[1];
    await("nothing moves any more")
        .atMost(Duration.ofSeconds(40))
        .pollInterval(Duration.ofSeconds(1))
        .until(
            () -> {
              long before = last[0];
              last[0] = client.shard().statistics().movedWithinClass().values();
              equal[0] = last[0] == before ? equal[0] + 1 : 0;
              return equal[0] == QUIET_SECONDS;
            });
  }

  private CodedSettings settings(CodedServers servers, String name) {
    return CodedClient.settings(CODE, servers, directory.resolve(name), SMALL_JOURNAL);
  }
}
