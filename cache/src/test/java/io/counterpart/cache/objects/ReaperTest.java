package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.tier.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Objects that expire while nobody asks for them, on real servers. */
@Timeout(120)
class ReaperTest {
  private static final CodeShape CODE = new CodeShape(5, 3);
  private static final long SMALL_JOURNAL = 256 << 10;
  private static final byte[] VALUE = new byte[100];

  /** Longer than the writes take, because an expiry may come a second early. */
  private static final int SHORT_SECONDS = 5;

  private static final int LONG_SECONDS = 600;

  @TempDir private Path directory;

  @Test
  void expired_objects_go_though_nobody_reads_them() throws Exception {
    try (CodedServers servers = servers();
        CodedClient client = new CodedClient(settings(servers, "metadata"))) {
      write(client, "long-", 100, LONG_SECONDS);
      write(client, "eternal-", 100, 0);
      long begunNanos = System.nanoTime();
      write(client, "renewed-", 100, SHORT_SECONDS);
      write(client, "renewed-", 100, LONG_SECONDS);
      write(client, "short-", 1000, SHORT_SECONDS);
      long size = size(client);
      if (System.nanoTime() - begunNanos < TimeUnit.SECONDS.toNanos(SHORT_SECONDS - 1)) {
        assertThat(size).isEqualTo(1300); // on a slow machine some have expired by now
      }

      awaitSize(client, 300);

      // an object leaves the index before its deletion is through, which is when it counts
      await("all are counted")
          .until(() -> client.shard().statistics().reapedObjects().sum() >= 1000);
      assertThat(client.shard().statistics().reapedObjects().sum()).isEqualTo(1000);
      assertThere(client, "renewed-");
      assertThere(client, "long-");
      assertThere(client, "eternal-");
      assertThat(client.scrub()).isEmpty();
    }
  }

  @Test
  void they_go_after_a_restart_too() throws Exception {
    try (CodedServers servers = servers();
        CodedClient client = new CodedClient(settings(servers, "metadata"))) {
      write(client, "before-", 300, 1);
      write(client, "after-", 300, 10);
      write(client, "long-", 100, LONG_SECONDS);
      write(client, "eternal-", 100, 0);
      client.crashAndReopen(directory.resolve("next"));

      // on a slow machine the later ones go soon after them
      await("the first ones are gone")
          .pollInterval(Duration.ofMillis(50))
          .until(() -> size(client) <= 500);
      assertThere(client, "long-");
      awaitSize(client, 200);

      assertThere(client, "long-");
      assertThere(client, "eternal-");
      assertThat(client.scrub()).isEmpty();
    }
  }

  private static void write(CodedClient client, String prefix, int count, int seconds) {
    List<CompletableFuture<Status>> writes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      writes.add(client.setExpiring(prefix + i, VALUE, seconds));
    }
    writes.forEach(write -> assertThat(CodedClient.await(write)).isEqualTo(Status.DONE));
  }

  private static void assertThere(CodedClient client, String prefix) {
    for (int i = 0; i < 100; i++) {
      assertThat(CodedClient.await(client.get(prefix + i)).value()).isEqualTo(VALUE);
    }
  }

  private static long size(CodedClient client) {
    return CodedClient.await(
        client.<Long>call(done -> done.complete(client.shard().objects().size())));
  }

  private static void awaitSize(CodedClient client, long size) {
    await("objects left")
        .atMost(Duration.ofSeconds(40))
        .pollInterval(Duration.ofMillis(50))
        .until(() -> size(client), left -> left == size);
  }

  private static CodedServers servers() throws Exception {
    return new CodedServers(5, "-I", "2m", "-M", "-m", "64");
  }

  private CodedSettings settings(CodedServers servers, String name) {
    return CodedClient.settings(CODE, servers, directory.resolve(name), SMALL_JOURNAL);
  }
}
