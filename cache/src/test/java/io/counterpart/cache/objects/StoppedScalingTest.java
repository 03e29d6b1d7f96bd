package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.protocol.MemcachedProcess;
import io.counterpart.cache.ring.ServerId;
import io.counterpart.testkit.random.SeededRandom;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Changes of servers that are stopped before their end, against a model. */
@ExtendWith(SeededRandom.class)
@Timeout(120)
class StoppedScalingTest {
  private static final CodeShape CODE = new CodeShape(5, 3);
  private static final String[] OPTIONS = {"-I", "2m", "-M", "-m", "64"};
  private static final long SMALL_JOURNAL = 256 << 10;

  @TempDir private Path directory;

  @Test
  void an_addition_that_waits_for_a_server_leaves_all_as_it_was(Random random) throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 300, 1000);
    try (CodedServers servers = new CodedServers(5, OPTIONS);
        CodedClient client = new CodedClient(settings(servers))) {
      model.change(client, 800, 16);
      ServerId there = servers.grow();
      ServerId absent = new ServerId("127.0.0.1:" + MemcachedProcess.freePort());
      CompletableFuture<Void> adding =
          client.scale(shard -> shard.addServers(List.of(there, absent)));
      assertThat(client.isScaling()).isTrue();

      stop(client);

      CodedClient.await(adding);
      assertThat(client.isScaling()).isFalse();
      assertThat(client.hasInRing(there)).isFalse();
      assertThat(client.usable()).hasSize(5);
      model.check(client, "stopped");
      assertThat(client.scrub()).isEmpty();

      client.crashAndReopen(directory.resolve("next"));
      model.check(client, "opened again");
      CodedClient.await(client.scale(shard -> shard.addServers(List.of(there))));
      assertThat(client.hasInRing(there)).isTrue();
      model.check(client, "one was added");
      assertThat(client.scrub()).isEmpty();
    }
  }

  @Test
  void a_removal_ends_after_the_wave_under_way(Random random) throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 600, 1000);
    try (CodedServers servers = new CodedServers(10, OPTIONS);
        CodedClient client = new CodedClient(settings(servers))) {
      model.change(client, 2000, 16);
      // of three rings: those of two leave in the first wave
      List<ServerId> removed = List.of(servers.id(0), servers.id(1), servers.id(2));
      CompletableFuture<Void> removing =
          client.scale(
              shard -> {
                CompletableFuture<Void> end = shard.removeServers(removed);
                shard.stopScaling();
                return end;
              });

      CodedClient.await(removing);

      assertThat(removed).map(client::hasInRing).containsExactly(false, false, true);
      assertThat(client.usable()).hasSize(8);
      servers.kill(0);
      servers.kill(1);
      model.check(client, "stopped");
      assertThat(client.scrub()).isEmpty();
      CodedClient.await(client.scale(shard -> shard.removeServers(removed.subList(2, 3))));
      assertThat(client.usable()).hasSize(7);
      model.check(client, "the third was removed");
    }
  }

  private static void stop(CodedClient client) {
    CodedClient.await(
        client.<Boolean>call(
            done -> {
              client.shard().stopScaling();
              done.complete(true);
            }));
  }

  private CodedSettings settings(CodedServers servers) {
    return CodedClient.settings(CODE, servers, directory.resolve("metadata"), SMALL_JOURNAL);
  }
}
