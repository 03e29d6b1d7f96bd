package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.coded.parity.CodedStatistics;
import io.counterpart.cache.coded.parity.Tally;
import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.tier.Status;
import io.counterpart.testkit.random.SeededRandom;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The reads and writes that restore lost servers, counted on real ones. */
@ExtendWith(SeededRandom.class)
@Timeout(120)
class RepairTest {
  private static final String[] OPTIONS = {"-I", "2m", "-M", "-m", "64"};
  private static final long JOURNAL = 4 << 20;
  private static final int OBJECTS = 8000;
  private static final byte[] VALUE = new byte[100];

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({"5, 3, 5", "5, 3, 8", "7, 4, 7"})
  void servers_that_are_lost_together_are_restored_from_one_reading(int n, int k, int count)
      throws Exception {
    CodeShape code = new CodeShape(n, k);
    try (CodedServers servers = new CodedServers(count, OPTIONS);
        CodedClient client = new CodedClient(settings(code, servers))) {
      fill(client);
      client.fold();
      servers.kill(0);
      servers.kill(1);
      await("the losses are noticed").until(() -> client.usable().size() == count - 2);
      servers.start(0);
      servers.start(1);
      // a start finds both at once
      client.crashAndReopen(directory.resolve("next"));
      client.awaitRestored(servers.count());

      CodedStatistics counts = client.shard().statistics();
      assertThat(counts.restored().values()).isPositive();
      Tally parity = counts.restoredParity();
      assertThat(parity.values()).isPositive();
      assertThat(parity.bytes()).isGreaterThan(3000 * parity.values());
      // of each stripe what is there of its data, at most once
      assertThat(counts.repair().records().values())
          .isLessThanOrEqualTo(OBJECTS - counts.restored().values());
      assertThat(client.scrub()).isEmpty();
      for (int server = 2; server < 2 + code.parityCount(); server++) {
        servers.kill(server);
      }
      checkAll(client);
    }
  }

  @ParameterizedTest
  @CsvSource({"7, 4", "5, 3"})
  void one_after_the_other_they_are_whole_again_while_clients_write(int n, int k, Random random)
      throws Exception {
    CodeShape code = new CodeShape(n, k);
    AcknowledgedModel model = new AcknowledgedModel(random, 800, 1000);
    try (CodedServers servers = new CodedServers(n, OPTIONS);
        CodedClient client = new CodedClient(settings(code, servers))) {
      model.change(client, 2500, 32);
      for (int round = 0; round < 3; round++) {
        for (int i = 0; i < code.parityCount(); i++) {
          servers.kill((round + i) % n);
        }
        model.change(client, 300, 16);
        for (int i = 0; i < code.parityCount(); i++) {
          servers.start((round + i) % n);
          model.change(client, 100, 16);
        }
        client.awaitRestored(servers.count());
        assertThat(client.scrub()).as("round %d", round).isEmpty();
        model.check(client, "round " + round);
      }
      for (int i = 0; i < code.parityCount(); i++) {
        servers.kill(n - 1 - i);
      }
      model.check(client, "others killed");
    }
  }

  private static void fill(CodedClient client) {
    List<CompletableFuture<Status>> writes = new ArrayList<>();
    for (int i = 0; i < OBJECTS; i++) {
      writes.add(client.set("key-" + i, VALUE));
      if (i % 200 == 199) {
        writes.forEach(write -> assertThat(CodedClient.await(write)).isEqualTo(Status.DONE));
        writes.clear();
      }
    }
  }

  private static void checkAll(CodedClient client) {
    SeveralAtOnce.ask(
        IntStream.range(0, OBJECTS).mapToObj(i -> "key-" + i).toList(),
        client::get,
        (key, got) -> assertThat(got.value()).as(key).isEqualTo(VALUE));
  }

  private CodedSettings settings(CodeShape code, CodedServers servers) {
    return CodedClient.awaitingAll(
        CodedClient.settings(code, servers, directory.resolve("metadata"), JOURNAL));
  }
}
