package io.counterpart.baselines;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.objects.AcknowledgedModel;
import io.counterpart.cache.objects.CodedClient;
import io.counterpart.cache.objects.CodedServers;
import io.counterpart.testkit.random.SeededRandom;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers of ccmemcached are lost and restored. */
@ExtendWith(SeededRandom.class)
@Timeout(120)
class LostServersTest {
  private static final CodeShape CODE = new CodeShape(5, 3);
  private static final String[] OPTIONS = {"-I", "2m", "-M", "-m", "64"};
  private static final long JOURNAL = 256 << 10;

  @TempDir private Path directory;

  @Test
  void values_outlive_as_many_servers_as_the_code_bears(Random random) throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 400, 5000);
    try (CodedServers servers = new CodedServers(7, OPTIONS);
        CodedClient client = client(CODE, servers)) {
      model.change(client, 3000, 16);
      model.check(client, "healthy");
      client.fold();
      model.check(client, "folded");

      servers.kill(0);
      servers.kill(1);
      model.check(client, "two rings down");
      model.change(client, 1500, 16);
      model.check(client, "written with two rings down");

      servers.start(0);
      servers.start(1);
      client.awaitRestored(servers.count());
      assertThat(client.scrub()).isEmpty();
      model.check(client, "restored");

      servers.kill(2);
      servers.kill(3);
      model.check(client, "two others down");
      model.change(client, 500, 16);
      servers.start(2);
      servers.start(3);
      client.awaitRestored(servers.count());
      model.check(client, "restored again");
    }
  }

  @Test
  void a_server_that_was_stopped_comes_back_without_its_old_data(Random random) throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 200, 1000);
    try (CodedServers servers = new CodedServers(5, OPTIONS);
        CodedClient client = client(CODE, servers)) {
      model.change(client, 1000, 16);
      servers.pause(1);
      model.change(client, 500, 16);
      model.check(client, "one stopped");
      servers.resume(1);
      client.awaitRestored(servers.count());
      model.check(client, "it came back");
      servers.kill(3);
      servers.kill(4);
      model.check(client, "two others down");
    }
  }

  @ParameterizedTest
  @CsvSource({"7, 4", "5, 3"})
  void one_after_the_other_they_are_whole_again_while_clients_write(int n, int k, Random random)
      throws Exception {
    CodeShape code = new CodeShape(n, k);
    AcknowledgedModel model = new AcknowledgedModel(random, 800, 1000);
    try (CodedServers servers = new CodedServers(n, OPTIONS);
        CodedClient client = client(code, servers)) {
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

  private CodedClient client(CodeShape code, CodedServers servers) throws Exception {
    return new CodedClient(
        Baselines.CCMEMCACHED,
        CodedClient.settings(code, servers, directory.resolve("metadata"), JOURNAL));
  }
}
