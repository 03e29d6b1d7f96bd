package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.tier.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Servers that the tier had at its start, has let go, and cannot use any more when they are to be
 * added again.
 */
@Timeout(120)
class ServerAddedAgainTest {
  private static final CodeShape CODE = new CodeShape(5, 3);
  private static final String[] OPTIONS = {"-I", "2m", "-M", "-m", "64"};
  private static final int LAST = 5;

  @TempDir private Path directory;

  @Test
  void one_that_evicts_now_is_not_added() throws Exception {
    try (CodedServers servers = new CodedServers(LAST + 1, OPTIONS);
        CodedClient client = client(servers)) {
      remove(client, servers);
      servers.kill(LAST);
      servers.start(LAST, "-I", "2m", "-m", "64");

      isNotAdded(client, servers, "evictions");
    }
  }

  @Test
  void one_that_another_tier_has_now_is_not_added() throws Exception {
    try (CodedServers servers = new CodedServers(LAST + 1, OPTIONS);
        CodedClient client = client(servers)) {
      RawServer last = new RawServer(servers, LAST);
      String mark = last.mark();
      remove(client, servers);
      last.setMark(mark.replaceFirst("tier=\\S+", "tier=" + new UUID(1, 2)));

      isNotAdded(client, servers, "belongs to tier");
    }
  }

  private static void remove(CodedClient client, CodedServers servers) {
    CodedClient.await(client.scale(shard -> shard.removeServers(List.of(servers.id(LAST)))));
    assertThat(client.hasInRing(servers.id(LAST))).isFalse();
  }

  /** The addition fails, and nothing else does. */
  private static void isNotAdded(CodedClient client, CodedServers servers, String why) {
    CompletableFuture<Void> change =
        client.scale(shard -> shard.addServers(List.of(servers.id(LAST))));

    assertThat(change)
        .failsWithin(Duration.ofSeconds(40))
        .withThrowableThat()
        .withMessageContaining(why);
    assertThat(client.isScaling()).isFalse();
    assertThat(CodedClient.await(client.set("key", new byte[100]))).isEqualTo(Status.DONE);
    assertThat(client.scrub()).isEmpty();
  }

  private CodedClient client(CodedServers servers) throws Exception {
    return new CodedClient(
        CodedClient.settings(CODE, servers, directory.resolve("metadata"), 1 << 20));
  }
}
