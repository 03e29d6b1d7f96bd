package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.store.FakeStore;
import io.counterpart.cache.tier.Status;
import io.counterpart.testkit.random.SeededRandom;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Coded objects with a persistent store, through losses beyond the code's tolerance. */
@ExtendWith(SeededRandom.class)
@Timeout(120)
class StoredEchashTest {
  private static final CodeShape CODE = new CodeShape(5, 3);
  private static final String[] OPTIONS = {"-I", "2m", "-M", "-m", "64"};
  private static final long SMALL_JOURNAL = 256 << 10;

  @TempDir private Path directory;

  @Test
  void values_outlive_all_servers(Random random) throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 200, 3000);
    try (CodedServers servers = new CodedServers(5, OPTIONS);
        CodedClient client = client(servers)) {
      model.change(client, 1000, 16);
      for (int i = 0; i < 5; i++) {
        servers.kill(i);
      }
      model.check(client, "all servers down");
      model.change(client, 300, 16);
      model.check(client, "written with all servers down");
      for (int i = 0; i < 5; i++) {
        servers.start(i);
      }
      awaitAll(client);
      model.check(client, "all servers back, empty");
      model.change(client, 300, 16);
      // copies that could not be deleted while servers were down are, within seconds
      await("memory is whole").until(() -> client.scrub().isEmpty());
      client.crashAndReopen(directory.resolve("second"));
      model.check(client, "opened again");
    }
  }

  @Test
  void values_stay_right_while_servers_stop_and_go_on(Random random) throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 150, 1000);
    try (CodedServers servers = new CodedServers(5, OPTIONS);
        CodedClient client = client(servers)) {
      model.change(client, 600, 16);
      for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 4; i++) {
          servers.pause((round + i) % 5);
        }
        model.change(client, 200, 16);
        model.check(client, "four stopped");
        for (int i = 0; i < 4; i++) {
          servers.resume((round + i) % 5);
        }
        model.change(client, 100, 16);
        model.check(client, "going on");
        awaitAll(client);
        model.check(client, "all back");
      }
    }
  }

  @Test
  void items_that_vanish_are_read_from_the_store(Random random) throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 100, 300);
    try (CodedServers servers = new CodedServers(5, OPTIONS);
        CodedClient client = client(servers)) {
      model.change(client, 500, 8);
      client.fold();
      for (int server = 0; server < 3; server++) {
        servers.answers(server, "flush_all\r\n".getBytes(StandardCharsets.US_ASCII));
      }

      model.check(client, "three of five servers emptied");
    }
  }

  @Test
  void servers_without_memory_refuse_nothing(Random random) throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 600, 20_000);
    try (CodedServers servers = new CodedServers(5, "-I", "2m", "-M", "-m", "4");
        CodedClient client = client(servers)) {
      model.change(client, 2500, 8);
      byte[] large = new byte[600_000];
      for (int i = 0; i < 10; i++) {
        assertThat(CodedClient.await(client.set("large-" + i, large))).isEqualTo(Status.DONE);
      }
      model.check(client, "full");
    }
  }

  private CodedClient client(CodedServers servers) throws Exception {
    return new CodedClient(
        CODE, servers, directory.resolve("metadata"), SMALL_JOURNAL, FakeStore.atOnce());
  }

  private static void awaitAll(CodedClient client) {
    await("all servers are used")
        .atMost(Duration.ofSeconds(40))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> client.usable().size() == 5);
  }
}
