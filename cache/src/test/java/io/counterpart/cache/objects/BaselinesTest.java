package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.coded.parity.CodedStatistics;
import io.counterpart.cache.coded.settings.CodedScheme;
import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coded.settings.MigrationMode;
import io.counterpart.cache.coded.settings.RepairMode;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.ring.ServerId;
import io.counterpart.cache.tier.Status;
import io.counterpart.testkit.random.SeededRandom;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The differences between the schemes, migrations and repairs under comparison. */
@ExtendWith(SeededRandom.class)
@Timeout(120)
class BaselinesTest {
  private static final CodeShape CODE = new CodeShape(5, 3);
  private static final String[] OPTIONS = {"-I", "2m", "-M", "-m", "64"};
  private static final long JOURNAL = 256 << 10;
  private static final int OBJECTS = 2000;

  @TempDir private Path directory;

  /** The reads of one repair mode. */
  private record Reads(long restored, long objects, long parity, long bytes) {}

  @Test
  void repairs_by_chunk_read_more_objects_and_by_fragment_more_parity() throws Exception {
    Map<RepairMode, Reads> reads = new EnumMap<>(RepairMode.class);
    try (CodedServers servers = new CodedServers(10, OPTIONS)) {
      for (RepairMode mode : RepairMode.values()) {
        CodedSettings settings =
            CodedClient.settings(CODE, servers, directory.resolve("metadata"), JOURNAL).with(mode);
        try (CodedClient client = new CodedClient(settings)) {
          if (reads.isEmpty()) {
            fill(client);
          }
          servers.kill(0);
          await().until(() -> client.usable().size() == 9);
          servers.start(0);
          client.awaitRestored(10);

          CodedStatistics counts = client.shard().statistics();
          assertThat(counts.restoredBytes()).isGreaterThan(100 * counts.restoredObjects());
          reads.put(
              mode,
              new Reads(
                  counts.restoredObjects(),
                  counts.repairObjectsRead(),
                  counts.repairParityItemsRead(),
                  counts.repairObjectBytesRead()));
          assertThat(client.scrub()).as(mode.toString()).isEmpty();
          checkAll(client);
        }
      }
    }

    Reads chunk = reads.get(RepairMode.CHUNK);
    Reads fragment = reads.get(RepairMode.FRAGMENT);
    Reads batched = reads.get(RepairMode.BATCHED);
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

  @ParameterizedTest
  @EnumSource(CodedScheme.class)
  void migration_as_in_the_paper_has_reads_decode(CodedScheme scheme) throws Exception {
    int objects = 20_000;
    try (CodedServers servers = new CodedServers(6, OPTIONS);
        CodedClient client = new CodedClient(settings(scheme, servers).with(MigrationMode.PAPER))) {
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
      assertThat(counts.degradedReads()).isPositive();
      assertThat(counts.failedReads()).isZero();
      assertThat(counts.degradedObjectsRead()).isGreaterThan(counts.degradedReads());
      assertThat(counts.degradedParityBytesRead()).isPositive();
      assertThat(counts.movedBytes()).isGreaterThan(100 * counts.movedObjects());
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
    Map<CodedScheme, Double> parityPerObject = new EnumMap<>(CodedScheme.class);
    for (CodedScheme scheme : CodedScheme.values()) {
      try (CodedServers servers = new CodedServers(6, OPTIONS);
          CodedClient client = new CodedClient(settings(scheme, servers))) {
        fill(client);
        ServerId added = servers.grow();
        CodedClient.await(client.scale(shard -> shard.addServers(List.of(added))));

        CodedStatistics counts = client.shard().statistics();
        assertThat(counts.movedObjects()).as(scheme.toString()).isPositive();
        assertThat(counts.failedReads()).isZero();
        assertThat(client.scrub()).as(scheme.toString()).isEmpty();
        parityPerObject.put(
            scheme,
            (double) (counts.scalingParityBytesRead() + counts.scalingParityBytesWritten())
                / counts.movedBytes());
        checkAll(client);
      }
    }

    assertThat(parityPerObject.get(CodedScheme.CCMEMCACHED))
        .isGreaterThan(2 * parityPerObject.get(CodedScheme.ECHASH));
  }

  @Test
  void ccmemcached_takes_a_removed_servers_number_for_another() throws Exception {
    try (CodedServers servers = new CodedServers(6, OPTIONS);
        CodedClient client = new CodedClient(settings(CodedScheme.CCMEMCACHED, servers))) {
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

  @ParameterizedTest
  @CsvSource({"ECHASH, LIVE", "ECHASH, PAPER", "CCMEMCACHED, LIVE", "CCMEMCACHED, PAPER"})
  void changes_of_servers_outlive_crashes_at_any_moment(
      CodedScheme scheme, MigrationMode migration, Random random) throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 500, 1500);
    try (CodedServers servers = new CodedServers(6, OPTIONS);
        CodedClient client =
            new CodedClient(
                CodedClient.settings(CODE, servers, directory.resolve("life-0"), JOURNAL)
                    .with(scheme)
                    .with(migration))) {
      model.change(client, 2000, 16);
      ServerId seventh = servers.grow();
      for (int life = 1; life <= 6; life++) {
        boolean grows = client.usable().size() == 6;
        List<ServerId> changed = List.of(seventh);
        client.scale(shard -> grows ? shard.addServers(changed) : shard.removeServers(changed));
        Thread.sleep(random.nextInt(60));
        model.changeWithoutWaiting(client, 20);
        client.crashAndReopen(directory.resolve("life-" + life));
        model.check(client, "life " + life);
        // a server that was used before is waited for
        await("the change ends").atMost(Duration.ofSeconds(40)).until(() -> !client.isScaling());
        assertThat(client.scrub()).as("life %d", life).isEmpty();
        model.change(client, 100, 16);
      }
      servers.kill(0);
      servers.kill(1);
      model.check(client, "two killed");
    }
  }

  @ParameterizedTest
  @CsvSource({"ECHASH, 6", "ECHASH, 10", "CCMEMCACHED, 6"})
  void changes_of_servers_outlive_the_proxy_and_servers_at_once(
      CodedScheme scheme, int count, Random random) throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 500, 1500);
    try (CodedServers servers = new CodedServers(count, OPTIONS);
        CodedClient client =
            new CodedClient(
                CodedClient.settings(CODE, servers, directory.resolve("life-0"), JOURNAL)
                    .with(scheme))) {
      model.change(client, 2000, 16);
      ServerId added = servers.grow();
      for (int life = 1; life <= 3; life++) {
        boolean grows = client.usable().size() == count;
        List<ServerId> changed = List.of(added);
        client.scale(shard -> grows ? shard.addServers(changed) : shard.removeServers(changed));
        Thread.sleep(random.nextInt(60));
        model.changeWithoutWaiting(client, 20);
        int first = random.nextInt(count);
        int second = inOtherRing(first, count + 1, random);
        servers.kill(first);
        if (scheme == CodedScheme.ECHASH) {
          servers.kill(second); // the baseline bears one less if its proxy is lost at that moment
        }
        client.crashAndReopen(directory.resolve("life-" + life));
        model.check(client, "life %d without %d and %d".formatted(life, first, second));
        servers.start(first);
        if (scheme == CodedScheme.ECHASH) {
          servers.start(second);
        }
        await("the change ends").atMost(Duration.ofSeconds(40)).until(() -> !client.isScaling());
        client.awaitRestored(client.hasInRing(added) ? count + 1 : count);
        model.check(client, "life %d restored".formatted(life));
        assertThat(client.scrub()).as("life %d", life).isEmpty();
      }
    }
  }

  /** Another server, in another ring than this one: the i-th is in ring i mod n. */
  private static int inOtherRing(int server, int count, Random random) {
    int other = server;
    while ((other - server) % CODE.n() == 0) {
      other = random.nextInt(count);
    }
    return other;
  }

  /**
   * Entries stay where parity was: without these servers nothing would show that parity is behind.
   */
  @ParameterizedTest
  @EnumSource(CodedScheme.class)
  void parity_that_has_moved_is_not_behind_journals_that_have_not(CodedScheme scheme)
      throws Exception {
    try (CodedServers servers = new CodedServers(10, OPTIONS);
        CodedClient client =
            new CodedClient(
                CodedClient.settings(CODE, servers, directory.resolve("first"), 32 << 20)
                    .with(scheme))) {
      writeLarge(client, (byte) 1);
      client.fold();
      writeLarge(client, (byte) 2);
      List<ServerId> added = List.of(servers.grow(), servers.grow());
      CodedClient.await(client.scale(shard -> shard.addServers(added)));
      servers.kill(0);
      servers.kill(1);
      client.crashAndReopen(directory.resolve("second"));
      servers.start(0);
      servers.start(1);
      client.awaitRestored(12);
      assertThat(client.scrub()).isEmpty();
    }
  }

  /** Writes values so large that a stripe has one column. */
  private static void writeLarge(CodedClient client, byte content) {
    byte[] value = new byte[3000];
    Arrays.fill(value, content);
    for (int i = 0; i < OBJECTS; i += 50) {
      IntStream.range(i, i + 50)
          .mapToObj(number -> client.set("large-" + number, value))
          .toList()
          .forEach(write -> assertThat(CodedClient.await(write)).isEqualTo(Status.DONE));
    }
  }

  @Test
  void a_shard_knows_its_scheme() throws Exception {
    try (CodedServers servers = new CodedServers(5, OPTIONS)) {
      CodedSettings made = settings(CodedScheme.CCMEMCACHED, servers);
      new CodedClient(made).close();

      assertThatThrownBy(() -> new CodedClient(made.with(CodedScheme.ECHASH)))
          .hasMessageContaining("scheme echash, legal with the metadata in")
          .hasMessageEndingWith(": ccmemcached");
      new CodedClient(made).close();
    }
  }

  @Test
  void ccmemcached_refuses_more_servers_than_a_layout_has_bits() {
    List<ServerId> servers = new ArrayList<>();
    for (int i = 0; i < 65; i++) {
      servers.add(new ServerId("127.0.0.1:" + (20_000 + i)));
    }
    CodedSettings settings =
        CodedSettings.of(CODE, servers, directory.resolve("metadata"))
            .with(CodedScheme.CCMEMCACHED);

    assertThatThrownBy(() -> new CodedClient(settings))
        .hasMessageContaining("65 servers with the scheme ccmemcached, legal: up to 64");
  }

  private CodedSettings settings(CodedScheme scheme, CodedServers servers) {
    return CodedClient.settings(CODE, servers, directory.resolve(scheme.toString()), JOURNAL)
        .with(scheme);
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
