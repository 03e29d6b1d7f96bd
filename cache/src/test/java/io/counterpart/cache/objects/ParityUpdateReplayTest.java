package io.counterpart.cache.objects;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.coded.settings.CodedScheme;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.metadata.LeftSlot;
import io.counterpart.cache.metadata.MetadataLog;
import io.counterpart.cache.metadata.MetadataOptions;
import io.counterpart.cache.ring.ServerId;
import io.counterpart.cache.tier.Status;
import io.counterpart.testkit.random.SeededRandom;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Restarts with objects that had left their stripe before its parity was updated. */
@ExtendWith(SeededRandom.class)
@Timeout(120)
class ParityUpdateReplayTest {
  private static final CodeShape CODE = new CodeShape(5, 3);
  private static final int KEYS = 150;
  private static final int MORE_KEYS = 900;
  private static final int EPOCH_BITS = 40;

  @TempDir private Path directory;

  private final Map<String, byte[]> values = new TreeMap<>();

  /**
   * The update of parity had failed because servers were down for a moment, and changes went on.
   */
  @Test
  void a_record_that_was_changed_after_it_left_is_not_taken_for_what_parity_contains(Random random)
      throws Exception {
    try (CodedServers servers = new CodedServers(5, "-I", "2m", "-M", "-m", "64");
        CodedClient client = fill(servers, random)) {
      LeftSlot left = crashAndFind(client, "key-0", 2);
      Map<String, byte[]> parity = parity(servers, left.stripe());
      assertThat(parity).hasSize(2);
      set(client, "key-0", random, 400); // in a stripe of another slot class
      client.fold();
      assertThat(CodedClient.await(client.version("key-0"))).isGreaterThan(left.sequence());
      parity.forEach((at, item) -> putBack(servers, at, item)); // as if it had not been updated
      client.crash(directory.resolve("third"));
      change(client, log -> log.leave(left));

      client.reopen();

      check(servers, client);
    }
  }

  @Test
  void each_record_is_taken_out_of_the_parity_that_is_older_than_its_leaving(Random random)
      throws Exception {
    try (CodedServers servers = new CodedServers(5, "-I", "2m", "-M", "-m", "64");
        CodedClient client = fill(servers, random)) {
      LeftSlot first = crashAndFind(client, "key-0", 2);
      delete(client, "key-0");
      client.fold();
      String other = sibling(client, first);
      LeftSlot second = crashAndFind(client, other, 3);
      values.remove(other); // it was deleted in its other place
      client.crash(directory.resolve("fourth"));
      change(
          client,
          log -> {
            log.leave(first);
            log.leave(second);
            log.free(second.stripe(), second.chunk(), second.slot());
          });

      client.reopen();

      check(servers, client);
    }
  }

  /** The item lacks the later update, beside the record that left. */
  @Test
  void parity_that_is_behind_other_parity_is_encoded_anew(Random random) throws Exception {
    try (CodedServers servers = new CodedServers(5, "-I", "2m", "-M", "-m", "64");
        CodedClient client = fill(servers, random)) {
      for (int i = 0; i < MORE_KEYS; i++) {
        set(client, "more-" + i, random, 100);
      }
      client.fold();
      Map<String, LeftSlot> before = places(client, "before");
      Map<Integer, Map<String, byte[]>> parityBefore = new TreeMap<>();
      for (LeftSlot place : before.values()) {
        parityBefore.computeIfAbsent(place.stripe(), stripe -> parity(servers, stripe));
      }
      ServerId added = servers.grow();
      CodedClient.await(client.scale(shard -> shard.addServers(List.of(added))));
      client.fold();
      Map<String, LeftSlot> after = places(client, "after");
      int stripe = left(before, after);
      String staying = staying(before, after, stripe);
      long sequence = folded(parity(servers, stripe).values().iterator().next());

      set(client, staying, random, 100);
      client.fold();
      Map.Entry<String, byte[]> behind = parityBefore.get(stripe).entrySet().iterator().next();
      String name = behind.getKey().substring(1);
      parity(servers, stripe).keySet().stream()
          .filter(at -> at.substring(1).equals(name))
          .forEach(at -> putBack(servers, at, behind.getValue()));
      client.crash(directory.resolve("last"));
      change(
          client,
          log -> {
            for (LeftSlot place : before.values()) {
              String key = new String(place.key(), UTF_8);
              if (place.stripe() == stripe && after.get(key).stripe() != stripe) {
                log.leave(new LeftSlot(stripe, place.chunk(), place.slot(), sequence, place.key()));
              }
            }
          });
      client.reopen();

      client.awaitParity();
      assertThat(client.scrub()).isEmpty();
      values.forEach(
          (key, value) ->
              assertThat(CodedClient.await(client.get(key)).value()).as(key).isEqualTo(value));
    }
  }

  /** Restarts the tier; returns the places of all objects. */
  private Map<String, LeftSlot> places(CodedClient client, String name) throws Exception {
    client.crash(directory.resolve(name));
    Map<String, LeftSlot> places = new TreeMap<>();
    change(
        client,
        log ->
            log.chunks()
                .forEach(
                    (stripe, chunk, slot, key) ->
                        places.put(
                            new String(key, UTF_8), new LeftSlot(stripe, chunk, slot, 0, key))));
    client.reopen();
    return places;
  }

  /** The stripe with most objects among those that objects have left: it is not emptied. */
  private static int left(Map<String, LeftSlot> before, Map<String, LeftSlot> after) {
    Map<Integer, Integer> stayed = new TreeMap<>();
    before.forEach(
        (key, place) ->
            stayed.merge(
                place.stripe(), after.get(key).stripe() == place.stripe() ? 1 : 0, Integer::sum));
    return before.keySet().stream()
        .filter(key -> after.get(key).stripe() != before.get(key).stripe())
        .map(key -> before.get(key).stripe())
        .max(Comparator.comparing(stayed::get))
        .orElseThrow();
  }

  private static String staying(
      Map<String, LeftSlot> before, Map<String, LeftSlot> after, int stripe) {
    return before.keySet().stream()
        .filter(key -> before.get(key).stripe() == stripe && after.get(key).stripe() == stripe)
        .findFirst()
        .orElseThrow();
  }

  /** Sequence up to which a parity item includes all writes. */
  private static long folded(byte[] parity) {
    return ByteBuffer.wrap(parity).order(ByteOrder.LITTLE_ENDIAN).getLong(Long.BYTES);
  }

  private CodedClient fill(CodedServers servers, Random random) throws Exception {
    CodedClient client =
        new CodedClient(
            CodedClient.settings(CODE, servers, directory.resolve("first"), 1 << 20)
                .with(CodedScheme.CCMEMCACHED));
    for (int i = 0; i < KEYS; i++) {
      set(client, "key-" + i, random, 100);
    }
    client.fold();
    assertThat(client.scrub()).isEmpty(); // and servers have deleted what the restart would replay
    return client;
  }

  private void set(CodedClient client, String key, Random random, int length) {
    byte[] value = new byte[length];
    random.nextBytes(value);
    assertThat(CodedClient.await(client.set(key, value))).isEqualTo(Status.DONE);
    values.put(key, value);
  }

  private void delete(CodedClient client, String key) {
    assertThat(CodedClient.await(client.delete(key))).isEqualTo(Status.DONE);
    values.remove(key);
  }

  /**
   * Restarts the tier; returns the place of an object as one that left at the start of an epoch.
   *
   * @param epoch this one or a later one
   */
  private LeftSlot crashAndFind(CodedClient client, String key, int epoch) throws Exception {
    client.crash(directory.resolve("epoch-" + epoch));
    LeftSlot[] found = new LeftSlot[1];
    change(
        client,
        log ->
            log.chunks()
                .forEach(
                    (stripe, chunk, slot, bytes) -> {
                      if (key.equals(new String(bytes, UTF_8))) {
                        long sequence = (long) epoch << EPOCH_BITS;
                        found[0] = new LeftSlot(stripe, chunk, slot, sequence, bytes);
                      }
                    }));
    client.reopen();
    return found[0];
  }

  /** The key of another object of the stripe. */
  private String sibling(CodedClient client, LeftSlot left) throws Exception {
    Path copy = directory.resolve("copy");
    CodedClient.copy(client.settings().metadata(), copy);
    String[] found = new String[1];
    try (MetadataLog log = MetadataLog.open(copy, MetadataOptions.of(CODE.k()))) {
      log.chunks()
          .forEach(
              left.stripe(), (stripe, chunk, slot, bytes) -> found[0] = new String(bytes, UTF_8));
    }
    return found[0];
  }

  @FunctionalInterface
  private interface Change {
    void of(MetadataLog log) throws IOException;
  }

  /** Changes the metadata of a shard that is not open. */
  private static void change(CodedClient client, Change change) throws IOException {
    Path metadata = client.settings().metadata();
    try (MetadataLog log = MetadataLog.open(metadata, MetadataOptions.of(CODE.k()))) {
      change.of(log);
      log.sync();
    }
  }

  /** A stripe's parity items, by server and key. */
  private static Map<String, byte[]> parity(CodedServers servers, int stripe) {
    Map<String, byte[]> items = new TreeMap<>();
    for (int parity = 0; parity < CODE.parityCount(); parity++) {
      String name = RawServer.parityKey(stripe, parity);
      for (int server = 0; server < servers.count(); server++) {
        String answer =
            new String(
                servers.answers(server, ("mg " + name + " b v\r\n").getBytes(ISO_8859_1)),
                ISO_8859_1);
        if (answer.startsWith("VA ")) {
          String item = answer.substring(answer.indexOf('\n') + 1, answer.length() - 2);
          items.put(server + name, item.getBytes(ISO_8859_1));
        }
      }
    }
    return items;
  }

  private static void putBack(CodedServers servers, String at, byte[] item) {
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    request.writeBytes("ms %s %d b\r\n".formatted(at.substring(1), item.length).getBytes(UTF_8));
    request.writeBytes(item);
    request.writeBytes("\r\n".getBytes(UTF_8));
    byte[] answer = servers.answers(at.charAt(0) - '0', request.toByteArray());
    assertThat(new String(answer, UTF_8)).startsWith("HD");
  }

  private void check(CodedServers servers, CodedClient client) {
    client.awaitParity();
    assertThat(client.scrub()).isEmpty();
    servers.kill(1);
    servers.kill(3);
    await("the losses are noticed").until(() -> client.usable().size() == 3);
    values.forEach(
        (key, value) ->
            assertThat(CodedClient.await(client.get(key)).value()).as(key).isEqualTo(value));
  }
}
