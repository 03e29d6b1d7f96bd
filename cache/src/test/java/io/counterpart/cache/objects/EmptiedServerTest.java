package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.tier.Status;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers that lose their mark while their connection stays. */
@Timeout(120)
class EmptiedServerTest {
  private static final Duration REPLY = Duration.ofMillis(1000);

  /** A server that is slow on a busy machine is not lost. */
  private static final Duration LONG_REPLY = Duration.ofSeconds(5);

  private static final int KEYS = 100;

  @TempDir private Path directory;

  @Test
  void what_somebody_has_flushed_is_restored_before_others_are_lost() throws Exception {
    try (CodedServers servers = servers();
        CodedClient client = new CodedClient(settings(servers, LONG_REPLY))) {
      setAll(client, "key-", "folded");
      client.fold();
      setAll(client, "other-", "journalled");

      new RawServer(servers, 0).flush();
      awaitRestored(client, servers);

      assertThat(client.losses()).as("it stays connected").isZero();
      assertThat(client.scrub()).isEmpty();
      servers.kill(1);
      servers.kill(2);
      checkAll(client, "key-", "folded");
      checkAll(client, "other-", "journalled");
    }
  }

  @Test
  void a_restart_takes_it_for_emptied_too() throws Exception {
    try (CodedServers servers = servers();
        CodedClient client = new CodedClient(settings(servers))) {
      setAll(client, "key-", "value");
      client.crash(directory.resolve("second"));
      new RawServer(servers, 0).flush();

      client.reopen();
      awaitRestored(client, servers);

      assertThat(client.scrub()).isEmpty();
      servers.kill(1);
      servers.kill(2);
      checkAll(client, "key-", "value");
    }
  }

  /** One that evicts stays connected, so that its next restart is noticed. */
  @Test
  void one_that_comes_back_unfit_while_all_is_deleted_holds_nobody_up() throws Exception {
    try (CodedServers servers = servers();
        CodedClient client = new CodedClient(settings(servers))) {
      setAll(client, "key-", "value");
      servers.pause(1);
      CompletableFuture<Void> flushed = CompletableFuture.runAsync(client::flushAll);
      Thread.sleep(200);
      servers.kill(0);
      servers.start(0, "-m", "64");
      Thread.sleep(2 * REPLY.toMillis());

      servers.resume(1);

      assertThat(flushed).succeedsWithin(Duration.ofSeconds(40));
      setAll(client, "key-", "after");
    }
  }

  @Test
  void what_came_after_it_stays() throws Exception {
    try (CodedServers servers = servers();
        CodedClient client = new CodedClient(settings(servers))) {
      setAll(client, "key-", "before");
      for (int server = 0; server < servers.count(); server++) {
        new RawServer(servers, server).flush();
      }

      setAll(client, "key-", "after");
      awaitRestored(client, servers);

      checkAll(client, "key-", "after");
      servers.kill(1);
      servers.kill(2);
      checkAll(client, "key-", "after");
    }
  }

  /** Their stripes are freed while reads wait for these. */
  @Test
  void reads_of_what_is_lost_meanwhile_find_nothing() throws Exception {
    try (CodedServers servers = servers();
        CodedClient client = new CodedClient(settings(servers))) {
      List<String> keys = IntStream.range(0, 5 * KEYS).mapToObj(i -> "key-" + i).toList();
      for (int round = 0; round < 5; round++) {
        SeveralAtOnce.ask(keys, key -> client.set(key, new byte[800]), (key, done) -> {});
        for (int server = 0; server < servers.count(); server++) {
          servers.kill(server);
        }
        await("their loss is noticed").until(() -> client.usable().isEmpty());
        for (int server = 0; server < servers.count(); server++) {
          servers.start(server);
        }
        await("they are back").until(() -> client.usable().size() == servers.count());
        SeveralAtOnce.ask(keys, client::get, (key, got) -> {});
        awaitRestored(client, servers);
      }

      setAll(client, "key-", "after");
      checkAll(client, "key-", "after");
    }
  }

  /** Another owner may have had the server meanwhile, and released it. */
  @Test
  void what_is_there_after_a_long_pause_is_not_relied_on() throws Exception {
    CountDownLatch wake = new CountDownLatch(1);
    try (CodedServers servers = servers();
        CodedClient client = new CodedClient(settings(servers))) {
      RawServer server = new RawServer(servers, 0);
      setAll(client, "key-", "old");
      String key =
          IntStream.range(0, KEYS)
              .mapToObj(i -> "key-" + i)
              .filter(candidate -> !server.record(candidate).isEmpty())
              .findFirst()
              .orElseThrow();
      String old = server.record(key);
      setAll(client, "key-", "new");
      client.fold();

      client.standStill(wake);
      CompletableFuture<CodedClient.Got> read = client.get(key);
      server.deleteMark();
      server.putBack(key, old);
      Thread.sleep(REPLY.multipliedBy(4).toMillis()); // until the lease is over
      wake.countDown();

      assertThat(CodedClient.await(read).value()).isEqualTo(value("new"));
      awaitRestored(client, servers);
      checkAll(client, "key-", "new");
      assertThat(client.scrub()).isEmpty();
    } finally {
      wake.countDown();
    }
  }

  private static CodedServers servers() throws Exception {
    return new CodedServers(5, "-I", "2m", "-M", "-m", "64");
  }

  private static void setAll(CodedClient client, String prefix, String text) {
    for (int i = 0; i < KEYS; i++) {
      Status done = CodedClient.await(client.set(prefix + i, value(text)));
      assertThat(done).isEqualTo(Status.DONE);
    }
  }

  private static void checkAll(CodedClient client, String prefix, String text) {
    for (int i = 0; i < KEYS; i++) {
      CodedClient.Got got = CodedClient.await(client.get(prefix + i));
      assertThat(got.value()).as(prefix + i).isEqualTo(value(text));
    }
  }

  private static void awaitRestored(CodedClient client, CodedServers servers) {
    await("all servers are whole")
        .atMost(Duration.ofSeconds(40))
        .until(() -> client.usable().size() == servers.count() && RawServer.areWhole(servers));
  }

  private CodedSettings settings(CodedServers servers) {
    return settings(servers, REPLY);
  }

  private CodedSettings settings(CodedServers servers, Duration reply) {
    return new CodedSettings(
        new CodeShape(5, 3),
        servers.ids(),
        directory.resolve("first"),
        256 << 10,
        Duration.ofSeconds(2),
        CodedClient.answeringWithin(reply));
  }

  private static byte[] value(String text) {
    return text.repeat(20).getBytes(StandardCharsets.US_ASCII);
  }
}
