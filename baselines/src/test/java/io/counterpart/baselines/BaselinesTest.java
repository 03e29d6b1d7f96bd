package io.counterpart.baselines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.coded.CodedScheme;
import io.counterpart.cache.coded.parity.CodedStatistics;
import io.counterpart.cache.coded.parity.ParityTally;
import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.objects.CodedClient;
import io.counterpart.cache.objects.CodedServers;
import io.counterpart.cache.ring.ServerId;
import io.counterpart.cache.tier.Status;
import io.counterpart.testkit.random.SeededRandom;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The differences between the schemes, migrations and repairs under comparison. */
@ExtendWith(SeededRandom.class)
@Timeout(120)
class BaselinesTest {
  private static final CodeShape CODE = new CodeShape(5, 3);
  private static final String[] OPTIONS = {"-I", "2m", "-M", "-m", "64"};
  private static final long JOURNAL = 256 << 10;

  /** Of all objects: stripes that are folded before they are full may be emptied afterwards. */
  private static final long LARGE_JOURNAL = 8 << 20;

  private static final int OBJECTS = 2000;
  private static final List<CodedScheme> REPAIRS =
      List.of(
          Baselines.ECHASH_CHUNK,
          Baselines.ECHASH_CHUNK_EACH,
          Baselines.ECHASH_FRAGMENT,
          CodedScheme.ECHASH);

  @TempDir private Path directory;

  /** The reads of one way to repair. */
  private record Reads(long restored, long objects, long parity, long bytes) {
    static Reads of(CodedStatistics counts) {
      return new Reads(
          counts.restored().values(),
          counts.repair().records().values(),
          counts.repair().parity().values(),
          counts.repair().records().bytes());
    }

    Reads since(Reads before) {
      return new Reads(
          restored - before.restored,
          objects - before.objects,
          parity - before.parity,
          bytes - before.bytes);
    }
  }

  static Stream<Arguments> asInThePaper() {
    return Stream.of(
        Arguments.of("echash", Baselines.ECHASH_PAPER),
        Arguments.of("ccmemcached", Baselines.CCMEMCACHED_PAPER));
  }

  @Test
  void repairs_by_chunk_read_more_objects_and_by_fragment_more_parity() throws Exception {
    Map<CodedScheme, Reads> reads = new HashMap<>();
    try (CodedServers servers = new CodedServers(10, OPTIONS)) {
      CodedSettings settings =
          CodedClient.settings(CODE, servers, directory.resolve("metadata"), LARGE_JOURNAL);
      for (CodedScheme scheme : REPAIRS) {
        try (CodedClient client = new CodedClient(scheme, settings)) {
          if (reads.isEmpty()) {
            fill(client);
          }
          client.awaitRestored(10); // a server that was late for the start does not count
          Reads before = Reads.of(client.shard().statistics());
          servers.kill(0);
          await().until(() -> client.usable().size() == 9);
          servers.start(0);
          client.awaitRestored(10);

          CodedStatistics counts = client.shard().statistics();
          assertThat(counts.restored().bytes()).isGreaterThan(100 * counts.restored().values());
          reads.put(scheme, Reads.of(counts).since(before));
          assertThat(client.scrub()).isEmpty();
          checkAll(client);
        }
      }
    }

    Reads chunk = reads.get(Baselines.ECHASH_CHUNK);
    Reads fragment = reads.get(Baselines.ECHASH_FRAGMENT);
    Reads batched = reads.get(CodedScheme.ECHASH);
    assertThat(batched.restored()).isPositive();
    assertThat(chunk.restored()).isEqualTo(batched.restored());
    assertThat(fragment.restored()).isEqualTo(batched.restored());
    assertThat(fragment.objects()).isEqualTo(batched.objects());
    assertThat(fragment.parity()).isEqualTo(fragment.restored());
    assertThat(batched.parity()).isLessThan(fragment.parity() / 2);
    assertThat(chunk.parity()).isEqualTo(batched.parity());
    assertThat(chunk.objects()).isGreaterThan(batched.objects() * 11 / 10);
    assertThat(chunk.bytes()).isGreaterThan(batched.bytes() * 11 / 10);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("asInThePaper")
  void migration_as_in_the_paper_has_reads_decode(String name, CodedScheme scheme)
      throws Exception {
    int objects = 20_000;
    try (CodedServers servers = new CodedServers(6, OPTIONS);
        CodedClient client = client(scheme, servers)) {
      fill(client, objects);
      List<ServerId> added = List.of(servers.grow(), servers.grow());

      CompletableFuture<Void> adding = client.scale(shard -> shard.addServers(added));
      List<CompletableFuture<Void>> readers = new ArrayList<>();
      for (int i = 0; i < 32; i++) {
        readers.add(readUntil(adding, client, new Random(i), objects));
      }
      readers.forEach(CodedClient::await);
      CodedClient.await(adding);

      CodedStatistics counts = client.shard().statistics();
      assertThat(counts.degradedReads().sum()).isPositive();
      assertThat(counts.failedReads().sum()).isZero();
      assertThat(counts.degraded().records().values()).isGreaterThan(counts.degradedReads().sum());
      assertThat(counts.degraded().parity().bytes()).isPositive();
      assertThat(counts.moved().bytes()).isGreaterThan(100 * counts.moved().values());
      assertThat(client.scrub()).isEmpty();
      checkAll(client, objects);
    }
  }

  /** Reads one object after the other until a future completes. */
  private static CompletableFuture<Void> readUntil(
      CompletableFuture<Void> end, CodedClient client, Random random, int objects) {
    int i = random.nextInt(objects);
    return client
        .get("key-" + i)
        .thenCompose(
            got -> {
              assertThat(got.value()).as("key-" + i).isEqualTo(value(i));
              return end.isDone() ? end : readUntil(end, client, random, objects);
            });
  }

  @Test
  void ccmemcached_updates_parity_when_servers_change_and_echash_moves_it() throws Exception {
    Map<CodedScheme, Double> parityPerObject = new HashMap<>();
    for (CodedScheme scheme : List.of(CodedScheme.ECHASH, Baselines.CCMEMCACHED)) {
      try (CodedServers servers = new CodedServers(6, OPTIONS);
          CodedClient client = client(scheme, servers, "metadata-" + parityPerObject.size())) {
        fill(client);
        ServerId added = servers.grow();
        CodedClient.await(client.scale(shard -> shard.addServers(List.of(added))));

        CodedStatistics counts = client.shard().statistics();
        assertThat(counts.moved().values()).isPositive();
        assertThat(counts.failedReads().sum()).isZero();
        assertThat(client.scrub()).isEmpty();
        ParityTally parity = counts.scalingParity();
        double parityBytes = parity.read().bytes() + parity.written().bytes();
        parityPerObject.put(scheme, parityBytes / counts.moved().bytes());
        checkAll(client);
      }
    }

    assertThat(parityPerObject.get(Baselines.CCMEMCACHED))
        .isGreaterThan(2 * parityPerObject.get(CodedScheme.ECHASH));
  }

  @Test
  void ccmemcached_takes_a_removed_servers_number_for_another() throws Exception {
    try (CodedServers servers = new CodedServers(6, OPTIONS);
        CodedClient client = client(Baselines.CCMEMCACHED, servers)) {
      fill(client);
      ServerId removed = servers.id(2);
      CodedClient.await(client.scale(shard -> shard.removeServers(List.of(removed))));
      servers.kill(2);
      checkAll(client);
      ServerId added = servers.grow();
      CodedClient.await(client.scale(shard -> shard.addServers(List.of(added))));
      assertThat(client.scrub()).isEmpty();
      fill(client);
      client.fold();
      assertThat(client.scrub()).isEmpty();

      servers.kill(0);
      servers.kill(6);
      checkAll(client);
    }
  }

  @Test
  void ccmemcached_starts_without_metadata() throws Exception {
    try (CodedServers servers = new CodedServers(5, OPTIONS)) {
      client(Baselines.CCMEMCACHED, servers).close();

      assertThatThrownBy(() -> client(Baselines.CCMEMCACHED, servers))
          .hasMessageContaining("legal for the baseline ccmemcached: none");
      assertThatThrownBy(() -> client(CodedScheme.ECHASH, servers))
          .hasMessageContaining("code (5,3), legal with the metadata in");
    }
  }

  @Test
  void ccmemcached_refuses_more_servers_than_a_layout_has_bits() {
    List<ServerId> servers = new ArrayList<>();
    for (int i = 0; i < 65; i++) {
      servers.add(new ServerId("127.0.0.1:" + (20_000 + i)));
    }
    CodedSettings settings = CodedSettings.of(CODE, servers, directory.resolve("metadata"));

    assertThatThrownBy(() -> new CodedClient(Baselines.CCMEMCACHED, settings))
        .hasMessageContaining("65 servers with the scheme ccmemcached, legal: up to 64");
  }

  private CodedClient client(CodedScheme scheme, CodedServers servers) throws Exception {
    return client(scheme, servers, "metadata");
  }

  private CodedClient client(CodedScheme scheme, CodedServers servers, String name)
      throws Exception {
    return new CodedClient(
        scheme, CodedClient.settings(CODE, servers, directory.resolve(name), JOURNAL));
  }

  private static void fill(CodedClient client) {
    fill(client, OBJECTS);
  }

  private static void fill(CodedClient client, int objects) {
    List<CompletableFuture<Status>> sets = new ArrayList<>();
    for (int i = 0; i < objects; i++) {
      sets.add(client.set("key-" + i, value(i)));
    }
    sets.forEach(set -> assertThat(CodedClient.await(set)).isEqualTo(Status.DONE));
    client.fold();
  }

  private static void checkAll(CodedClient client) {
    checkAll(client, OBJECTS);
  }

  private static void checkAll(CodedClient client, int objects) {
    List<CompletableFuture<CodedClient.Got>> gets = new ArrayList<>();
    for (int i = 0; i < objects; i++) {
      gets.add(client.get("key-" + i));
    }
    for (int i = 0; i < objects; i++) {
      assertThat(CodedClient.await(gets.get(i)).value()).as("key-" + i).isEqualTo(value(i));
    }
  }

  private static byte[] value(int i) {
    byte[] value = new byte[100 + i % 5];
    new Random(i).nextBytes(value);
    return value;
  }
}
