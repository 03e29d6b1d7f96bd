package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.tier.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Objects that nothing can decode, when the proxy ends while it drops them. */
@Timeout(120)
class LostObjectsTest {
  private static final CodeShape CODE = new CodeShape(5, 3);
  private static final byte[] VALUE = new byte[100];

  /** Data of one column, more than parity makes up for. */
  private static final List<String> COLUMN =
      IntStream.range(0, CODE.k())
          .mapToObj(ring -> CodedClient.keyOfRing("lost-", ring, CODE))
          .toList();

  /** In another column, so that the stripe is not freed. */
  private static final String BESIDE = CodedClient.keyOfRing("beside-", 0, CODE);

  @TempDir private Path directory;

  @Test
  void no_parity_has_them_after_a_crash() throws Exception {
    try (CodedServers servers = new CodedServers(5, "-I", "2m", "-M", "-m", "64");
        CodedClient client = new CodedClient(settings(servers))) {
      dropColumn(client, servers);
      client.crashAndReopen(directory.resolve("next"));

      assertThat(client.scrub()).isEmpty();
      assertThat(CodedClient.await(client.get(BESIDE)).value()).isEqualTo(VALUE);
    }
  }

  @Test
  void one_that_is_written_again_stays_after_a_loss_of_power() throws Exception {
    try (CodedServers servers = new CodedServers(5, "-I", "2m", "-M", "-m", "64");
        CodedClient client = new CodedClient(settings(servers))) {
      dropColumn(client, servers);
      String key = COLUMN.get(1);
      byte[] longer = new byte[5000]; // another slot class
      assertThat(CodedClient.await(client.set(key, longer))).isEqualTo(Status.DONE);
      long durable = client.crash(directory.resolve("next"));
      PowerLoss.cut(directory.resolve("next"), durable, new KeepsNothingMore());
      client.reopen();

      assertThat(CodedClient.await(client.get(key)).value()).isEqualTo(longer);
      assertThat(client.scrub()).isEmpty();
    }
  }

  /** Has the objects of a sealed stripe's first column dropped: too much of it is lost. */
  private static void dropColumn(CodedClient client, CodedServers servers)
      throws InterruptedException {
    COLUMN.forEach(key -> set(client, key)); // data in the rings 0 to 2
    set(client, BESIDE);
    client.foldAll();
    // longer than an idle log waits: the first freeing is synced at once, the others in two seconds
    Thread.sleep(300);
    for (int ring = 0; ring < CODE.k(); ring++) {
      new RawServer(servers, ring).delete(COLUMN.get(ring));
    }
    client.get(COLUMN.get(0));
    await("they are dropped")
        .pollInterval(Duration.ofMillis(1))
        .until(() -> client.status().objects() == 1);
  }

  private static void set(CodedClient client, String key) {
    assertThat(CodedClient.await(client.set(key, VALUE))).isEqualTo(Status.DONE);
  }

  private CodedSettings settings(CodedServers servers) {
    return CodedClient.settings(CODE, servers, directory.resolve("first"), 1 << 20)
        .with(Duration.ofSeconds(2));
  }

  /** A disk that keeps only what was synced. */
  private static final class KeepsNothingMore extends Random {
    private static final long serialVersionUID = 1L;

    @Override
    public boolean nextBoolean() {
      return true;
    }
  }
}
