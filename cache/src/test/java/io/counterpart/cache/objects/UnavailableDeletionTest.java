package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.tier.Status;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers of more than n − k rings that are lost while an object is deleted. */
@Timeout(120)
class UnavailableDeletionTest {
  @TempDir private Path directory;

  @Test
  void is_not_acknowledged() throws Exception {
    try (CodedServers servers = new CodedServers(5, "-I", "2m", "-M", "-m", "64");
        HoldingRelay relay = new HoldingRelay(new RawServer(servers, 0).port());
        CodedClient client =
            new CodedClient(relay.patientSettings(servers, directory.resolve("metadata")))) {
      RawServer server = new RawServer(servers, 0);
      String key = "k";
      assertThat(CodedClient.await(client.set(key, value()))).isEqualTo(Status.DONE);
      while (server.record(key).isEmpty()) {
        key += "x"; // until it is there that the object belongs
        assertThat(CodedClient.await(client.set(key, value()))).isEqualTo(Status.DONE);
      }

      relay.hold("md " + key);
      CompletableFuture<Status> deletion = client.delete(key);
      relay.holds().get(40, TimeUnit.SECONDS);
      servers.kill(1);
      servers.kill(2);
      await("two are lost")
          .atMost(Duration.ofSeconds(40))
          .until(() -> client.usable().size() <= servers.count() - 2);
      assertThat(deletion).isNotDone();
      relay.close();

      assertThat(CodedClient.await(deletion)).isEqualTo(Status.UNAVAILABLE);
    }
  }

  @Test
  void of_all_objects_is_not_acknowledged() throws Exception {
    try (CodedServers servers = new CodedServers(5, "-I", "2m", "-M", "-m", "64");
        HoldingRelay relay = new HoldingRelay(new RawServer(servers, 0).port());
        CodedClient client = new CodedClient(settings(servers, relay))) {
      assertThat(CodedClient.await(client.set("k", value()))).isEqualTo(Status.DONE);
      for (int server = 1; server <= 3; server++) {
        servers.kill(server);
      }
      await("three are lost").until(() -> client.usable().size() == 2);

      Status status =
          CodedClient.await(
              client.<Status>call(
                  done -> client.tier().flushAll(0, outcome -> done.complete(outcome.status()))));

      assertThat(status).isEqualTo(Status.UNAVAILABLE);
    }
  }

  private CodedSettings settings(CodedServers servers, HoldingRelay relay) {
    return relay.settings(servers, directory.resolve("metadata"), 1 << 20, CodedClient.QUICK);
  }

  private static byte[] value() {
    return "value".repeat(20).getBytes(StandardCharsets.US_ASCII);
  }
}
