package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.tier.Status;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Starts with half of the rings, for a code whose k is at most that. */
@Timeout(120)
class TakeoverQuorumTest {
  private static final CodeShape CODE = new CodeShape(4, 2);
  private static final Duration REPLY = Duration.ofSeconds(1);
  private static final Duration START_WAIT = Duration.ofMillis(500);

  @TempDir private Path directory;

  /** An owner that serves with the other two rings would stay unnoticed. */
  @Test
  void a_start_elsewhere_waits_for_a_third_ring() throws Exception {
    try (CodedServers servers = new CodedServers(4, "-I", "2m", "-M", "-m", "64")) {
      try (CodedClient first = begin(servers)) {
        assertThat(CodedClient.await(first.set("k", value()))).isEqualTo(Status.DONE);
        first.fold();
      }
      copyFirst();
      servers.kill(0);
      servers.kill(1);

      CompletableFuture<CodedClient> opening = open(settings(servers, "second"));
      for (int server = 2; server < 4; server++) {
        RawServer raw = new RawServer(servers, server);
        await("its claim").until(() -> raw.mark().contains(" epoch=2 "));
      }
      // longer than the wait for the owner before, and for servers
      Duration waits = REPLY.multipliedBy(4).plus(START_WAIT).plusSeconds(1);
      await("it is not opened")
          .during(waits)
          .atMost(waits.plusSeconds(10))
          .until(() -> !opening.isDone());
      servers.start(0);

      try (CodedClient second = opening.get(40, TimeUnit.SECONDS)) {
        assertThat(CodedClient.await(second.get("k")).value()).isEqualTo(value());
        assertThat(CodedClient.await(second.set("k", value()))).isEqualTo(Status.DONE);
      }
    }
  }

  @Test
  void a_restart_where_the_last_owner_was_needs_two() throws Exception {
    try (CodedServers servers = new CodedServers(4, "-I", "2m", "-M", "-m", "64");
        CodedClient client = begin(servers)) {
      assertThat(CodedClient.await(client.set("k", value()))).isEqualTo(Status.DONE);
      client.crash(directory.resolve("second"));
      servers.kill(0);
      servers.kill(1);

      client.reopen();

      assertThat(CodedClient.await(client.get("k")).value()).isEqualTo(value());
      assertThat(CodedClient.await(client.set("k", value()))).isEqualTo(Status.DONE);
    }
  }

  /** Only the servers that were there have the last writes; one that is emptied counts for none. */
  @Test
  void a_start_does_not_count_a_server_that_lacks_writes() throws Exception {
    try (CodedServers servers = new CodedServers(4, "-I", "2m", "-M", "-m", "64");
        CodedClient client = begin(servers)) {
      assertThat(CodedClient.await(client.set("k", value()))).isEqualTo(Status.DONE);
      servers.kill(0);
      servers.kill(1);
      for (int i = 0; i < 20; i++) {
        assertThat(CodedClient.await(client.set("k" + i, value()))).isEqualTo(Status.DONE);
      }
      client.crash(directory.resolve("second"));
      servers.pause(2);
      servers.start(0);
      servers.start(1);

      CompletableFuture<Void> opening = reopen(client);
      assertWaitsFor(() -> servers.resume(2), opening, client);
    }
  }

  /** It has items, and perhaps journal entries, until the change of servers has ended. */
  @Test
  void a_start_counts_a_server_that_leaves() throws Exception {
    try (CodedServers servers = new CodedServers(5, "-I", "2m", "-M", "-m", "64");
        CodedClient client = begin(servers)) {
      for (int i = 0; i < 20; i++) {
        assertThat(CodedClient.await(client.set("k" + i, value()))).isEqualTo(Status.DONE);
      }
      servers.pause(4); // in the ring of the first one
      client.scale(shard -> shard.removeServers(List.of(servers.id(4))));
      client.crash(directory.resolve("second"));
      servers.pause(1);
      servers.pause(2);

      CompletableFuture<Void> opening = reopen(client);
      assertWaitsFor(() -> servers.resume(2), opening, client);
    }
  }

  /** It is not opened before a server is there, and has all objects then. */
  private static void assertWaitsFor(
      Runnable resume, CompletableFuture<Void> opening, CodedClient client) throws Exception {
    await("it is not opened")
        .during(START_WAIT.plus(REPLY.multipliedBy(4)))
        .atMost(Duration.ofSeconds(20))
        .until(() -> !opening.isDone());
    resume.run();

    opening.get(40, TimeUnit.SECONDS);
    for (int i = 0; i < 20; i++) {
      assertThat(CodedClient.await(client.get("k" + i)).value()).isEqualTo(value());
    }
  }

  private static CompletableFuture<Void> reopen(CodedClient client) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            client.reopen();
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
  }

  /** The mark may have vanished under an owner that lives. */
  @Test
  void a_server_that_was_used_and_has_no_mark_is_waited_for() throws Exception {
    try (CodedServers servers = new CodedServers(4, "-I", "2m", "-M", "-m", "64")) {
      for (int server = 0; server < 4; server++) {
        new RawServer(servers, server).putBack("k", "what an owner has left");
      }

      long beginNanos = System.nanoTime();
      try (CodedClient client = new CodedClient(settings(servers, "first"))) {
        Duration taken = Duration.ofNanos(System.nanoTime() - beginNanos);
        assertThat(taken).isGreaterThan(REPLY.multipliedBy(15).dividedBy(4));
        assertThat(CodedClient.await(client.set("k", value()))).isEqualTo(Status.DONE);
      }
    }
  }

  /**
   * Begins a tier, and waits until all servers are whole: one that is late for so short a wait at
   * the start lacks items, and later starts count it so.
   */
  private CodedClient begin(CodedServers servers) throws Exception {
    CodedClient client = new CodedClient(settings(servers, "first"));
    client.awaitRestored(servers.count());
    await("their marks")
        .pollInterval(Duration.ofMillis(10))
        .until(() -> RawServer.areWhole(servers));
    return client;
  }

  private static CompletableFuture<CodedClient> open(CodedSettings settings) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return new CodedClient(settings);
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
  }

  private CodedSettings settings(CodedServers servers, String name) {
    return new CodedSettings(
        CODE,
        servers.ids(),
        directory.resolve(name),
        1 << 20,
        START_WAIT,
        CodedClient.answeringWithin(REPLY));
  }

  /** Copies the metadata as to another machine, after this one has ended. */
  private void copyFirst() throws Exception {
    CodedClient.copy(directory.resolve("first"), directory.resolve("second"));
    Files.delete(directory.resolve("second").resolve("connections"));
  }

  private static byte[] value() {
    return "value".repeat(20).getBytes(StandardCharsets.US_ASCII);
  }
}
