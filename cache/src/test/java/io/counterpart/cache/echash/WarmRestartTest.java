package io.counterpart.cache.echash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.coded.CodedScheme;
import io.counterpart.cache.coded.CodedSettings;
import io.counterpart.cache.coded.CodedStatistics;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.testkit.random.SeededRandom;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers that keep their items over a stop and a start, against a model. */
@ExtendWith(SeededRandom.class)
@Timeout(120)
class WarmRestartTest {
  private static final CodeShape CODE = new CodeShape(5, 3);
  private static final String[] OPTIONS = {"-I", "2m", "-M", "-m", "32"};
  private static final long SMALL_JOURNAL = 256 << 10;
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");

  @TempDir private Path directory;
  private Path itemFiles;

  @BeforeEach
  void make_a_directory_that_memcached_may_write() throws IOException {
    assumeThat(SHARED_MEMORY).isDirectory().isWritable();
    itemFiles = Files.createTempDirectory(SHARED_MEMORY, "counterpart-test-");
    Files.setPosixFilePermissions(itemFiles, PosixFilePermissions.fromString("rwxrwxrwx"));
  }

  @AfterEach
  void delete_it() throws IOException {
    if (itemFiles == null) {
      return;
    }
    try (Stream<Path> files = Files.walk(itemFiles)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(CodedScheme.class)
  void a_server_that_missed_no_write_needs_no_repair(CodedScheme scheme, Random random)
      throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 400, 3000);
    try (CodedServers servers = new CodedServers(itemFiles, 5, OPTIONS);
        CodedClient client = new CodedClient(settings(scheme, servers))) {
      model.change(client, 2000, 16);
      awaitRest(client);
      for (int server = 0; server < 2; server++) {
        int others = 4;
        servers.stopWarm(server);
        await("the end is noticed").until(() -> client.usable().size() == others);
        model.check(client, "while it is away");
        servers.start(server);
        await("it is back").until(() -> client.usable().size() == 5);
        awaitRest(client);
      }

      assertThat(restoredBytes(client)).isZero();
      assertThat(client.toRestore()).isZero();
      assertThat(client.scrub()).isEmpty();
      servers.kill(2);
      servers.kill(3);
      model.check(client, "two others down");
      model.change(client, 300, 16);
      model.check(client, "written with two others down");
    }
  }

  @ParameterizedTest
  @EnumSource(CodedScheme.class)
  void a_server_that_missed_writes_is_restored(CodedScheme scheme, Random random) throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 400, 3000);
    try (CodedServers servers = new CodedServers(itemFiles, 5, OPTIONS);
        CodedClient client = new CodedClient(settings(scheme, servers))) {
      model.change(client, 1000, 16);
      servers.stopWarm(0);
      model.change(client, 500, 16);
      servers.start(0);
      awaitRestored(client, servers);
      assertThat(restoredBytes(client)).isPositive();
      assertThat(client.scrub()).isEmpty();
      model.check(client, "restored");

      // what was emptied must not be there again
      awaitRest(client);
      servers.stopWarm(0);
      await("the end is noticed").until(() -> client.usable().size() == 4);
      servers.start(0);
      await("it is back").until(() -> client.usable().size() == 5);
      assertThat(client.scrub()).isEmpty();
      servers.kill(1);
      servers.kill(2);
      model.check(client, "two others down");
    }
  }

  @ParameterizedTest
  @EnumSource(CodedScheme.class)
  void a_proxy_that_starts_takes_it_as_it_is(CodedScheme scheme, Random random) throws Exception {
    AcknowledgedModel model = new AcknowledgedModel(random, 400, 3000);
    try (CodedServers servers = new CodedServers(itemFiles, 5, OPTIONS);
        CodedClient client = new CodedClient(settings(scheme, servers))) {
      model.change(client, 1000, 16);
      model.changeWithoutWaiting(client, 40);
      for (int server = 0; server < 5; server++) {
        servers.stopWarm(server);
      }
      for (int server = 0; server < 5; server++) {
        servers.start(server);
      }
      client.crashAndReopen(directory.resolve("next"));
      awaitRestored(client, servers);
      model.check(client, "opened again");
      assertThat(client.scrub()).isEmpty();
    }
  }

  /** Waits until nothing is written in the background. */
  private static void awaitRest(CodedClient client) {
    client.fold();
    long[] last = {-1};
    await("no stripe is emptied any more")
        .pollInterval(Duration.ofSeconds(1))
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> {
              long before = last[0];
              last[0] = client.shard().statistics().objectsOfEmptiedStripes();
              return last[0] == before;
            });
    client.fold();
  }

  private static long restoredBytes(CodedClient client) {
    CodedStatistics counts = client.shard().statistics();
    return counts.restoredBytes()
        + counts.restoredParityBytes()
        + counts.repairObjectBytesRead()
        + counts.repairParityBytesRead();
  }

  private CodedSettings settings(CodedScheme scheme, CodedServers servers) {
    return CodedClient.settings(CODE, servers, directory.resolve("metadata"), SMALL_JOURNAL)
        .with(scheme);
  }

  private static void awaitRestored(CodedClient client, CodedServers servers) {
    await("servers are restored")
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> client.usable().size() == servers.count() && client.toRestore() == 0);
  }
}
