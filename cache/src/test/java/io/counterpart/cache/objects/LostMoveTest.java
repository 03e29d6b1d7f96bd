package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.ring.ServerId;
import io.counterpart.cache.tier.Status;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * An object that moved to a slot of another class, when the power fails and its server is lost too.
 *
 * <p>The server stops during the update. So two facts are durable in the metadata: the object has
 * both slots, and the server lacks a write. The freeing of the old slot is recorded after that, and
 * durable 100 ms later. Meanwhile parity takes the new record, because its stripe has been sealed,
 * and journals drop its entry. So neither record nor journal shows that the new slot counts.
 */
@Timeout(120)
class LostMoveTest {
  private static final CodeShape CODE = new CodeShape(5, 3);
  private static final String[] OPTIONS = {"-I", "2m", "-M", "-m", "64"};
  private static final int ATTEMPTS = 10;
  private static final int HUGE_BYTES = 9000;
  private static final int LARGE_BYTES = 5000;
  private static final int SMALL_BYTES = 100;

  @TempDir private Path directory;

  @Test
  void the_slot_counts_that_parity_has() throws Exception {
    try (CodedServers servers = new CodedServers(5, OPTIONS);
        CodedClient client = new CodedClient(settings(servers))) {
      boolean isEstablished = false;
      for (int i = 0; i < ATTEMPTS && !isEstablished; i++) {
        isEstablished = moveAndLosePower(client, servers, i);
        assertThat(CodedClient.await(client.get("moved-" + i)).value()).hasSize(LARGE_BYTES);
        assertThat(client.scrub()).isEmpty();
      }
      assertThat(isEstablished).as("the old slot was not known to be free").isTrue();
    }
  }

  @Test
  void the_new_slot_counts_if_the_old_ones_parity_is_lost() throws Exception {
    try (CodedServers servers = new CodedServers(5, OPTIONS);
        CodedClient client = new CodedClient(settings(servers))) {
      String key = CodedClient.keyOfRing("moved-", 0, CODE);
      set(client, key, SMALL_BYTES); // data in the rings 0 to 2, parity in 3 and 4
      set(
          client,
          CodedClient.keyOfRing("beside-", 0, CODE),
          SMALL_BYTES); // the stripe is not freed
      set(client, neighbour(key), LARGE_BYTES); // data in 4, 0, 1
      client.foldAll();
      long before = PowerLoss.end(client.settings().metadata());
      set(client, key, LARGE_BYTES);
      cutAndLose(client, servers, before, List.of(3, 4));

      assertThat(CodedClient.await(client.get(key)).value()).hasSize(LARGE_BYTES);
      client.awaitRestored(5);
      assertThat(client.scrub()).isEmpty();
      servers.kill(0);
      servers.kill(1);
      assertThat(CodedClient.await(client.get(key)).value()).hasSize(LARGE_BYTES);
    }
  }

  @Test
  void no_record_stays_of_an_insert_that_is_undone() throws Exception {
    try (CodedServers servers = new CodedServers(5, OPTIONS);
        CodedClient client = new CodedClient(settings(servers))) {
      String key = CodedClient.keyOfRing("inserted-", 0, CODE);
      set(client, neighbour(key), LARGE_BYTES); // sealed: data in 4, 0, 1, parity in 2, 3
      client.foldAll();
      long before = PowerLoss.end(client.settings().metadata());
      set(client, key, LARGE_BYTES);
      cutAndLose(client, servers, before, List.of(2, 3));

      assertThat(CodedClient.await(client.get(key)).status()).isEqualTo(Status.NOT_FOUND);
      assertThat(new RawServer(servers, 0).record(key)).isEmpty();
    }
  }

  @Test
  void the_last_of_three_slots_counts() throws Exception {
    try (CodedServers servers = new CodedServers(5, OPTIONS);
        HoldingRelay relay = new HoldingRelay(new RawServer(servers, 0).port());
        CodedClient client = new CodedClient(settings(servers, relay))) {
      String key = setMoving(client);
      set(
          client,
          CodedClient.keyOfRing("huge-", 3, CODE),
          HUGE_BYTES); // stripe 2: data in 3, 4, 0, parity in 1, 2
      client.foldAll();
      long both = moveUntilBothPlacesAreDurable(client, relay, key);
      set(client, key, HUGE_BYTES);
      cutAndLose(client, servers, both, List.of(2, 3));

      assertThat(CodedClient.await(client.get(key)).value()).hasSize(HUGE_BYTES);
      client.awaitRestored(5);
      assertThat(client.scrub()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({"2, 3", "3, 4"}) // the parity of the new slot's stripe, or of the old one's
  void a_deletion_after_a_move_counts(int one, int other) throws Exception {
    try (CodedServers servers = new CodedServers(5, OPTIONS);
        HoldingRelay relay = new HoldingRelay(new RawServer(servers, 0).port());
        CodedClient client = new CodedClient(settings(servers, relay))) {
      String key = setMoving(client);
      client.foldAll();
      long both = moveUntilBothPlacesAreDurable(client, relay, key);
      assertThat(CodedClient.await(client.delete(key))).isEqualTo(Status.DONE);
      cutAndLose(client, servers, both, List.of(one, other));

      assertThat(CodedClient.await(client.get(key)).status()).isEqualTo(Status.NOT_FOUND);
      client.awaitRestored(5);
      assertThat(client.scrub()).isEmpty();
    }
  }

  @Test
  void an_object_stays_whose_record_was_refused_in_a_move() throws Exception {
    try (CodedServers servers = new CodedServers(5, OPTIONS);
        HoldingRelay relay = new HoldingRelay(new RawServer(servers, 0).port());
        CodedClient client = new CodedClient(settings(servers, relay))) {
      String key = setMoving(client);
      client.foldAll();
      relay.hold("ms " + key + " ");
      client.set(key, value(LARGE_BYTES));
      relay.holds().get(40, TimeUnit.SECONDS);
      new RawServer(servers, 0).delete(key); // as memcached does when it refuses an item
      long end = PowerLoss.end(client.settings().metadata());
      relay.holdNothing();
      cutAndLose(client, servers, end, List.of(2, 3));

      assertThat(CodedClient.await(client.get(key)).value()).hasSize(SMALL_BYTES);
    }
  }

  @Test
  void no_record_stays_of_an_object_whose_slot_has_another_one() throws Exception {
    try (CodedServers servers = new CodedServers(5, OPTIONS);
        HoldingRelay relay = new HoldingRelay(new RawServer(servers, 0).port());
        CodedClient client = new CodedClient(settings(servers, relay))) {
      String key = CodedClient.keyOfRing("deleted-", 0, CODE);
      set(client, neighbour(key), LARGE_BYTES); // stripe 0, with one slot in ring 0
      set(client, key, LARGE_BYTES);
      client.foldAll();
      // the memory of server 0 is known
      set(client, CodedClient.keyOfRing("fresh-", 0, CODE), SMALL_BYTES);
      relay.hold("md " + key);
      client.delete(key);
      relay.holds().get(40, TimeUnit.SECONDS);
      long before = journalBytes(client); // of the deletion, among others
      String next = CodedClient.keyOfRing("next-", 0, CODE);
      client.set(next, value(LARGE_BYTES));
      await("it is journalled")
          .until(() -> journalBytes(client) >= before + CODE.parityCount() * LARGE_BYTES);
      client.crash(directory.resolve("life-cut"));
      relay.holdNothing();
      client.reopen();

      assertThat(CodedClient.await(client.get(next)).value()).hasSize(LARGE_BYTES);
      assertThat(new RawServer(servers, 0).record(key)).isEmpty();
    }
  }

  @Test
  void no_record_stays_of_an_object_that_is_lost() throws Exception {
    try (CodedServers servers = new CodedServers(5, OPTIONS);
        CodedClient client = new CodedClient(settings(servers))) {
      String key = CodedClient.keyOfRing("moved-", 0, CODE);
      String opener = CodedClient.keyOfRing("opener-", 0, CODE);
      set(client, opener, LARGE_BYTES); // data in the rings 0 to 2, as of small ones
      set(client, CodedClient.keyOfRing("large-", 1, CODE), LARGE_BYTES);
      set(client, key, SMALL_BYTES);
      set(client, CodedClient.keyOfRing("beside-", 0, CODE), SMALL_BYTES);
      assertThat(CodedClient.await(client.delete(opener))).isEqualTo(Status.DONE);
      client.foldAll();
      long before = PowerLoss.end(client.settings().metadata());
      set(client, key, LARGE_BYTES);
      cutAndLose(client, servers, before, List.of(3, 4)); // the parity of both stripes

      client.awaitRestored(5);
      client.awaitParity();
      boolean isLost =
          CodedClient.await(client.get(key)).status() == Status.NOT_FOUND; // nothing can tell
      assertThat(new RawServer(servers, 0).record(key).isEmpty()).isEqualTo(isLost);
    }
  }

  /** Sets an object that moves to a stripe that is there already once it is large. */
  private String setMoving(CodedClient client) throws Exception {
    String key = CodedClient.keyOfRing("moved-", 0, CODE);
    set(client, neighbour(key), LARGE_BYTES); // stripe 0: data in 4, 0, 1, parity in 2, 3
    set(client, key, SMALL_BYTES); // stripe 1: parity in 3, 4
    set(client, CodedClient.keyOfRing("beside-", 0, CODE), SMALL_BYTES);
    return key;
  }

  /** Returns the end of metadata that have both places, and in which nothing is freed. */
  private long moveUntilBothPlacesAreDurable(CodedClient client, HoldingRelay relay, String key)
      throws Exception {
    relay.hold("ms " + key + " ");
    CompletableFuture<Status> moved = client.set(key, value(LARGE_BYTES));
    relay.holds().get(40, TimeUnit.SECONDS);
    long both = PowerLoss.end(client.settings().metadata());
    relay.release();
    assertThat(CodedClient.await(moved)).isEqualTo(Status.DONE);
    return both;
  }

  private CodedSettings settings(CodedServers servers, HoldingRelay relay) {
    return relay
        .settings(servers, directory.resolve("life-first"), 1 << 20, CodedClient.QUICK)
        .with(Duration.ofMillis(300));
  }

  /** The process ends, the disk keeps nothing behind a position, and servers lose all. */
  private void cutAndLose(CodedClient client, CodedServers servers, long end, List<Integer> lost)
      throws Exception {
    Path next = directory.resolve("life-cut");
    client.crash(next);
    PowerLoss.cut(next, end, new KeepsNothingMore());
    for (int server : lost) {
      servers.kill(server);
      servers.start(server);
    }
    client.reopen();
  }

  private CodedSettings settings(CodedServers servers) {
    return CodedClient.settings(CODE, servers, directory.resolve("life-first"), 1 << 20)
        .with(Duration.ofMillis(300));
  }

  /** Whether the end of the metadata was lost. */
  private boolean moveAndLosePower(CodedClient client, CodedServers servers, int attempt)
      throws Exception {
    String key = "moved-" + attempt;
    set(client, key, SMALL_BYTES);
    set(client, neighbour(key), LARGE_BYTES);
    client.fold(); // the neighbour's stripe is sealed, with a free slot in the ring of the key
    int server = serverOf(client, servers, key);
    servers.pause(server);

    CompletableFuture<Status> moved = client.set(key, value(LARGE_BYTES));
    moved.thenRunAsync(() -> client.shard().fold(() -> {}), client.loop());
    assertThat(CodedClient.await(moved)).isEqualTo(Status.DONE);
    await("parity has the new record")
        .pollInterval(Duration.ofMillis(1))
        .until(() -> journalBytes(client) < LARGE_BYTES);
    Path next = directory.resolve("life-" + attempt);
    long durable = client.crash(next);
    boolean isEndLost = bytesOfLastSegment(next) > (int) durable;
    PowerLoss.cut(next, durable, new KeepsNothingMore());
    servers.kill(server);
    servers.start(server);
    client.reopen();
    return isEndLost;
  }

  private static void set(CodedClient client, String key, int bytes) {
    assertThat(CodedClient.await(client.set(key, value(bytes)))).isEqualTo(Status.DONE);
  }

  /** A key in the preceding ring: a stripe for it also has data in the ring of the other key. */
  private static String neighbour(String key) {
    int ring = (CodedClient.ring(key, CODE) + CODE.n() - 1) % CODE.n();
    return CodedClient.keyOfRing(key + "-neighbour-", ring, CODE);
  }

  private static int serverOf(CodedClient client, CodedServers servers, String key) {
    ServerId id =
        CodedClient.await(
            client.<ServerId>call(
                done ->
                    done.complete(
                        client.shard().status().servers().stream()
                            .filter(server -> server.ring() == CodedClient.ring(key, CODE))
                            .findFirst()
                            .orElseThrow()
                            .id())));
    return servers.ids().indexOf(id);
  }

  private static long journalBytes(CodedClient client) {
    return CodedClient.await(
        client.<Long>call(done -> done.complete(client.shard().status().journalBytes())));
  }

  private static long bytesOfLastSegment(Path metadata) throws IOException {
    try (Stream<Path> files = Files.list(metadata)) {
      Path last =
          files.filter(file -> file.toString().endsWith(".log")).sorted().reduce((a, b) -> b).get();
      return Files.size(last);
    }
  }

  /** A disk that keeps only what was synced. */
  private static final class KeepsNothingMore extends Random {
    private static final long serialVersionUID = 1L;

    @Override
    public boolean nextBoolean() {
      return true;
    }
  }

  private static byte[] value(int bytes) {
    return "v".repeat(bytes).getBytes(StandardCharsets.US_ASCII);
  }
}
