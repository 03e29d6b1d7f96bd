package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.coded.parity.CodedStatistics;
import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.ring.ServerId;
import io.counterpart.cache.tier.Status;
import io.counterpart.testkit.random.SeededRandom;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A full tier, on real servers, in which objects that nobody uses leave so that new ones fit. */
@ExtendWith(SeededRandom.class)
@Timeout(240)
class EvictionTest {
  private static final CodeShape CODE = new CodeShape(5, 3);
  private static final long JOURNAL = 2 << 20;
  private static final int AT_ONCE = 64;
  private static final Duration START_WAIT = Duration.ofSeconds(2);
  private static final Duration PATIENT = Duration.ofSeconds(10);

  @TempDir private Path directory;

  private static CodedServers servers(int megabytes) throws Exception {
    return new CodedServers(5, "-I", "2m", "-M", "-m", Integer.toString(megabytes));
  }

  private CodedClient client(CodedServers servers) throws Exception {
    return new CodedClient(settings(servers).evicting());
  }

  private CodedSettings settings(CodedServers servers) {
    // a server that is late would count as down: on a busy machine it is not
    return new CodedSettings(
        CODE,
        servers.ids(),
        directory.resolve("life-0"),
        0,
        JOURNAL,
        START_WAIT,
        CodedClient.answeringWithin(PATIENT));
  }

  /** Writes objects, new ones or not; returns how many were refused. */
  private static int insert(
      CodedClient client, Map<String, byte[]> values, Random random, List<String> keys, int bytes) {
    int refused = 0;
    ArrayDeque<CompletableFuture<Status>> underWay = new ArrayDeque<>();
    for (String key : keys) {
      byte[] value = new byte[bytes];
      random.nextBytes(value);
      values.put(key, value);
      underWay.add(client.set(key, value));
      if (underWay.size() == AT_ONCE) {
        refused += CodedClient.await(underWay.remove()) == Status.DONE ? 0 : 1;
      }
    }
    for (CompletableFuture<Status> write : underWay) {
      refused += CodedClient.await(write) == Status.DONE ? 0 : 1;
    }
    return refused;
  }

  private static List<String> keys(String prefix, int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> prefix + i).toList();
  }

  /** Reads all; returns how many were there, each with its value. */
  private static int present(CodedClient client, Map<String, byte[]> values, List<String> keys) {
    int[] found = new int[1];
    SeveralAtOnce.ask(
        keys,
        client::get,
        (key, got) -> {
          if (got.status() == Status.DONE) {
            assertThat(got.value()).as(key).isEqualTo(values.get(key));
            found[0]++;
          } else {
            assertThat(got.status()).as(key).isEqualTo(Status.NOT_FOUND);
          }
        });
    return found[0];
  }

  @Test
  void a_full_tier_takes_every_new_object_and_keeps_those_in_use(Random random) throws Exception {
    try (CodedServers servers = servers(8);
        CodedClient client = client(servers)) {
      long begunNanos = System.nanoTime();
      Map<String, byte[]> values = new HashMap<>();
      List<String> hot = keys("hot-", 0, 1_000);
      assertThat(insert(client, values, random, hot, 500)).isZero();
      for (int round = 0; round < 16; round++) {
        List<String> cold = keys("cold-", round * 5_000, (round + 1) * 5_000);
        assertThat(insert(client, values, random, cold, 500)).as("refused").isZero();
        present(client, values, hot);
      }

      CodedStatistics statistics = client.shard().statistics();
      assertThat(statistics.evictedObjects()).isGreaterThan(20_000);
      assertThat(statistics.stayedObjects()).isPositive();
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begunNanos);
      assertThat(statistics.evictionAgeSeconds()).isBetween(0L, seconds);
      assertThat(statistics.evictedSeconds() / statistics.evictedObjects()).isBetween(0L, seconds);
      assertThat(statistics.lostObjects()).isZero();
      assertThat(present(client, values, hot)).as("in use").isGreaterThan(950);
      assertThat(present(client, values, keys("cold-", 79_000, 80_000)))
          .as("new ones")
          .isGreaterThan(500);
      long objects = client.status().objects();
      assertThat(present(client, values, List.copyOf(values.keySet()))).isEqualTo((int) objects);
      assertThat(client.scrub()).isEmpty();

      servers.kill(0);
      servers.kill(1);
      assertThat(present(client, values, List.copyOf(values.keySet()))).isEqualTo((int) objects);
    }
  }

  /** With write-behind the store lacks the last changes of some objects for a while. */
  @Test
  void what_only_memory_has_stays(Random random) throws Exception {
    Set<Key> lacking = ConcurrentHashMap.newKeySet();
    try (CodedServers servers = servers(8);
        CodedClient client =
            new CodedClient(settings(servers).evicting(key -> !lacking.contains(key)))) {
      Map<String, byte[]> values = new HashMap<>();
      List<String> pending = keys("pending-", 0, 3_000);
      pending.forEach(key -> lacking.add(Key.of(key)));
      assertThat(insert(client, values, random, pending, 500)).isZero();

      assertThat(insert(client, values, random, keys("new-", 0, 60_000), 500)).isZero();

      assertThat(client.shard().statistics().evictedObjects()).isGreaterThan(10_000);
      assertThat(present(client, values, pending)).isEqualTo(pending.size());

      lacking.clear();
      for (int round = 0; round < 12; round++) {
        List<String> used = keys("used-", round * 5_000, (round + 1) * 5_000);
        assertThat(insert(client, values, random, used, 500)).isZero();
        present(client, values, used); // the hand passes them, and comes to those that were pending
      }

      assertThat(present(client, values, pending)).isLessThan(pending.size());
      assertThat(client.scrub()).isEmpty();
    }
  }

  /** New objects are refused then, and taken again once the store has caught up. */
  @Test
  void a_tier_full_of_what_only_memory_has_refuses(Random random) throws Exception {
    AtomicBoolean storeIsBehind = new AtomicBoolean(true);
    try (CodedServers servers = servers(8);
        CodedClient client =
            new CodedClient(settings(servers).evicting(key -> !storeIsBehind.get()))) {
      Map<String, byte[]> values = new HashMap<>();
      int taken = 0;
      while (CodedClient.await(client.set("key-" + taken, new byte[5_000])) == Status.DONE) {
        values.put("key-" + taken, new byte[5_000]);
        taken++;
      }
      assertThat(client.shard().statistics().evictedObjects()).isZero();
      assertThat(present(client, values, List.copyOf(values.keySet()))).isEqualTo(taken);

      storeIsBehind.set(false);

      assertThat(insert(client, values, random, keys("new-", 0, taken), 5_000)).isZero();
    }
  }

  @Test
  void sizes_may_shift(Random random) throws Exception {
    try (CodedServers servers = servers(16);
        CodedClient client = client(servers)) {
      Map<String, byte[]> values = new HashMap<>();
      for (int bytes : List.of(100, 10_000, 1_000, 100)) {
        int count = Math.min(60_000, 2 * 5 * (16 << 20) / (bytes + 200));

        int refused = insert(client, values, random, keys(bytes + "-", 0, count), bytes);

        assertThat(refused).as("of %d with %d bytes", count, bytes).isZero();
      }
      present(client, values, List.copyOf(values.keySet()));
      assertThat(client.scrub()).isEmpty();
    }
  }

  /** An object that grows holds its key's lock while it waits for memory. */
  @Test
  void objects_in_use_may_grow_and_shrink(Random random) throws Exception {
    try (CodedServers servers = servers(8);
        CodedClient client = client(servers)) {
      Map<String, byte[]> values = new HashMap<>();
      List<String> hot = keys("hot-", 0, 3_000);
      for (int bytes : List.of(300, 2_000, 50, 3_000, 700)) {
        assertThat(insert(client, values, random, hot, bytes)).as("to %d", bytes).isZero();
        present(client, values, hot);
        // the tier holds about 5,000: more without a read would drop the objects in use too
        for (int first = 0; first < 10_000; first += 2_500) {
          List<String> cold = keys("cold-%d-".formatted(bytes), first, first + 2_500);
          assertThat(insert(client, values, random, cold, 700)).as("beside %d", bytes).isZero();
          assertThat(present(client, values, hot)).isPositive();
        }
      }
      assertThat(client.shard().statistics().evictedObjects()).isPositive();
      assertThat(client.scrub()).isEmpty();
    }
  }

  @Test
  void all_may_be_deleted_while_objects_leave(Random random) throws Exception {
    try (CodedServers servers = servers(16);
        CodedClient client = client(servers)) {
      Map<String, byte[]> values = new HashMap<>();
      List<String> large = keys("large-", 0, 40_000);
      insert(client, values, random, large, 1_000);
      for (int round = 0; round < 5; round++) {
        present(client, values, large);
        List<CompletableFuture<Status>> writes =
            keys("more-%d-".formatted(round), 0, 2_000).stream()
                .map(key -> client.set(key, new byte[1_000]))
                .toList();
        client.flushAll();
        writes.forEach(CodedClient::await);
        assertThat(present(client, values, large)).isZero();
        List<String> small = keys("small-%d-".formatted(round), 0, 5_000);
        assertThat(insert(client, values, random, small, 40)).isZero();
        assertThat(present(client, values, small)).isEqualTo(small.size());
        insert(client, values, random, large, 1_000);
      }
      assertThat(client.scrub()).isEmpty();
    }
  }

  /** memcached itself frees what was flushed when it needs an item of the same size. */
  @Test
  void nothing_has_to_leave_after_all_was_deleted(Random random) throws Exception {
    try (CodedServers servers = servers(32);
        CodedClient client = client(servers)) {
      Map<String, byte[]> values = new HashMap<>();
      insert(client, values, random, keys("large-", 0, 12_000), 10_000);
      TimeUnit.SECONDS.sleep(3); // flush_all frees the items of the last second by itself
      client.flushAll();
      long evicted = client.shard().statistics().evictedObjects();

      List<String> small = keys("small-", 0, 40_000);
      assertThat(insert(client, values, random, small, 300)).isZero();

      assertThat(client.shard().statistics().evictedObjects()).isEqualTo(evicted);
      assertThat(present(client, values, small)).isEqualTo(small.size());
    }
  }

  @Test
  void crashes_bring_no_wrong_value_and_nothing_that_has_left(Random random) throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 60_000, 8_000).evicting();
    try (CodedServers servers = servers(8);
        CodedClient client = client(servers)) {
      for (int life = 1; life <= 4; life++) {
        model.change(client, 40_000, AT_ONCE);
        assertThat(client.shard().statistics().evictedObjects()).as("life %d", life).isPositive();
        model.changeWithoutWaiting(client, 200);
        Path next = directory.resolve("life-" + life);
        if (life % 2 == 0) {
          client.losePowerAndReopen(next, random);
        } else {
          client.crashAndReopen(next);
        }
        model.check(client, "life " + life);
        assertThat(client.scrub()).as("life %d", life).isEmpty();
      }
    }
  }

  @Test
  void servers_may_be_lost_while_objects_leave(Random random) throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 60_000, 8_000).evicting();
    try (CodedServers servers = servers(8);
        CodedClient client = client(servers)) {
      model.change(client, 40_000, AT_ONCE);
      model.changeWithoutWaiting(client, 400);
      servers.kill(1);
      model.change(client, 10_000, AT_ONCE);
      model.check(client, "a server is lost");
      model.changeWithoutWaiting(client, 200);
      servers.kill(3);
      model.change(client, 10_000, AT_ONCE);
      model.check(client, "two servers are lost");
      servers.start(1);
      model.change(client, 5_000, AT_ONCE);
      servers.start(3);
      model.change(client, 20_000, AT_ONCE);
      model.check(client, "beside the restoration");
      client.awaitRestored(5);
      model.change(client, 20_000, AT_ONCE);
      model.check(client, "restored");
      assertThat(client.scrub()).isEmpty();
    }
  }

  @Test
  void new_objects_fit_while_servers_are_down_and_restored(Random random) throws Exception {
    try (CodedServers servers = servers(8);
        CodedClient client = client(servers)) {
      Map<String, byte[]> values = new HashMap<>();
      assertThat(insert(client, values, random, keys("old-", 0, 40_000), 500)).isZero();

      servers.kill(1);
      assertThat(insert(client, values, random, keys("one-", 0, 20_000), 500))
          .as("refused without one server")
          .isZero();
      servers.kill(3);
      assertThat(insert(client, values, random, keys("two-", 0, 20_000), 500))
          .as("refused without two servers")
          .isZero();
      assertThat(present(client, values, keys("two-", 19_000, 20_000))).isGreaterThan(500);
      servers.start(1);
      servers.start(3);
      assertThat(insert(client, values, random, keys("back-", 0, 20_000), 500))
          .as("refused beside the restoration")
          .isZero();
      client.awaitRestored(5);

      assertThat(insert(client, values, random, keys("new-", 0, 20_000), 500)).isZero();
      present(client, values, List.copyOf(values.keySet()));
      assertThat(client.scrub()).isEmpty();
    }
  }

  @Test
  void what_only_memory_has_stays_while_a_server_is_down(Random random) throws Exception {
    Set<Key> lacking = ConcurrentHashMap.newKeySet();
    try (CodedServers servers = servers(8);
        CodedClient client =
            new CodedClient(settings(servers).evicting(key -> !lacking.contains(key)))) {
      Map<String, byte[]> values = new HashMap<>();
      List<String> pending = keys("pending-", 0, 1_000);
      pending.forEach(key -> lacking.add(Key.of(key)));
      assertThat(insert(client, values, random, pending, 500)).isZero();
      assertThat(insert(client, values, random, keys("old-", 0, 40_000), 500)).isZero();

      servers.kill(2);

      assertThat(insert(client, values, random, keys("new-", 0, 40_000), 500)).isZero();
      assertThat(present(client, values, pending)).isEqualTo(pending.size());
    }
  }

  @Test
  void servers_join_and_leave_a_full_tier(Random random) throws Exception {
    try (CodedServers servers = servers(8);
        CodedClient client = client(servers)) {
      Map<String, byte[]> values = new HashMap<>();
      assertThat(insert(client, values, random, keys("old-", 0, 40_000), 500)).isZero();
      ServerId sixth = servers.grow();

      CompletableFuture<Void> added = client.scale(shard -> shard.addServers(List.of(sixth)));
      assertThat(insert(client, values, random, keys("added-", 0, 20_000), 500))
          .as("refused while a server joins")
          .isZero();
      CodedClient.await(added);
      insert(client, values, random, keys("with-six-", 0, 20_000), 500);

      CompletableFuture<Void> removed = client.scale(shard -> shard.removeServers(List.of(sixth)));
      assertThat(insert(client, values, random, keys("removed-", 0, 20_000), 500))
          .as("refused while a server leaves")
          .isZero();
      CodedClient.await(removed);

      present(client, values, List.copyOf(values.keySet()));
      assertThat(client.scrub()).isEmpty();
    }
  }

  /** Nobody writes, so only the move itself asks for room. */
  @Test
  void a_server_leaves_a_full_tier_that_nobody_writes(Random random) throws Exception {
    try (CodedServers servers = servers(8)) {
      ServerId sixth = servers.grow();
      try (CodedClient client = client(servers)) {
        Map<String, byte[]> values = new HashMap<>();
        assertThat(insert(client, values, random, keys("old-", 0, 60_000), 500)).isZero();

        CodedClient.await(client.scale(shard -> shard.removeServers(List.of(sixth))));

        present(client, values, List.copyOf(values.keySet()));
        assertThat(client.scrub()).isEmpty();
      }
    }
  }

  @Test
  void crashes_without_a_server_bring_nothing_back(Random random) throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 60_000, 8_000).evicting();
    try (CodedServers servers = servers(8);
        CodedClient client = client(servers)) {
      model.change(client, 40_000, AT_ONCE);
      for (int life = 1; life <= 2; life++) {
        int lost = random.nextInt(5);
        servers.kill(lost);
        model.change(client, 10_000, AT_ONCE);
        model.changeWithoutWaiting(client, 200);
        client.losePowerAndReopen(directory.resolve("life-" + life), random);
        model.change(client, 10_000, AT_ONCE);
        servers.start(lost);
        client.awaitRestored(5);
        model.check(client, "life " + life);
        assertThat(client.scrub()).as("life %d", life).isEmpty();
      }
    }
  }
}
