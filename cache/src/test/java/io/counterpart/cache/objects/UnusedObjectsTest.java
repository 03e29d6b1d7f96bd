package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.coded.parity.CodedStatistics;
import io.counterpart.cache.coded.settings.EvictionRule;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.tier.Status;
import io.counterpart.testkit.random.SeededRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A full tier, on real servers, in which objects that nobody uses leave so that new ones fit. */
@ExtendWith(SeededRandom.class)
@Timeout(240)
class UnusedObjectsTest extends FullTier {
  /** Longer than a write waits for memory otherwise. */
  private static final Duration PAUSE = Duration.ofMillis(2_200);

  @Test
  void a_full_tier_takes_every_new_object_and_keeps_those_in_use(Random random) throws Exception {
    try (CodedServers servers = servers(8);
        CodedClient client = client(servers)) {
      long begunNanos = System.nanoTime();
      Map<String, byte[]> values = new HashMap<>();
      List<String> hot = keys("hot-", 0, 1_000);
      assertThat(insert(client, values, random, hot, 500)).isZero();
      for (int round = 0; round < 12; round++) {
        List<String> cold = keys("cold-", round * 5_000, (round + 1) * 5_000);
        assertThat(insert(client, values, random, cold, 500)).as("refused").isZero();
        present(client, values, hot);
      }

      CodedStatistics statistics = client.shard().statistics();
      assertThat(statistics.evictedObjects().sum()).isGreaterThan(20_000);
      assertThat(statistics.stayed().values()).isPositive();
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begunNanos);
      assertThat(statistics.evictionAgeSeconds().get()).isBetween(0L, seconds);
      assertThat(statistics.evictedSeconds().sum() / statistics.evictedObjects().sum())
          .isBetween(0L, seconds);
      assertThat(statistics.lostObjects().sum()).isZero();
      assertThat(present(client, values, hot)).as("in use").isGreaterThan(950);
      assertThat(present(client, values, keys("cold-", 59_000, 60_000)))
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

      assertThat(insert(client, values, random, keys("new-", 0, 40_000), 500)).isZero();

      assertThat(client.shard().statistics().evictedObjects().sum()).isGreaterThan(10_000);
      assertThat(present(client, values, pending)).isEqualTo(pending.size());

      lacking.clear();
      for (int round = 0; round < 9; round++) {
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
      assertThat(client.shard().statistics().evictedObjects().sum()).isZero();
      assertThat(present(client, values, List.copyOf(values.keySet()))).isEqualTo(taken);

      storeIsBehind.set(false);

      assertThat(insert(client, values, random, keys("new-", 0, taken), 5_000)).isZero();
    }
  }

  @Test
  void sizes_may_shift(Random random) throws Exception {
    try (CodedServers servers = servers(8);
        CodedClient client = client(servers)) {
      Map<String, byte[]> values = new HashMap<>();
      for (int bytes : List.of(100, 10_000, 1_000, 100)) {
        int count = Math.min(25_000, 2 * 5 * (8 << 20) / (bytes + 200));

        int refused = insert(client, values, random, keys(bytes + "-", 0, count), bytes);

        assertThat(refused).as("of %d with %d bytes", count, bytes).isZero();
      }
      present(client, values, List.copyOf(values.keySet()));
      assertThat(client.scrub()).isEmpty();
    }
  }

  /**
   * All older objects are of another size, and nothing that they leave is of use to the new ones:
   * each size keeps its last page. A slow disk takes longer to evict them than a write waits.
   */
  @Test
  void another_size_fits_before_all_older_objects_have_left(Random random) throws Exception {
    try (CodedServers servers = servers(8);
        CodedClient client = onSlowDisk(servers)) {
      Map<String, byte[]> values = new HashMap<>();
      // each server has a page for that size
      assertThat(insert(client, values, random, keys("first-", 0, 100), 3_000)).isZero();
      fill(client, values, random);

      int refused = insert(client, values, random, keys("large-", 0, 1_200), 3_000);

      assertThat(refused).isZero();
      present(client, values, List.copyOf(values.keySet()));
      assertThat(client.scrub()).isEmpty();
    }
  }

  /** While it stands still, nothing becomes free. So a write that waits does so for longer. */
  @Test
  void a_pause_of_the_proxy_refuses_nothing(Random random) throws Exception {
    try (CodedServers servers = servers(8);
        CodedClient client = onSlowDisk(servers)) {
      Map<String, byte[]> values = new HashMap<>();
      fill(client, values, random);
      for (int pause = 0; pause < 3; pause++) {
        List<String> keys = keys("new-%d-".formatted(pause), 0, 1_000);
        CompletableFuture<Integer> refused =
            CompletableFuture.supplyAsync(() -> insert(client, values, random, keys, 700));
        TimeUnit.MILLISECONDS.sleep(300); // by then writes wait for evictions, and these for syncs
        client.standStill(PAUSE);

        assertThat(CodedClient.await(refused)).as("refused").isZero();
      }
    }
  }

  /** A client whose evictions wait for syncs of the metadata. */
  private CodedClient onSlowDisk(CodedServers servers) throws Exception {
    return new CodedClient(
        settings(servers).evicting(EvictionRule.ALL).with(Duration.ofMillis(150)));
  }

  /** Writes objects of one size until some leave. */
  private static void fill(CodedClient client, Map<String, byte[]> values, Random random) {
    for (int first = 0; client.shard().statistics().evictedObjects().sum() == 0; first += 500) {
      List<String> older = keys("older-", first, first + 500);
      assertThat(insert(client, values, random, older, 700)).as("older").isZero();
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
      assertThat(client.shard().statistics().evictedObjects().sum()).isPositive();
      assertThat(client.scrub()).isEmpty();
    }
  }

  @Test
  void all_may_be_deleted_while_objects_leave(Random random) throws Exception {
    try (CodedServers servers = servers(8);
        CodedClient client = client(servers)) {
      Map<String, byte[]> values = new HashMap<>();
      List<String> large = keys("large-", 0, 7_000);
      insert(client, values, random, large, 3_000);
      for (int round = 0; round < 2; round++) {
        present(client, values, large);
        List<CompletableFuture<Status>> writes =
            keys("more-%d-".formatted(round), 0, 2_000).stream()
                .map(key -> client.set(key, new byte[3_000]))
                .toList();
        client.flushAll();
        writes.forEach(CodedClient::await);
        assertThat(present(client, values, large)).isZero();
        List<String> small = keys("small-%d-".formatted(round), 0, 5_000);
        assertThat(insert(client, values, random, small, 40)).isZero();
        assertThat(present(client, values, small)).isEqualTo(small.size());
        insert(client, values, random, large, 3_000);
      }
      assertThat(client.scrub()).isEmpty();
    }
  }

  /** memcached itself frees what was flushed when it needs an item of the same size. */
  @Test
  void nothing_has_to_leave_after_all_was_deleted(Random random) throws Exception {
    try (CodedServers servers = servers(16);
        CodedClient client = client(servers)) {
      Map<String, byte[]> values = new HashMap<>();
      insert(client, values, random, keys("large-", 0, 5_250), 10_000);
      TimeUnit.SECONDS.sleep(3); // flush_all frees the items of the last second by itself
      client.flushAll();
      long evicted = client.shard().statistics().evictedObjects().sum();

      List<String> small = keys("small-", 0, 15_000);
      assertThat(insert(client, values, random, small, 300)).isZero();

      assertThat(client.shard().statistics().evictedObjects().sum()).isEqualTo(evicted);
      assertThat(present(client, values, small)).isEqualTo(small.size());
    }
  }
}
