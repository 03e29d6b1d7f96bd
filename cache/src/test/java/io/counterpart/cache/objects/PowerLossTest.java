package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.ring.ServerId;
import io.counterpart.cache.tier.Status;
import io.counterpart.testkit.random.SeededRandom;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Acknowledged values survive a loss of power of the proxy's host while the servers live on. */
@ExtendWith(SeededRandom.class)
@Timeout(180)
class PowerLossTest {
  private static final CodeShape CODE = new CodeShape(5, 3);
  private static final String[] OPTIONS = {"-I", "2m", "-M", "-m", "64"};

  @TempDir private Path directory;

  /** With small journals, stripes are folded and numbers reused between any two losses. */
  @ParameterizedTest
  @CsvSource({"20, 65536, 3000", "200, 65536, 300", "1, 4194304, 3000"})
  void no_acknowledged_value_is_lost_or_wrong(
      int pauseMillis, long journalBytes, int valueBytes, Random random) throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 150, valueBytes);
    try (CodedServers servers = new CodedServers(6, OPTIONS);
        CodedClient client = new CodedClient(settings(servers, pauseMillis, journalBytes))) {
      for (int life = 1; life <= 10; life++) {
        model.change(client, 100 + random.nextInt(600), 16);
        if (life % 4 == 0) {
          client.flushAll();
          model.clear();
          model.change(client, random.nextInt(100), 16);
        }
        model.changeWithoutWaiting(client, 60);
        client.losePowerAndReopen(directory.resolve("life-" + life), random);
        model.check(client, "life " + life);
        client.awaitRestored(servers.count()); // a server may be late for the start
        assertThat(client.scrub()).as("life %d", life).isEmpty();
      }
      servers.kill(0);
      servers.kill(1);
      model.check(client, "two rings down");
    }
  }

  @Test
  void no_acknowledged_value_is_lost_after_any_write(Random random) throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 30, 3000);
    try (CodedServers servers = new CodedServers(5, OPTIONS);
        CodedClient client = new CodedClient(settings(servers, 300, 65_536))) {
      for (int life = 1; life <= 25; life++) {
        model.change(client, 1 + random.nextInt(3), 1);
        client.losePowerAndReopen(directory.resolve("life-" + life), random);
        model.check(client, "life " + life);
      }
      assertThat(client.scrub()).isEmpty();
    }
  }

  @Test
  void a_server_that_lacks_writes_is_still_known_for_that(Random random) throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 150, 1000);
    try (CodedServers servers = new CodedServers(5, OPTIONS);
        CodedClient client = new CodedClient(settings(servers, 300, 65_536))) {
      for (int life = 1; life <= 3; life++) {
        model.change(client, 400, 16);
        int stopped = random.nextInt(5);
        servers.pause(stopped);
        model.change(client, 50, 16);
        client.losePower(directory.resolve("life-" + life), random);
        servers.resume(stopped);
        client.reopen();
        model.check(client, "life " + life);
        client.awaitRestored(servers.count());
        assertThat(client.scrub()).as("life %d", life).isEmpty();
      }
    }
  }

  @Test
  void servers_that_were_emptied_are_not_emptied_again(Random random) throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 150, 1000);
    try (CodedServers servers = new CodedServers(5, OPTIONS);
        CodedClient client = new CodedClient(settings(servers, 300, 65_536))) {
      for (int life = 1; life <= 4; life++) {
        client.flushAll(); // by which all servers are stale, and emptied
        model.clear();
        model.change(client, 40, 16);
        client.losePowerAndReopen(directory.resolve("life-" + life), random);
        model.check(client, "life " + life);
      }
    }
  }

  @Test
  void what_a_flush_records_is_durable_before_a_server_that_just_joins_is_emptied()
      throws Exception {
    try (CodedServers servers = new CodedServers(5, OPTIONS);
        HoldingRelay relay = new HoldingRelay(new RawServer(servers, 0).port());
        CodedClient client =
            new CodedClient(
                relay
                    .settings(servers, directory.resolve("life-0"), 65_536, CodedClient.QUICK)
                    .with(Duration.ofSeconds(2)))) {
      CodedClient.await(client.set("key", new byte[100]));
      client.fold(); // a sync has just begun: the next one comes in two seconds
      RawServer joining = new RawServer(servers, 0);
      long flushes = joining.flushes();
      relay.hold("lru mode flat");
      relay.cut();
      relay.holds().get(40, TimeUnit.SECONDS);
      client.call(done -> client.tier().flushAll(0, got -> done.complete(got.status())));
      client.usable();
      long end = PowerLoss.end(client.settings().metadata());
      relay.release();
      await("it is emptied")
          .pollInterval(Duration.ofMillis(1))
          .until(() -> joining.flushes() > flushes);
      assertThat(
              CodedClient.await(
                  client.<Long>call(done -> done.complete(client.shard().durableMetadata()))))
          .isGreaterThanOrEqualTo(end);
    }
  }

  @Test
  void a_change_of_servers_goes_on(Random random) throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 400, 1000);
    try (CodedServers servers = new CodedServers(6, OPTIONS);
        CodedClient client = new CodedClient(settings(servers, 50, 65_536))) {
      model.change(client, 1500, 16);
      ServerId added = servers.grow();
      client.scale(shard -> shard.addServers(List.of(added)));
      await("the wave has begun")
          .pollInterval(Duration.ofMillis(1))
          .until(() -> client.hasInRing(added));
      model.change(client, random.nextInt(100), 16);
      for (int life = 1; life <= 3; life++) {
        client.losePowerAndReopen(directory.resolve("life-" + life), random);
        model.change(client, random.nextInt(100), 16);
        model.check(client, "life " + life);
      }
      await("the change ends").until(() -> !client.isScaling());
      assertThat(client.scrub()).isEmpty();
      servers.kill(0);
      servers.kill(1);
      model.check(client, "two others killed");
    }
  }

  private CodedSettings settings(CodedServers servers, int pauseMillis, long journalBytes) {
    return CodedClient.settings(CODE, servers, directory.resolve("life-0"), journalBytes)
        .with(Duration.ofMillis(pauseMillis));
  }

  /** A flush of all. */
  @Test
  void no_server_is_emptied_before_that_is_durable() throws Exception {
    try (CodedServers servers = new CodedServers(5, OPTIONS);
        CodedClient client = new CodedClient(settings(servers, 1000, 65_536))) {
      CodedClient.await(client.set("key", new byte[100]));
      client.fold();
      long[] before =
          IntStream.range(0, 5).mapToLong(i -> new RawServer(servers, i).flushes()).toArray();
      CompletableFuture<Status> flushed =
          client.call(done -> client.tier().flushAll(0, got -> done.complete(got.status())));
      client.usable(); // the loop has begun with it
      long end = PowerLoss.end(client.settings().metadata());
      await("a server is emptied")
          .pollInterval(Duration.ofMillis(1))
          .until(
              () ->
                  IntStream.range(0, 5)
                      .anyMatch(i -> new RawServer(servers, i).flushes() > before[i]));
      long durable =
          CodedClient.await(
              client.<Long>call(done -> done.complete(client.shard().durableMetadata())));

      assertThat(durable).isGreaterThanOrEqualTo(end);
      assertThat(CodedClient.await(flushed)).isEqualTo(Status.DONE);
    }
  }
}
