package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.ring.ServerId;
import io.counterpart.testkit.random.SeededRandom;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Acknowledged values survive faults of real servers and of the proxy, checked against a model. */
@ExtendWith(SeededRandom.class)
@Timeout(120)
class EchashFaultsTest {
  private static final CodeShape CODE = new CodeShape(5, 3);
  private static final String[] OPTIONS = {"-I", "2m", "-M", "-m", "64"};
  private static final long SMALL_JOURNAL = 256 << 10;

  @TempDir private Path directory;

  @Test
  void values_outlive_as_many_servers_as_the_code_bears(Random random) throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 400, 5000);
    try (CodedServers servers = new CodedServers(7, OPTIONS);
        CodedClient client = new CodedClient(settings(servers, "metadata"))) {
      model.change(client, 3000, 16);
      model.check(client, "healthy");
      client.fold();
      model.check(client, "folded");

      servers.kill(0);
      servers.kill(1);
      model.check(client, "two rings down");
      model.change(client, 1500, 16);
      model.check(client, "written with two rings down");

      servers.start(0);
      servers.start(1);
      client.awaitRestored(servers.count());
      assertThat(client.scrub()).isEmpty();
      model.check(client, "restored");

      servers.kill(2);
      servers.kill(3);
      model.check(client, "two others down");
      model.change(client, 500, 16);
      servers.start(2);
      servers.start(3);
      client.awaitRestored(servers.count());
      model.check(client, "restored again");
    }
  }

  @Test
  void values_outlive_the_proxy_at_any_moment(Random random) throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 200, 3000);
    try (CodedServers servers = new CodedServers(5, OPTIONS);
        CodedClient client = new CodedClient(settings(servers, "life-0"))) {
      for (int life = 1; life <= 8; life++) {
        model.change(client, 300, 16);
        model.changeWithoutWaiting(client, 60);
        Thread.sleep(random.nextInt(3));
        client.crashAndReopen(directory.resolve("life-" + life));
        model.check(client, "life " + life);
        assertThat(client.scrub()).as("life %d", life).isEmpty();
      }
    }
  }

  @Test
  void values_outlive_the_proxy_and_servers_at_once(Random random) throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 200, 3000);
    try (CodedServers servers = new CodedServers(6, OPTIONS);
        CodedClient client = new CodedClient(settings(servers, "life-0"))) {
      for (int life = 1; life <= 3; life++) {
        model.change(client, 400, 16);
        model.changeWithoutWaiting(client, 60);
        int first = random.nextInt(5);
        int second = (first + 1 + random.nextInt(4)) % 5;
        servers.kill(first);
        servers.kill(second);
        client.crashAndReopen(directory.resolve("life-" + life));
        model.check(client, "life %d without %d and %d".formatted(life, first, second));
        model.change(client, 100, 16);
        servers.start(first);
        servers.start(second);
        client.awaitRestored(servers.count());
        model.check(client, "life %d restored".formatted(life));
        assertThat(client.scrub()).as("life %d restored", life).isEmpty();
      }
    }
  }

  /**
   * With these seeds, a crash interrupts the move of an object to another class. The restart
   * abandons its insert. The object is deleted, and a second crash comes before the journals are
   * dropped: the object must not reappear in its intended place.
   */
  @ParameterizedTest
  @ValueSource(longs = {1012, 2007})
  void an_insert_that_was_given_up_stays_so(long seed) throws Exception {
    values_outlive_the_proxy_and_servers_at_once(new Random(seed));
  }

  @Test
  void a_server_that_was_stopped_comes_back_without_its_old_data(Random random) throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 200, 1000);
    try (CodedServers servers = new CodedServers(5, OPTIONS);
        CodedClient client = new CodedClient(settings(servers, "metadata"))) {
      model.change(client, 1000, 16);
      servers.pause(1);
      model.change(client, 500, 16);
      model.check(client, "one stopped");
      servers.resume(1);
      client.awaitRestored(servers.count());
      model.check(client, "it came back");
      servers.kill(3);
      servers.kill(4);
      model.check(client, "two others down");
    }
  }

  @Test
  void values_stay_while_servers_are_added_and_removed(Random random) throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 600, 2000);
    try (CodedServers servers = new CodedServers(6, OPTIONS);
        CodedClient client = new CodedClient(settings(servers, "metadata"))) {
      model.change(client, 2500, 16);
      List<ServerId> added = List.of(servers.grow(), servers.grow(), servers.grow());
      CompletableFuture<Void> adding = client.scale(shard -> shard.addServers(added));
      while (!adding.isDone()) {
        model.change(client, 50, 16);
        model.check(client, "while servers are added");
      }
      CodedClient.await(adding);
      model.check(client, "three added");
      assertThat(client.scrub()).isEmpty();
      client.awaitRestored(9);

      List<ServerId> removed = List.of(servers.id(0), servers.id(7));
      CompletableFuture<Void> removing = client.scale(shard -> shard.removeServers(removed));
      while (!removing.isDone()) {
        model.change(client, 50, 16);
        model.check(client, "while servers are removed");
      }
      CodedClient.await(removing);
      servers.kill(0);
      servers.kill(7);
      model.check(client, "two removed");
      assertThat(client.scrub()).isEmpty();
      servers.kill(1);
      servers.kill(2);
      model.check(client, "two others killed");
    }
  }

  @Test
  void a_change_of_servers_goes_on_after_a_crash(Random random) throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 600, 2000);
    try (CodedServers servers = new CodedServers(6, OPTIONS);
        CodedClient client = new CodedClient(settings(servers, "life-0"))) {
      model.change(client, 2500, 16);
      ServerId added = servers.grow();
      client.scale(shard -> shard.addServers(List.of(added)));
      await("the wave has begun").until(() -> client.usable().size() == 7);
      model.changeWithoutWaiting(client, 40);
      client.crashAndReopen(directory.resolve("life-1"));
      model.check(client, "opened again");
      assertThat(client.scrub()).isEmpty();
      await("the change ends").until(() -> !client.isScaling());
      assertThat(client.scrub()).isEmpty();
      model.change(client, 500, 16);
      servers.kill(0);
      servers.kill(1);
      model.check(client, "two others killed");
    }
  }

  @Test
  void a_removal_of_servers_goes_on_after_a_crash_between_its_waves(Random random)
      throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 600, 2000);
    try (CodedServers servers = new CodedServers(10, OPTIONS);
        CodedClient client = new CodedClient(settings(servers, "life-0"))) {
      model.change(client, 2500, 16);
      // of three rings: those of two leave in the first wave
      List<ServerId> removed = List.of(servers.id(0), servers.id(1), servers.id(2));
      client.scale(shard -> shard.removeServers(removed));
      await("the second wave has begun")
          .pollInterval(Duration.ofMillis(1))
          .until(() -> !client.hasInRing(removed.get(2)));
      client.crashAndReopen(directory.resolve("life-1"));
      assertThat(client.scrub()).isEmpty();
      model.check(client, "opened again");
      await("the change ends").until(() -> !client.isScaling());
      assertThat(client.scrub()).isEmpty();
      removed.forEach(server -> servers.kill(removed.indexOf(server)));
      servers.kill(3);
      servers.kill(4);
      model.check(client, "two others killed");
    }
  }

  @Test
  void a_proxy_that_stood_still_gives_no_server_up(Random random) throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 200, 1000);
    try (CodedServers servers = new CodedServers(5, OPTIONS);
        CodedClient client = new CodedClient(settings(servers, "metadata"))) {
      model.change(client, 500, 16);
      model.changeWithoutWaiting(client, 60);
      client.standStill(CodedClient.QUICK.reply().plusMillis(500));
      model.check(client, "after it");
      assertThat(client.losses()).isZero();
    }
  }

  @Test
  void damaged_items_are_decoded_and_never_served(Random random) throws Exception {
    try (CodedServers servers = new CodedServers(5, OPTIONS);
        CodedClient client = new CodedClient(settings(servers, "metadata"))) {
      AcknowledgedModel model = new AcknowledgedModel(random, 60, 300);
      model.change(client, 400, 8);
      client.fold();
      for (int i = 0; i < 60; i++) {
        // whichever server has the key: the others get an item that nobody reads
        byte[] damage =
            ("set key-%d 0 0 30\r\n".formatted(i) + "x".repeat(30) + "\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        servers.answers(i % 5, damage);
      }
      model.check(client, "damaged");
    }
  }

  @Test
  void more_losses_than_the_code_bears_are_noticed_by_the_checker(Random random) throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 100, 300);
    try (CodedServers servers = new CodedServers(5, OPTIONS);
        CodedClient client = new CodedClient(settings(servers, "metadata"))) {
      model.change(client, 500, 8);
      client.fold();
      for (int server = 0; server < 3; server++) {
        servers.answers(server, "flush_all\r\n".getBytes(StandardCharsets.US_ASCII));
      }

      assertThat(model.problems(client)).isNotEmpty();
    }
  }

  @Test
  void flush_all_forgets_everything_through_a_crash_too(Random random) throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 100, 300);
    try (CodedServers servers = new CodedServers(5, OPTIONS);
        CodedClient client = new CodedClient(settings(servers, "first"))) {
      model.change(client, 500, 8);
      client.flushAll();
      model.clear();
      model.check(client, "flushed");
      model.change(client, 200, 8);
      client.crashAndReopen(directory.resolve("second"));
      model.check(client, "opened again");
    }
  }

  @Test
  void flush_all_ends_a_restoration_under_way(Random random) throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 200, 500);
    try (CodedServers servers = new CodedServers(5, OPTIONS);
        CodedClient client = new CodedClient(settings(servers, "metadata"))) {
      for (int round = 0; round < 8; round++) {
        model.change(client, 400, 16);
        int down = round % 2 == 0 ? 2 : 5;
        for (int i = 0; i < down; i++) {
          servers.kill((round + i) % 5);
        }
        await("their loss is noticed")
            .pollInterval(Duration.ofMillis(1))
            .until(() -> client.usable().size() <= 5 - down);
        for (int i = 0; i < down; i++) {
          servers.start((round + i) % 5);
        }
        await().pollInterval(Duration.ofMillis(1)).until(() -> client.usable().size() == 5);
        client.flushAll();
        model.clear();
        model.check(client, "flushed");
        model.change(client, 200, 16);
        model.check(client, "written anew");
        client.fold();
        assertThat(client.scrub()).as("round %d", round).isEmpty();
      }
    }
  }

  @Test
  void flush_all_while_servers_are_added(Random random) throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 300, 1000);
    try (CodedServers servers = new CodedServers(5, OPTIONS);
        CodedClient client = new CodedClient(settings(servers, "metadata"))) {
      model.change(client, 1500, 16);
      List<ServerId> added = List.of(servers.grow(), servers.grow());
      CompletableFuture<Void> adding = client.scale(shard -> shard.addServers(added));
      Thread.sleep(random.nextInt(100));
      client.flushAll();
      model.clear();
      model.check(client, "flushed");
      model.change(client, 300, 16);
      CodedClient.await(adding);
      model.check(client, "added");
      assertThat(client.scrub()).isEmpty();
      servers.kill(0);
      servers.kill(1);
      model.check(client, "two killed");
    }
  }

  @Test
  void servers_without_memory_refuse_writes_and_lose_nothing_else(Random random) throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 1500, 20_000);
    try (CodedServers servers = new CodedServers(5, "-I", "2m", "-M", "-m", "4");
        CodedClient client = new CodedClient(settings(servers, "metadata"))) {
      model.change(client, 6000, 8);
      model.check(client, "full");

      model.thin(client, 100, 8);
      client.fold();
      // a moment later, when the metadata are durable
      await("journals of objects that are no more").until(() -> journalBytes(client) == 0);
    }
  }

  private static long journalBytes(CodedClient client) {
    return CodedClient.await(
        client.<Long>call(done -> done.complete(client.shard().status().journalBytes())));
  }

  private CodedSettings settings(CodedServers servers, String name) {
    return CodedClient.settings(CODE, servers, directory.resolve(name), SMALL_JOURNAL);
  }
}
