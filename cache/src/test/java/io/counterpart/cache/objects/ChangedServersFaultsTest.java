package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.ring.ServerId;
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
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Crashes of the proxy, and losses of servers, while servers are added and removed. */
@ExtendWith(SeededRandom.class)
@Timeout(120)
class ChangedServersFaultsTest {
  private static final CodeShape CODE = new CodeShape(5, 3);
  private static final String[] OPTIONS = {"-I", "2m", "-M", "-m", "64"};
  private static final int LARGE_BYTES = 3000;
  private static final long JOURNAL = 256 << 10;
  private static final int OBJECTS = 2000;

  @TempDir private Path directory;

  @Test
  void changes_of_servers_outlive_crashes_at_any_moment(Random random) throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 500, 1500);
    try (CodedServers servers = new CodedServers(6, OPTIONS);
        CodedClient client =
            new CodedClient(
                CodedClient.settings(CODE, servers, directory.resolve("life-0"), JOURNAL))) {
      model.change(client, 2000, 16);
      ServerId seventh = servers.grow();
      for (int life = 1; life <= 6; life++) {
        boolean grows = client.usable().size() == 6;
        List<ServerId> changed = List.of(seventh);
        client.scale(shard -> grows ? shard.addServers(changed) : shard.removeServers(changed));
        Thread.sleep(random.nextInt(60));
        model.changeWithoutWaiting(client, 20);
        client.crashAndReopen(directory.resolve("life-" + life));
        model.check(client, "life " + life);
        // a server that was used before is waited for
        await("the change ends").atMost(Duration.ofSeconds(40)).until(() -> !client.isScaling());
        assertThat(client.scrub()).as("life %d", life).isEmpty();
        model.change(client, 100, 16);
      }
      servers.kill(0);
      servers.kill(1);
      model.check(client, "two killed");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {6, 10})
  void changes_of_servers_outlive_the_proxy_and_servers_at_once(int count, Random random)
      throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 500, 1500);
    try (CodedServers servers = new CodedServers(count, OPTIONS);
        CodedClient client =
            new CodedClient(
                CodedClient.settings(CODE, servers, directory.resolve("life-0"), JOURNAL))) {
      model.change(client, 2000, 16);
      ServerId added = servers.grow();
      for (int life = 1; life <= 3; life++) {
        boolean grows = client.usable().size() == count;
        List<ServerId> changed = List.of(added);
        client.scale(shard -> grows ? shard.addServers(changed) : shard.removeServers(changed));
        Thread.sleep(random.nextInt(60));
        model.changeWithoutWaiting(client, 20);
        int first = random.nextInt(count);
        int second = inOtherRing(first, count + 1, random);
        servers.kill(first);
        servers.kill(second);
        client.crashAndReopen(directory.resolve("life-" + life));
        model.check(client, "life %d without %d and %d".formatted(life, first, second));
        servers.start(first);
        servers.start(second);
        await("the change ends").atMost(Duration.ofSeconds(40)).until(() -> !client.isScaling());
        client.awaitRestored(client.hasInRing(added) ? count + 1 : count);
        model.check(client, "life %d restored".formatted(life));
        assertThat(client.scrub()).as("life %d", life).isEmpty();
      }
    }
  }

  /** Another server, in another ring than this one: the i-th is in ring i mod n. */
  private static int inOtherRing(int server, int count, Random random) {
    int other = server;
    while ((other - server) % CODE.n() == 0) {
      other = random.nextInt(count);
    }
    return other;
  }

  /** A restart would wait for two servers that are down, if a third one seemed to lack items. */
  @Test
  void an_added_server_is_used_once_its_mark_says_that_it_lacks_nothing() throws Exception {
    try (CodedServers servers = new CodedServers(6, OPTIONS);
        CodedClient client =
            new CodedClient(
                CodedClient.settings(CODE, servers, directory.resolve("marked"), JOURNAL))) {
      servers.grow();
      try (HoldingRelay relay = new HoldingRelay(new RawServer(servers, 6).port())) {
        CompletableFuture<Void> change = addUntilMarked(relay, client);
        await("it is not used")
            .during(Duration.ofMillis(500))
            .until(() -> !client.hasInRing(relay.id()));

        new RawServer(servers, 6).deleteMark();
        relay.release();

        CodedClient.await(change);
        assertThat(client.hasInRing(relay.id())).isTrue();
        assertThat(new RawServer(servers, 6).mark()).endsWith(" whole");
      }
    }
  }

  /** Begins to add a server, and returns when its mark is about to say that it is whole. */
  private static CompletableFuture<Void> addUntilMarked(HoldingRelay relay, CodedClient client)
      throws Exception {
    relay.hold(" whole\r\n");
    CompletableFuture<Void> change = client.scale(shard -> shard.addServers(List.of(relay.id())));
    relay.holds().get(40, TimeUnit.SECONDS);
    return change;
  }

  /** Nothing else ends with the addition: the leases of the tier's own servers are renewed. */
  @Test
  void a_server_that_another_tier_takes_while_it_is_added_is_refused() throws Exception {
    try (CodedServers servers = new CodedServers(6, OPTIONS);
        CodedClient client =
            new CodedClient(
                CodedClient.settings(CODE, servers, directory.resolve("taken"), JOURNAL))) {
      servers.grow();
      RawServer taken = new RawServer(servers, 6);
      try (HoldingRelay relay = new HoldingRelay(taken.port())) {
        CompletableFuture<Void> change = addUntilMarked(relay, client);
        taken.setMark(taken.mark().replaceFirst("tier=\\S+", "tier=" + new UUID(1, 2)));
        relay.release();

        assertThatThrownBy(() -> change.get(40, TimeUnit.SECONDS))
            .hasMessageContaining(relay.id().name());
        AcknowledgedModel model = new AcknowledgedModel(new Random(1), 50, 500);
        for (int i = 0; i < 4; i++) {
          // longer than a lease in all
          Thread.sleep(CodedClient.QUICK.reply().toMillis());
          model.change(client, 100, 8);
        }
        model.check(client, "after the refusal");
      }
    }
  }

  /**
   * Entries stay where parity was: without these servers nothing would show that parity is behind.
   */
  @Test
  void parity_that_has_moved_is_not_behind_journals_that_have_not() throws Exception {
    try (CodedServers servers = new CodedServers(10, OPTIONS);
        CodedClient client =
            new CodedClient(
                CodedClient.settings(CODE, servers, directory.resolve("first"), 32 << 20))) {
      writeLarge(client, (byte) 1);
      client.fold();
      writeLarge(client, (byte) 2);
      List<ServerId> added = List.of(servers.grow(), servers.grow());
      CodedClient.await(client.scale(shard -> shard.addServers(added)));
      servers.kill(0);
      servers.kill(1);
      client.crashAndReopen(directory.resolve("second"));
      servers.start(0);
      servers.start(1);
      client.awaitRestored(12);
      assertThat(client.scrub()).isEmpty();
    }
  }

  /** As after a kill between the freeing of stripes and the deletion of their parity. */
  @Test
  void parity_of_an_earlier_life_of_a_stripe_does_not_come_back() throws Exception {
    try (CodedServers servers = new CodedServers(5, OPTIONS);
        CodedClient client =
            new CodedClient(
                CodedClient.settings(CODE, servers, directory.resolve("lives"), JOURNAL))) {
      writeLarge(client, (byte) 1);
      client.foldAll();
      RawServer first = new RawServer(servers, 0);
      Map<Integer, String> left = new TreeMap<>();
      for (int stripe = 0; stripe < OBJECTS; stripe++) {
        String parity = first.parity(stripe, 0);
        if (!parity.isEmpty()) {
          left.put(stripe, parity);
        }
      }
      SeveralAtOnce.delete(
          client, IntStream.range(0, OBJECTS).mapToObj(i -> "large-" + i).toList());
      await("all is freed")
          .atMost(Duration.ofSeconds(40))
          .until(
              () -> {
                client.fold();
                return client.status().openStripes() + client.status().sealedStripes() == 0
                    && left.keySet().stream().allMatch(stripe -> first.parity(stripe, 0).isEmpty());
              });
      left.forEach((stripe, parity) -> first.putBackParity(stripe, 0, parity));
      ServerId added = servers.grow(); // to ring 0, as the first one
      CodedClient.await(client.scale(shard -> shard.addServers(List.of(added))));
      writeLarge(client, (byte) 2);
      client.foldAll();
      RawServer sixth = new RawServer(servers, 5);
      assertThat(left.keySet()).anyMatch(stripe -> !sixth.parity(stripe, 0).isEmpty());
      assertThat(client.scrub()).isEmpty();

      CodedClient.await(client.scale(shard -> shard.removeServers(List.of(added))));

      assertThat(client.scrub()).isEmpty();
    }
  }

  /** Writes values so large that a stripe has one column. */
  private static void writeLarge(CodedClient client, byte content) {
    byte[] value = new byte[3000];
    Arrays.fill(value, content);
    for (int i = 0; i < OBJECTS; i += 50) {
      IntStream.range(i, i + 50)
          .mapToObj(number -> client.set("large-" + number, value))
          .toList()
          .forEach(write -> assertThat(CodedClient.await(write)).isEqualTo(Status.DONE));
    }
  }

  /** A write of a moving object is cut off before the copy on its old server is deleted. */
  @Test
  void an_outdated_copy_on_an_old_server_is_never_read() throws Exception {
    byte[] value = new byte[LARGE_BYTES];
    Arrays.fill(value, (byte) 'n');
    try (CodedServers servers = new CodedServers(5, OPTIONS);
        HoldingRelay old = new HoldingRelay(new RawServer(servers, 0).port());
        CodedClient client =
            new CodedClient(
                old.settings(
                    servers,
                    directory.resolve("first"),
                    1 << 20,
                    CodedClient.answeringWithin(Duration.ofSeconds(20))))) {
      List<String> keys = IntStream.range(0, 1500).mapToObj(i -> "key-" + i).toList();
      SeveralAtOnce.ask(
          keys,
          key -> client.set(key, new byte[LARGE_BYTES]),
          (key, status) -> assertThat(status).isEqualTo(Status.DONE));
      client.foldAll();
      servers.grow();
      RawServer raw = new RawServer(servers, 5);
      try (HoldingRelay added = new HoldingRelay(raw.port())) {
        old.hold("mg key-");
        client.scale(shard -> shard.addServers(List.of(added.id()))); // to ring 0, as server 0
        old.holds().get(40, TimeUnit.SECONDS);
        String moved = setOnNewServer(client, raw, keys, value);
        client.crash(directory.resolve("second"));
        old.holdNothing();
        String first =
            keys.stream().filter(key -> old.hasGot("mg " + key + " ")).findFirst().orElseThrow();
        added.hold("mg " + first + " "); // the move goes on with it; the replay does not ask for it
        client.reopen();
        added.holds().get(40, TimeUnit.SECONDS);
        added.goOut();
        await("it is missed").until(() -> !client.usable().contains(added.id().name()));

        assertThat(CodedClient.await(client.get(moved)).value()).isEqualTo(value);
      }
    }
  }

  /** Writes objects until one is on the new server; old servers get no deletions. */
  private static String setOnNewServer(
      CodedClient client, RawServer added, List<String> keys, byte[] value)
      throws InterruptedException {
    for (int i = keys.size() - 1; i >= 0; i--) {
      String key = keys.get(i);
      if (CodedClient.ring(key, CODE) == 0) {
        client.set(key, value);
        for (int look = 0; look < 50; look++) {
          Thread.sleep(20);
          if (added.record(key).contains("nnn")) {
            return key;
          }
        }
      }
    }
    throw new AssertionError("no object of " + keys.size() + " is on the new server");
  }

  /** Nobody else knows that a moved stripe lacks parity. */
  @Test
  void parity_is_encoded_once_servers_are_back() throws Exception {
    try (CodedServers servers = new CodedServers(6, OPTIONS);
        HoldingRelay one = new HoldingRelay(new RawServer(servers, 1).port());
        HoldingRelay two = new HoldingRelay(new RawServer(servers, 2).port())) {
      List<ServerId> ids = new ArrayList<>(servers.ids());
      ids.set(1, one.id());
      ids.set(2, two.id());
      try (CodedClient client =
          new CodedClient(
              new CodedSettings(
                  CODE,
                  ids,
                  directory.resolve("first"),
                  1 << 20,
                  Duration.ofSeconds(2),
                  CodedClient.answeringWithin(Duration.ofSeconds(20))))) {
        SeveralAtOnce.ask(
            IntStream.range(0, 300).mapToObj(i -> "key-" + i).toList(),
            key -> client.set(key, new byte[LARGE_BYTES]),
            (key, status) -> assertThat(status).isEqualTo(Status.DONE));
        client.foldAll();
        assertThat(new RawServer(servers, 5).deleteParity(200, CODE)).isTrue();
        one.hold("mg key-"); // only the encoding reads objects there
        two.hold("mg key-");
        CompletableFuture<Void> change =
            client.scale(shard -> shard.removeServers(List.of(servers.id(5))));
        one.holds().get(40, TimeUnit.SECONDS);
        two.holds().get(40, TimeUnit.SECONDS);
        Thread.sleep(500); // all else has moved
        one.holdNothing();
        two.holdNothing();
        one.goOut();
        two.goOut();
        await("they are missed").until(() -> client.usable().size() == 4);
        one.comeBack();
        two.comeBack();

        CodedClient.await(change);
        client.awaitRestored(5);
        assertThat(client.scrub()).isEmpty();
      }
    }
  }
}
