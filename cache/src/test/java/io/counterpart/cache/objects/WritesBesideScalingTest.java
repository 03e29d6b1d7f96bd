package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.ring.ServerId;
import io.counterpart.cache.tier.Status;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Objects written during a change of servers end up on the right servers. */
@Timeout(120)
class WritesBesideScalingTest {
  private static final CodeShape CODE = new CodeShape(5, 3);
  private static final int CHANGES = 4;
  private static final int AT_ONCE = 256;

  @TempDir private Path directory;

  @Test
  void objects_inserted_when_servers_change_are_on_their_servers() throws Exception {
    try (CodedServers servers = new CodedServers(6, "-I", "2m", "-M", "-m", "64");
        CodedClient client =
            new CodedClient(
                CodedClient.settings(CODE, servers, directory.resolve("metadata"), 1 << 20))) {
      AtomicInteger inserted = new AtomicInteger();
      for (int i = 0; i < CHANGES; i++) {
        List<ServerId> changed = List.of(servers.grow());
        change(client, inserted, changed, true);
        assertThat(client.scrub()).isEmpty();
        change(client, inserted, changed, false);
        assertThat(client.scrub()).isEmpty();
      }

      assertThat(inserted.get()).isGreaterThan(AT_ONCE * CHANGES);
      SeveralAtOnce.ask(
          IntStream.range(0, inserted.get()).mapToObj(i -> "key-" + i).toList(),
          client::get,
          (key, got) -> assertThat(got.value()).as(key).isEqualTo(value(number(key))));
      assertThat(client.shard().statistics().degradedReads().sum()).isZero();
    }
  }

  private static void change(
      CodedClient client, AtomicInteger inserted, List<ServerId> changed, boolean grows) {
    CompletableFuture<Void> changing =
        client.scale(shard -> grows ? shard.addServers(changed) : shard.removeServers(changed));
    List<CompletableFuture<Void>> writers = new ArrayList<>();
    for (int i = 0; i < AT_ONCE; i++) {
      writers.add(insertUntil(changing, client, inserted));
    }
    writers.forEach(CodedClient::await);
    CodedClient.await(changing);
  }

  /** Inserts one object after the other until a future completes. */
  private static CompletableFuture<Void> insertUntil(
      CompletableFuture<Void> end, CodedClient client, AtomicInteger inserted) {
    int number = inserted.getAndIncrement();
    return client
        .set("key-" + number, value(number))
        .thenCompose(
            status -> {
              assertThat(status).isEqualTo(Status.DONE);
              return end.isDone() ? end : insertUntil(end, client, inserted);
            });
  }

  private static int number(String key) {
    return Integer.parseInt(key.substring("key-".length()));
  }

  private static byte[] value(int number) {
    return ("value of " + number).getBytes(StandardCharsets.US_ASCII);
  }
}
