package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.ring.ServerId;
import io.counterpart.testkit.random.SeededRandom;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Crashes, losses and changes of servers while objects leave a full tier. */
@ExtendWith(SeededRandom.class)
@Timeout(480)
class TroubledFullTierTest extends FullTier {

  @Test
  void crashes_bring_no_wrong_value_and_nothing_that_has_left(Random random) throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 60_000, 8_000).evicting();
    try (CodedServers servers = servers(8);
        CodedClient client = client(servers)) {
      for (int life = 1; life <= 3; life++) {
        model.change(client, life == 1 ? 30_000 : 10_000, AT_ONCE);
        assertThat(client.shard().statistics().evictedObjects().sum())
            .as("life %d", life)
            .isPositive();
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
      model.change(client, 10_000, AT_ONCE);
      model.check(client, "beside the restoration");
      client.awaitRestored(5);
      model.change(client, 10_000, AT_ONCE);
      model.check(client, "restored");
      assertThat(client.scrub()).isEmpty();
    }
  }

  @Test
  void new_objects_fit_while_servers_are_down_and_restored(Random random) throws Exception {
    try (CodedServers servers = servers(8);
        CodedClient client = client(servers)) {
      Map<String, byte[]> values = new HashMap<>();
      assertThat(insert(client, values, random, keys("old-", 0, 25_000), 500)).isZero();

      servers.kill(1);
      assertThat(insert(client, values, random, keys("one-", 0, 10_000), 500))
          .as("refused without one server")
          .isZero();
      servers.kill(3);
      assertThat(insert(client, values, random, keys("two-", 0, 10_000), 500))
          .as("refused without two servers")
          .isZero();
      assertThat(present(client, values, keys("two-", 9_000, 10_000))).isGreaterThan(500);
      servers.start(1);
      servers.start(3);
      assertThat(insert(client, values, random, keys("back-", 0, 10_000), 500))
          .as("refused beside the restoration")
          .isZero();
      client.awaitRestored(5);

      assertThat(insert(client, values, random, keys("new-", 0, 10_000), 500)).isZero();
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
      assertThat(insert(client, values, random, keys("old-", 0, 25_000), 500)).isZero();

      servers.kill(2);

      assertThat(insert(client, values, random, keys("new-", 0, 15_000), 500)).isZero();
      assertThat(present(client, values, pending)).isEqualTo(pending.size());
    }
  }

  @Test
  void servers_join_and_leave_a_full_tier(Random random) throws Exception {
    try (CodedServers servers = servers(8);
        CodedClient client = client(servers)) {
      Map<String, byte[]> values = new HashMap<>();
      assertThat(insert(client, values, random, keys("old-", 0, 25_000), 500)).isZero();
      ServerId sixth = servers.grow();

      CompletableFuture<Void> added = client.scale(shard -> shard.addServers(List.of(sixth)));
      assertThat(insert(client, values, random, keys("added-", 0, 10_000), 500))
          .as("refused while a server joins")
          .isZero();
      CodedClient.await(added);
      insert(client, values, random, keys("with-six-", 0, 15_000), 500);

      CompletableFuture<Void> removed = client.scale(shard -> shard.removeServers(List.of(sixth)));
      assertThat(insert(client, values, random, keys("removed-", 0, 10_000), 500))
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
        assertThat(insert(client, values, random, keys("old-", 0, 40_000), 500)).isZero();
        assertThat(client.shard().statistics().evictedObjects().sum())
            .as("it is full")
            .isPositive();

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
