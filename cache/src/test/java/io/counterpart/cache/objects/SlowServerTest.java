package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.tier.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that answers, but late, since much is asked of it. */
@Timeout(120)
class SlowServerTest {
  private static final Duration REPLY = Duration.ofSeconds(2);
  private static final int SERVERS = 10;
  private static final int KEYS = 400;
  private static final int LARGE_BYTES = 200_000;
  private static final int READS = 400;

  /** With it 80 MB take about 60 s. */
  private static final int MILLIS_PER_64_KIB = 50;

  @TempDir private Path directory;

  @Test
  void keeps_no_writes_from_other_servers() throws Exception {
    try (CodedServers servers = new CodedServers(SERVERS, "-I", "2m", "-M", "-m", "64");
        HoldingRelay relay = new HoldingRelay(new RawServer(servers, 0).port());
        CodedClient client = new CodedClient(settings(servers, relay))) {
      RawServer server = new RawServer(servers, 0);
      String large = "large-";
      while (server.record(large).isEmpty()) {
        large += "x"; // until it is there that the object belongs
        Status done = CodedClient.await(client.set(large, new byte[LARGE_BYTES]));
        assertThat(done).isEqualTo(Status.DONE);
      }
      for (int i = 0; i < KEYS; i++) {
        Status done = CodedClient.await(client.set("small-" + i, new byte[1000]));
        assertThat(done).isEqualTo(Status.DONE);
      }
      client.fold();

      relay.slow(MILLIS_PER_64_KIB);
      for (int i = 0; i < READS; i++) {
        client.get(large);
      }
      await("it answers, and is used for longer than a lease")
          .during(REPLY.multipliedBy(4))
          .atMost(REPLY.multipliedBy(15))
          .until(() -> client.usable().size() == SERVERS);

      List<CompletableFuture<Status>> writes = new ArrayList<>();
      for (int i = 0; i < KEYS; i++) {
        writes.add(client.set("small-" + i, new byte[1000]));
      }
      await("those that do not need it, before it is given up")
          .atMost(REPLY.multipliedBy(8))
          .until(() -> writes.stream().filter(CompletableFuture::isDone).count() > KEYS / 4);
      assertThat(client.usable()).hasSize(SERVERS);
    }
  }

  private CodedSettings settings(CodedServers servers, HoldingRelay relay) {
    return relay.settings(
        servers, directory.resolve("metadata"), 64 << 20, CodedClient.answeringWithin(REPLY));
  }
}
