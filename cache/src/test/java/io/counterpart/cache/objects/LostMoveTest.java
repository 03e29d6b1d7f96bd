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
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

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
  private static final int ATTEMPTS = 10;
  private static final int LARGE_BYTES = 5000;
  private static final int SMALL_BYTES = 100;

  @TempDir private Path directory;

  @Test
  void the_slot_counts_that_parity_has() throws Exception {
    try (CodedServers servers = new CodedServers(5, "-I", "2m", "-M", "-m", "64");
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
    return Stream.iterate(0, i -> i + 1)
        .map(i -> key + "-neighbour-" + i)
        .filter(other -> CodedClient.ring(other, CODE) == ring)
        .findFirst()
        .orElseThrow();
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
