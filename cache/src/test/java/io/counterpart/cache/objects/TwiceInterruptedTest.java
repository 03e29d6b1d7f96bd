package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.ownership.OwnershipSettings;
import io.counterpart.cache.ring.ServerId;
import io.counterpart.cache.tier.Status;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A write that is cut off, and a restart that dies too when it has written a part of the parity:
 * the next one must decide alike.
 */
@Timeout(120)
class TwiceInterruptedTest {
  private static final CodeShape CODE = new CodeShape(5, 3);

  /** Longer than relays hold anything before a crash, also on a busy machine. */
  private static final Duration REPLY = Duration.ofSeconds(2);

  private static final int HUGE_BYTES = 40_000;
  private static final int LARGE_BYTES = 5000;
  private static final int SMALL_BYTES = 100;

  /** Longer than a server's memory counts as known that has much of it. */
  private static final Duration MEMORY_KNOWN = Duration.ofMillis(1100);

  /** Gets a slot of small objects, and moves to one of large ones. */
  private static final String KEY = CodedClient.keyOfRing("moved-", 0, CODE);

  @TempDir private Path directory;
  private final List<HoldingRelay> relays = new ArrayList<>();
  private CodedServers servers;
  private CodedClient client;

  @BeforeEach
  void begin() throws Exception {
    servers = new CodedServers(CODE.n(), "-I", "2m", "-M", "-m", "64");
    for (int i = 0; i < CODE.n(); i++) {
      relays.add(new HoldingRelay(new RawServer(servers, i).port()));
    }
    client = new CodedClient(settings("first"));
    set(CodedClient.keyOfRing("large-", 4, CODE), LARGE_BYTES); // stripe 0: parity in 2 and 3
    set(KEY, SMALL_BYTES); // stripe 1: parity in 3 and 4
    set(CodedClient.keyOfRing("beside-", 0, CODE), SMALL_BYTES);
    client.foldAll();
  }

  @AfterEach
  void end() throws IOException {
    client.close();
    for (HoldingRelay relay : relays) {
      relay.close();
    }
    servers.close();
  }

  private CodedSettings settings(String name) {
    List<ServerId> ids = relays.stream().map(HoldingRelay::id).toList();
    return new CodedSettings(
        CODE,
        ids,
        directory.resolve(name),
        1 << 20,
        Duration.ofSeconds(15),
        CodedClient.answeringWithin(REPLY));
  }

  private void set(String key, int bytes) {
    assertThat(CodedClient.await(client.set(key, value(bytes)))).isEqualTo(Status.DONE);
  }

  private static byte[] value(int bytes) {
    return "v".repeat(bytes).getBytes(StandardCharsets.US_ASCII);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_moving_object_stays(boolean isParityLost) throws Exception {
    relays.get(0).hold("ms " + KEY + " ");
    client.set(KEY, value(LARGE_BYTES));
    relays.get(0).holds().get(40, TimeUnit.SECONDS); // journals have both slots, the record is old
    client.crash(directory.resolve("second"));
    relays.get(0).holdNothing();
    for (int lost : isParityLost ? List.of(2, 3) : List.<Integer>of()) {
      servers.kill(lost);
      servers.start(lost);
    }
    CompletableFuture<Void> restart =
        restartWithoutParity(1, isParityLost ? List.of(4) : List.of(3, 4));

    try (CodedClient last = third()) {
      assertThat(CodedClient.await(last.get(KEY)).value().length).isIn(SMALL_BYTES, LARGE_BYTES);
      last.awaitRestored(CODE.n());
      assertThat(last.scrub()).isEmpty();
    }
    assertThat(restart).failsWithin(Duration.ofSeconds(40));
  }

  @Test
  void no_parity_gets_what_the_other_lacks() throws Exception {
    // deletions have left by then, and what is known of the memory of server 0 is too old
    Thread.sleep(MEMORY_KNOWN.toMillis());
    set(CodedClient.keyOfRing("fresh-", 0, CODE), SMALL_BYTES); // known anew: it cannot be asked
    long before = items();
    relays.forEach(HoldingRelay::holdAnswers);
    client.set(KEY, value(LARGE_BYTES));
    await("the insert is journalled").until(() -> items() >= before + CODE.parityCount() + 1);
    client.crash(directory.resolve("second"));
    relays.forEach(HoldingRelay::passAnswers);
    CompletableFuture<Void> restart = restartWithoutParity(0, List.of(3));

    try (CodedClient last = third()) {
      assertThat(CodedClient.await(last.get(KEY)).value()).hasSize(SMALL_BYTES);
      assertThat(last.scrub()).isEmpty();
    }
    assertThat(restart).failsWithin(Duration.ofSeconds(40));
  }

  @Test
  void an_update_that_was_refused_is_in_no_parity() throws Exception {
    String key = CodedClient.keyOfRing("huge-", 0, CODE);
    set(key, HUGE_BYTES); // two flights; stripe 2: parity in 3 and 4
    client.foldAll();
    set(CodedClient.keyOfRing("beside-huge-", 1, CODE), HUGE_BYTES); // is to be folded
    // some journals refuse the entry, and the items of the others stay
    List.of(2, 3, 4).forEach(i -> relays.get(i).replace("ms AB9jSg", "ms !!!!!!"));
    List.of(0, 1).forEach(i -> relays.get(i).hold("md AB9jSg"));
    byte[] other = "w".repeat(HUGE_BYTES).getBytes(StandardCharsets.US_ASCII);
    assertThat(CodedClient.await(client.set(key, other))).isEqualTo(Status.OUT_OF_MEMORY);
    relays.get(4).hold("ms " + RawServer.parityKey(2, 0).substring(0, 12));
    client.loop().execute(() -> client.shard().fold(() -> {}));
    relays.get(4).holds().get(40, TimeUnit.SECONDS);
    Thread.sleep(300); // the other parity is written meanwhile
    client.crash(directory.resolve("second"));
    for (HoldingRelay relay : relays) {
      relay.replace("", "");
      relay.holdNothing();
    }
    client.reopen();

    client.awaitRestored(CODE.n());
    assertThat(client.scrub()).isEmpty();
  }

  private long items() {
    long items = 0;
    for (int i = 0; i < CODE.n(); i++) {
      items += new RawServer(servers, i).items();
    }
    return items;
  }

  /** A restart that dies when parity of a stripe is on its way to some of its servers. */
  private CompletableFuture<Void> restartWithoutParity(int stripe, List<Integer> of)
      throws Exception {
    String parity = "ms " + RawServer.parityKey(stripe, 0).substring(0, 12); // whatever its number
    of.forEach(server -> relays.get(server).hold(parity));
    CompletableFuture<Void> restart = CompletableFuture.runAsync(this::reopen);
    for (int server : of) {
      relays.get(server).holds().get(40, TimeUnit.SECONDS);
    }
    Thread.sleep(300); // the other parity is written meanwhile
    client.standStill(REPLY.multipliedBy(4)); // it writes nothing any more
    CodedClient.copy(directory.resolve("second"), directory.resolve("third"));
    of.forEach(server -> relays.get(server).holdNothing());
    return restart;
  }

  private void reopen() {
    try {
      client.reopen();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private CodedClient third() throws Exception {
    long site = client.settings().ownership().site();
    return new CodedClient(settings("third").with(new OwnershipSettings(false, site)));
  }
}
