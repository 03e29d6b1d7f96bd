package io.counterpart.cache.objects;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.ring.ServerId;
import io.counterpart.cache.tier.Status;
import io.counterpart.testkit.random.SeededRandom;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Servers are out of reach for a moment while another one has lost its items. They have what that
 * one lacks, and must not be emptied.
 */
@ExtendWith(SeededRandom.class)
@Timeout(120)
class LossBesideRestorationTest {
  private static final CodeShape CODE = new CodeShape(5, 3);
  private static final String OBJECT = "ms key-";
  private static final int OBJECTS = 60;

  /** Of more stripes than are moved at once. */
  private static final int MANY_OBJECTS = 3000;

  /** So many that a stripe has one column. */
  private static final int LARGE_BYTES = 3000;

  /** Above the number of stripes. */
  private static final int STRIPES = 10;

  /** The beginning of a parity item's request, and one of a key that a server refuses. */
  private static final String PARITY = "ms " + RawServer.parityKey(0, 0).substring(0, 6);

  private static final String NO_KEY = "ms !!!!!!";

  private static final Duration UNTIL_MISSED = Duration.ofSeconds(2);

  @TempDir private Path directory;
  private final List<HoldingRelay> relays = new ArrayList<>();
  private final Map<String, byte[]> values = new TreeMap<>();

  @AfterEach
  void close() throws Exception {
    for (HoldingRelay relay : relays) {
      relay.close();
    }
  }

  @Test
  void a_server_may_begin_to_leave_while_it_is_asked_for_parity(Random random) throws Exception {
    try (CodedServers servers = servers(6);
        CodedClient client = client(servers, MANY_OBJECTS, random)) {
      HoldingRelay leaving = relays.get(0);
      leaving.hold("mg " + RawServer.parityKey(0, 0).substring(0, 8)); // of any stripe
      servers.kill(0);
      servers.start(0);
      leaving.holds().get(40, TimeUnit.SECONDS);
      client.scale(shard -> shard.removeServers(List.of(leaving.id())));
      await("its wave has begun").until(() -> !client.hasInRing(leaving.id()));

      leaving.release();

      awaitLeft(client);
      checkAll(client);
    }
  }

  @Test
  void what_a_server_under_restoration_lacks_is_not_given_up(Random random) throws Exception {
    try (CodedServers servers = servers(5);
        CodedClient client = client(servers, OBJECTS, random)) {
      relays.get(0).hold(OBJECT);
      servers.kill(0);
      servers.start(0);
      relays.get(0).holds().get(40, TimeUnit.SECONDS);

      comeBackFromOut(client, relays.get(1), relays.get(2));

      client.awaitRestored(5);
      checkAll(client);
    }
  }

  /** The restoration goes by objects that cannot be decoded just now, and comes back to them. */
  @Test
  void a_server_is_whole_when_it_has_what_could_not_be_decoded_at_first(Random random)
      throws Exception {
    try (CodedServers servers = servers(5);
        CodedClient client = client(servers, OBJECTS, random)) {
      relays.get(1).goOut();
      relays.get(2).goOut();
      await("they are missed").until(() -> client.usable().size() == 3);
      servers.kill(0);
      awaitFirstLost(client);
      servers.start(0);
      await("it is used").until(() -> client.usable().contains(relays.get(0).id().name()));
      Thread.sleep(UNTIL_MISSED.toMillis());
      relays.get(1).comeBack();
      relays.get(2).comeBack();

      client.awaitRestored(5);
      servers.kill(3);
      servers.kill(4);
      checkValues(client);
    }
  }

  @Test
  void a_server_that_leaves_while_it_is_restored_still_lacks_items(Random random) throws Exception {
    try (CodedServers servers = servers(6);
        CodedClient client = client(servers, MANY_OBJECTS, random)) {
      relays.forEach(relay -> relay.hold(OBJECT));
      servers.kill(0);
      servers.start(0);
      relays.get(0).holds().get(40, TimeUnit.SECONDS);
      client.scale(shard -> shard.removeServers(List.of(relays.get(0).id())));
      Thread.sleep(UNTIL_MISSED.toMillis());
      List<HoldingRelay> others = new ArrayList<>(relays.subList(1, 6));
      others.removeIf(relay -> relay.holds().isDone());

      comeBackFromOut(client, others.get(0), others.get(1));

      awaitLeft(client);
      checkAll(client);
    }
  }

  @Test
  void what_a_leaving_server_lacks_is_not_given_up(Random random) throws Exception {
    try (CodedServers servers = servers(6);
        CodedClient client = client(servers, MANY_OBJECTS, random)) {
      List<HoldingRelay> others = new ArrayList<>(relays.subList(1, 6));
      others.forEach(relay -> relay.hold(OBJECT));
      client.scale(shard -> shard.removeServers(List.of(relays.get(0).id())));
      CompletableFuture.anyOf(
              others.stream().map(HoldingRelay::holds).toArray(CompletableFuture[]::new))
          .get(40, TimeUnit.SECONDS);
      others.removeIf(relay -> relay.holds().isDone());
      servers.kill(0);
      awaitFirstLost(client);
      servers.start(0);
      await("it is used, and empty")
          .until(() -> client.usable().contains(relays.get(0).id().name()));

      comeBackFromOut(client, others.get(0), others.get(1));

      awaitLeft(client);
      checkAll(client);
    }
  }

  /**
   * It has its items, or all but one for which it has no memory, but waits for parity of what
   * journals tell, of which it has lost its copies. The server of that parity refuses it, so what
   * is on the two that are out is nowhere else.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void what_a_server_waits_for_beside_its_items_is_not_given_up(boolean lacksOne, Random random)
      throws Exception {
    try (CodedServers servers = servers(5);
        CodedClient client = client(servers, 0, random)) {
      // one stripe, with parity in the rings 3 and 4
      for (int ring = 0; ring < CODE.k(); ring++) {
        write(client, CodedClient.keyOfRing("a key ", ring, CODE), random);
      }
      client.foldAll();
      if (lacksOne) {
        relays.get(0).replace("ms " + base64("a key ").substring(0, 6), NO_KEY);
      }
      relays.get(3).replace(PARITY, NO_KEY);
      assertThat(new RawServer(servers, 3).deleteParity(STRIPES, CODE)).isTrue();
      write(client, CodedClient.keyOfRing("a key ", 1, CODE), random);
      client.fold();
      assertThat(client.status().stripesToRestore()).as("its parity is refused").isOne();
      servers.kill(0);
      servers.start(0);
      await("it has its items")
          .atMost(Duration.ofSeconds(40))
          .until(
              () ->
                  client.toRestore() == 1
                      && client.status().stripesToRestore() == (lacksOne ? 2 : 1));

      relays.get(1).goOut();
      relays.get(2).goOut();
      writeOthers(client);
      relays.get(3).replace("", "");
      relays.get(0).replace("", "");
      relays.get(1).comeBack();
      relays.get(2).comeBack();

      client.awaitRestored(5);
      client.awaitParity();
      checkAll(client);
    }
  }

  /** How a key with a space is written. */
  private static String base64(String key) {
    return Base64.getEncoder().encodeToString(key.getBytes(US_ASCII));
  }

  /** Else it may seem to be used still when others go out. */
  private void awaitFirstLost(CodedClient client) {
    await("its loss is known").until(() -> !client.usable().contains(relays.get(0).id().name()));
  }

  private static void awaitLeft(CodedClient client) {
    await("it has left").atMost(Duration.ofSeconds(40)).until(() -> !client.isScaling());
    client.awaitRestored(5);
  }

  /** Two servers miss writes, and come back before anything else can be restored or moved. */
  private void comeBackFromOut(CodedClient client, HoldingRelay first, HoldingRelay second)
      throws Exception {
    first.goOut();
    second.goOut();
    writeOthers(client);
    first.comeBack();
    second.comeBack();
    List<String> all = relays.stream().map(relay -> relay.id().name()).toList();
    await("all are used")
        .untilAsserted(() -> assertThat(client.usable()).containsExactlyInAnyOrderElementsOf(all));
    for (HoldingRelay relay : relays) {
      relay.release();
    }
  }

  private static void writeOthers(CodedClient client) throws InterruptedException {
    for (int i = 0; i < OBJECTS; i++) {
      client.set("other-" + i, new byte[500]); // nobody waits: they may not end
    }
    Thread.sleep(UNTIL_MISSED.toMillis());
  }

  private void checkAll(CodedClient client) {
    checkValues(client);
    assertThat(client.scrub()).isEmpty();
  }

  private void checkValues(CodedClient client) {
    assertThat(SeveralAtOnce.wrong(client, values)).isEmpty();
  }

  /** Real servers, each behind a relay. */
  private CodedServers servers(int count) throws Exception {
    CodedServers servers = new CodedServers(count, "-I", "2m", "-M", "-m", "64");
    for (int server = 0; server < count; server++) {
      relays.add(new HoldingRelay(new RawServer(servers, server).port()));
    }
    return servers;
  }

  private void write(CodedClient client, String key, Random random) {
    byte[] value = new byte[LARGE_BYTES];
    random.nextBytes(value);
    values.put(key, value);
    assertThat(CodedClient.await(client.set(key, value))).isEqualTo(Status.DONE);
  }

  private CodedClient client(CodedServers servers, int objects, Random random) throws Exception {
    List<ServerId> ids = relays.stream().map(HoldingRelay::id).toList();
    assertThat(ids).hasSize(servers.count());
    CodedClient client =
        new CodedClient(
            new CodedSettings(
                CODE,
                ids,
                directory.resolve("metadata"),
                1 << 20,
                Duration.ofSeconds(2),
                CodedClient.answeringWithin(Duration.ofSeconds(20))));
    client.awaitRestored(servers.count()); // one may be late for the start
    for (int i = 0; i < objects; i++) {
      byte[] value = new byte[500];
      random.nextBytes(value);
      values.put("key-" + i, value);
    }
    SeveralAtOnce.ask(
        values.keySet(),
        key -> client.set(key, values.get(key)),
        (key, status) -> assertThat(status).as(key).isEqualTo(Status.DONE));
    client.foldAll(); // a deletion under way would be missed
    checkValues(client);
    return client;
  }
}
