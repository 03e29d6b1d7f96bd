package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.ring.ServerId;
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
 * Servers that the tier had at its start, and that cannot be added again: it has let them go and
 * cannot use them any more, or has them still under another name.
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

      isNotAdded(client, servers.id(LAST), "evictions");
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

      isNotAdded(client, servers.id(LAST), "belongs to tier");
    }
  }

  /** To be added it would be emptied, and nobody would restore what the tier has there. */
  @Test
  void one_that_the_tier_has_under_another_name_is_not_added() throws Exception {
    try (CodedServers servers = new CodedServers(LAST + 1, OPTIONS);
        CodedClient client = client(servers);
        HoldingRelay other = new HoldingRelay(new RawServer(servers, 0).port())) {
      RawServer first = new RawServer(servers, 0);
      await("it is whole").atMost(Duration.ofSeconds(40)).until(() -> RawServer.areWhole(servers));
      long flushes = first.flushes();

      isNotAdded(client, other.id(), "another name");

      assertThat(first.flushes()).isEqualTo(flushes);
    }
  }

  private static void remove(CodedClient client, CodedServers servers) {
    CodedClient.await(client.scale(shard -> shard.removeServers(List.of(servers.id(LAST)))));
    assertThat(client.hasInRing(servers.id(LAST))).isFalse();
  }

  /** The addition fails, and nothing else does. */
  private static void isNotAdded(CodedClient client, ServerId server, String why) {
    CompletableFuture<Void> change = client.scale(shard -> shard.addServers(List.of(server)));

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
