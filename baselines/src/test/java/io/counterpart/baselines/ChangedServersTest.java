package io.counterpart.baselines;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.coded.CodedScheme;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.objects.AcknowledgedModel;
import io.counterpart.cache.objects.CodedClient;
import io.counterpart.cache.objects.CodedServers;
import io.counterpart.cache.objects.SeveralAtOnce;
import io.counterpart.cache.ring.ServerId;
import io.counterpart.cache.tier.Status;
import io.counterpart.testkit.random.SeededRandom;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Servers are added and removed while clients read and write. */
@ExtendWith(SeededRandom.class)
@Timeout(120)
class ChangedServersTest {
  private static final CodeShape CODE = new CodeShape(5, 3);
  private static final String[] OPTIONS = {"-I", "2m", "-M", "-m", "64"};
  private static final long JOURNAL = 256 << 10;
  private static final int CHANGES = 4;
  private static final int AT_ONCE = 256;

  @TempDir private Path directory;

  static Stream<Arguments> ofOneRing() {
    return Stream.of(
        Arguments.of("ccmemcached", Baselines.CCMEMCACHED),
        Arguments.of("ccmemcached+paper", Baselines.CCMEMCACHED_PAPER));
  }

  static Stream<Arguments> baselines() {
    return Stream.concat(
        ofOneRing(), Stream.of(Arguments.of("echash+paper", Baselines.ECHASH_PAPER)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("baselines")
  void values_stay_while_servers_are_added_and_removed(
      String name, CodedScheme scheme, Random random) throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 600, 2000);
    try (CodedServers servers = new CodedServers(6, OPTIONS);
        CodedClient client = client(scheme, servers)) {
      model.change(client, 2500, 16);
      List<ServerId> added = List.of(servers.grow(), servers.grow(), servers.grow());
      CompletableFuture<Void> adding = client.scale(shard -> shard.addServers(added));
      while (!adding.isDone()) {
        model.change(client, 50, 16);
        model.check(client, "while servers are added");
      }
      CodedClient.await(adding);
      model.check(client, "three added");
      assertThat(client.scrub()).isEmpty();
      assertThat(client.usable()).hasSize(9);

      List<ServerId> removed = List.of(servers.id(0), servers.id(7));
      CompletableFuture<Void> removing = client.scale(shard -> shard.removeServers(removed));
      while (!removing.isDone()) {
        model.change(client, 50, 16);
        model.check(client, "while servers are removed");
      }
      CodedClient.await(removing);
      servers.kill(0);
      servers.kill(7);
      model.check(client, "two removed");
      assertThat(client.scrub()).isEmpty();
      servers.kill(1);
      servers.kill(2);
      model.check(client, "two others killed");
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("baselines")
  void flush_all_while_servers_are_added(String name, CodedScheme scheme, Random random)
      throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 300, 1000);
    try (CodedServers servers = new CodedServers(5, OPTIONS);
        CodedClient client = client(scheme, servers)) {
      model.change(client, 1500, 16);
      List<ServerId> added = List.of(servers.grow(), servers.grow());
      CompletableFuture<Void> adding = client.scale(shard -> shard.addServers(added));
      Thread.sleep(random.nextInt(100));
      client.flushAll();
      model.clear();
      model.check(client, "flushed");
      model.change(client, 300, 16);
      CodedClient.await(adding);
      model.check(client, "added");
      assertThat(client.scrub()).isEmpty();
      servers.kill(0);
      servers.kill(1);
      model.check(client, "two killed");
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("ofOneRing")
  void objects_inserted_when_servers_change_are_on_their_servers(String name, CodedScheme scheme)
      throws Exception {
    try (CodedServers servers = new CodedServers(6, "-I", "2m", "-M", "-m", "64");
        CodedClient client = client(scheme, servers)) {
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

  private CodedClient client(CodedScheme scheme, CodedServers servers) throws Exception {
    return new CodedClient(
        scheme, CodedClient.settings(CODE, servers, directory.resolve("metadata"), JOURNAL));
  }
}
