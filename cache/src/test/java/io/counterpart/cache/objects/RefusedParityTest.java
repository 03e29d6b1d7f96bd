package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.tier.Status;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server without memory for parity that it lacks. */
@Timeout(120)
class RefusedParityTest {
  private static final CodeShape CODE = new CodeShape(5, 3);
  private static final int KEYS = 300;

  /** Above the number of stripes. */
  private static final int STRIPES = 100;

  /** With key and header an item of parity's slab class. */
  private static final int ALIKE_BYTES = 4150;

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(5);

  /** Shorter items find memory: objects, and the mark. */
  private static final int LEFT_BYTES = 1000;

  /** Parity's keys in base64, and what is no key. */
  private static final String PARITY = "ms AB9jUA";

  private static final String NO_KEY = "ms !!!!!!";
  private static final int LARGE_BYTES = 3000;

  @TempDir private Path directory;

  /** What happens while a server refuses parity. */
  private interface Refusal {
    void begin(CodedServers servers, RawServer full, CodedClient client);
  }

  @Test
  void is_not_whole_before_it_has_it() throws Exception {
    check(
        (servers, full, client) -> {
          full.deleteMark();
          await("it is restored").until(() -> full.mark().endsWith(" lacking"));
        });
  }

  @Test
  void is_not_whole_after_another_was_restored() throws Exception {
    check(
        (servers, full, client) -> {
          RawServer other = new RawServer(servers, 1);
          servers.kill(1);
          await("it is missed").until(() -> client.usable().size() == CODE.n() - 1);
          start(servers, 1);
          await("the other one is restored").until(() -> other.mark().endsWith(" whole"));
        });
  }

  /** Objects of ring 1 are in stripes with data in the rings 1 to 3, and parity in 0 and 4. */
  @Test
  void another_is_whole_only_with_the_objects_of_stripes_that_stayed_open() throws Exception {
    try (CodedServers servers = new CodedServers(CODE.n(), "-I", "2m", "-M", "-m", "64");
        HoldingRelay relay = new HoldingRelay(new RawServer(servers, 0).port());
        CodedClient client =
            new CodedClient(
                relay.settings(
                    servers, directory.resolve("metadata"), 4 << 20, CodedClient.QUICK))) {
      relay.replace(PARITY, NO_KEY);
      List<Integer> numbers =
          IntStream.range(0, KEYS)
              .filter(i -> CodedClient.ring("key-" + i, CODE) == 1)
              .boxed()
              .toList();
      for (int i : numbers) {
        assertThat(CodedClient.await(client.set("key-" + i, value(i)))).isEqualTo(Status.DONE);
      }
      long losses = client.losses();
      servers.kill(1);
      servers.start(1);
      await("its loss is known").until(() -> client.losses() > losses);
      await("it is restored but for those stripes")
          .during(Duration.ofSeconds(3))
          .atMost(Duration.ofSeconds(40))
          .until(() -> client.usable().size() == CODE.n() && client.toRestore() == 1);
      relay.replace("", "");

      client.awaitRestored(CODE.n());
      assertThat(client.scrub()).isEmpty();
      servers.kill(2);
      servers.kill(3);
      for (int i : numbers) {
        assertThat(CodedClient.await(client.get("key-" + i)).value()).isEqualTo(value(i));
      }
    }
  }

  @Test
  void parity_is_encoded_without_objects_that_nothing_can_decode() throws Exception {
    try (CodedServers servers = new CodedServers(CODE.n(), "-I", "2m", "-M", "-m", "64");
        HoldingRelay relay = new HoldingRelay(new RawServer(servers, 0).port());
        CodedClient client =
            new CodedClient(
                relay.settings(
                    servers, directory.resolve("metadata"), 4 << 20, CodedClient.QUICK))) {
      // one stripe, with parity in the rings 0 and 4
      List<String> keys =
          IntStream.rangeClosed(1, 3)
              .mapToObj(ring -> CodedClient.keyOfRing("key-", ring, CODE))
              .toList();
      for (String key : keys) {
        CodedClient.await(client.set(key, new byte[LARGE_BYTES]));
      }
      client.fold();
      relay.replace(PARITY, NO_KEY);
      assertThat(new RawServer(servers, 0).deleteParity(STRIPES, CODE)).isTrue();
      byte[] value = new byte[LARGE_BYTES];
      value[0] = 1;
      CodedClient.await(client.set(keys.get(0), value));
      client.fold();
      long losses = client.losses();
      servers.kill(1);
      servers.kill(2);
      servers.start(1);
      servers.start(2);
      await("both are missed").until(() -> client.losses() >= losses + 2);
      relay.replace("", "");

      client.awaitRestored(CODE.n());
      assertThat(CodedClient.await(client.get(keys.get(2))).status()).isEqualTo(Status.DONE);
    }
  }

  @Test
  void a_stripe_that_a_restart_could_not_seal_is_sealed_later() throws Exception {
    try (CodedServers servers = new CodedServers(CODE.n(), "-I", "2m", "-M", "-m", "64");
        HoldingRelay relay = new HoldingRelay(new RawServer(servers, 0).port());
        CodedClient client =
            new CodedClient(
                relay.settings(servers, directory.resolve("first"), 4 << 20, CodedClient.QUICK))) {
      String key = CodedClient.keyOfRing("key-", 1, CODE); // parity in the rings 0 and 4
      CodedClient.await(client.set(key, new byte[LARGE_BYTES]));
      relay.replace(PARITY, NO_KEY);
      client.crashAndReopen(directory.resolve("second"));
      assertThat(client.status().openStripes()).isOne();

      relay.replace("", "");

      await("it is sealed")
          .atMost(Duration.ofSeconds(40))
          .until(() -> client.status().openStripes() == 0);
      assertThat(client.scrub()).isEmpty();
    }
  }

  private static void start(CodedServers servers, int server) {
    try {
      servers.start(server);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A mark that says so would have the next process take the parity for there. */
  private void check(Refusal refusal) throws Exception {
    try (CodedServers servers = new CodedServers(CODE.n(), "-I", "2m", "-M", "-m", "16");
        CodedClient client =
            new CodedClient(CODE, servers, directory.resolve("metadata"), 256 << 10)) {
      RawServer full = new RawServer(servers, 0);
      for (int i = 0; i < KEYS; i++) {
        assertThat(CodedClient.await(client.set("key-" + i, value(i)))).isEqualTo(Status.DONE);
      }
      await("no stripe is compacted, and nothing is journalled")
          .during(Duration.ofSeconds(2))
          .atMost(Duration.ofSeconds(40))
          .until(
              () -> {
                client.fold();
                return client.status().journalBytes() == 0;
              });
      await("its mark").until(() -> full.mark().endsWith(" whole"));
      StrangeItems strange = new StrangeItems(servers, 0);
      strange.fill(LEFT_BYTES);

      strange.takeWhatIsFree(
          ALIKE_BYTES,
          BETWEEN_LOOKS,
          () -> {
            assertThat(full.deleteParity(STRIPES, CODE)).as("some was there").isTrue();
            strange.awaitNothingFree(); // else the parity may be there again
            refusal.begin(servers, full, client);
            await("parity is refused").until(() -> client.status().stripesToRestore() > 0);
            await("and its mark says so").until(() -> full.mark().endsWith(" lacking"));
            await("for as long as it is")
                .during(Duration.ofSeconds(8))
                .atMost(Duration.ofSeconds(30))
                .until(() -> !full.mark().endsWith(" whole"));
          });
      client.crash(directory.resolve("second"));
      strange.delete();
      client.reopen();

      client.awaitRestored(CODE.n());
      client.awaitParity();
      await("it is whole").until(() -> full.mark().endsWith(" whole"));
      assertThat(client.scrub()).isEmpty();
      servers.kill(2);
      servers.kill(3);
      for (int i = 0; i < KEYS; i++) {
        assertThat(CodedClient.await(client.get("key-" + i)).value()).isEqualTo(value(i));
      }
    }
  }

  private static byte[] value(int number) {
    return ("value-" + number).repeat(12).getBytes(StandardCharsets.US_ASCII);
  }
}
