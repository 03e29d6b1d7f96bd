package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.ring.ServerId;
import io.counterpart.cache.tier.Status;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An owner that stands still while another one takes over its servers. */
@Timeout(120)
class OvertakenOwnerTest {
  /** Of a journal entry. */
  private static final int COPIES = 3;

  private static final Duration REPLY = Duration.ofSeconds(2);

  /** For what has to happen while a server is silent, also on a busy machine. */
  private static final Duration LONG_REPLY = Duration.ofSeconds(4);

  private static final String[] OPTIONS = {"-I", "2m", "-M", "-m", "64"};
  private static final int KEYS = 60;

  @TempDir private Path directory;

  @Test
  void writes_nothing_when_it_wakes() throws Exception {
    CountDownLatch wake = new CountDownLatch(1);
    try (CodedServers servers = new CodedServers(5, OPTIONS);
        CodedClient first = new CodedClient(settings(servers.ids(), "first"))) {
      assertThat(CodedClient.await(first.set("k", value("bef")))).isEqualTo(Status.DONE);
      copyFirst();

      first.standStill(wake);
      CompletableFuture<Status> late = first.set("k", value("lat"));
      CompletableFuture<Status> other = first.set("other", value("lat"));
      try (CodedClient second = new CodedClient(settings(servers.ids(), "second"))) {
        assertThat(CodedClient.await(second.set("k", value("aft")))).isEqualTo(Status.DONE);

        wake.countDown();
        assertThatOvertaken(first);

        assertThat(late).isNotDone();
        assertThat(other).isNotDone();
        assertThat(CodedClient.await(second.get("k")).value()).isEqualTo(value("aft"));
        assertThat(CodedClient.await(second.get("other")).status()).isEqualTo(Status.NOT_FOUND);
        assertThat(second.scrub()).isEmpty();
      }
    } finally {
      wake.countDown();
    }
  }

  /** The lease was held when they were queued, behind a command that the server answers late. */
  @Test
  void writes_that_were_queued_before_it_stood_still_do_not_leave_after_it() throws Exception {
    CountDownLatch wake = new CountDownLatch(1);
    try (CodedServers servers = new CodedServers(5, OPTIONS);
        HoldingRelay relay = new HoldingRelay(new RawServer(servers, 0).port());
        CodedClient first =
            new CodedClient(settings(relay.beforeTheFirstOf(servers), "first", LONG_REPLY))) {
      setAll(first);
      List<String> keys = keysOf(new RawServer(servers, 0));
      first.fold();
      await("journals are folded").until(() -> journalBytes(first) == 0);
      CodedClient.await(first.set(keys.get(0), value("new")));
      long entries = journalBytes(first);

      relay.holdAnswers();
      first.get(keys.get(0));
      // the server is given up once it has been silent for that long
      await("the server is asked")
          .pollInterval(Duration.ofMillis(10))
          .until(() -> relay.hasGot("mg " + keys.get(0) + " "));
      CompletableFuture<Status> late = first.set(keys.get(1), value("lat"));
      // both in one flight: only the other servers have the entry
      await("its entry and record are next")
          .pollInterval(Duration.ofMillis(10))
          .until(() -> journalBytes(first) == entries + entries / COPIES * (COPIES - 1));
      first.standStill(wake);
      assertThat(relay.hasGot("latlat")).as("it has left").isFalse();
      relay.passAnswers();
      copyFirst();
      try (CodedClient second =
          new CodedClient(settings(relay.beforeTheFirstOf(servers), "second", LONG_REPLY))) {
        Status done = CodedClient.await(second.set(keys.get(1), value("aft")));
        assertThat(done).isEqualTo(Status.DONE);

        wake.countDown();
        assertThatOvertaken(first);

        assertThat(late).isNotDone();
        assertThat(CodedClient.await(second.get(keys.get(1))).value()).isEqualTo(value("aft"));
        assertThat(second.scrub()).isEmpty();
      }
    } finally {
      wake.countDown();
    }
  }

  @Test
  void goes_on_if_nobody_has_overtaken_it() throws Exception {
    CountDownLatch wake = new CountDownLatch(1);
    try (CodedServers servers = new CodedServers(5, OPTIONS);
        CodedClient client = new CodedClient(settings(servers.ids(), "first"))) {
      setAll(client);
      List<CompletableFuture<Status>> writes = new ArrayList<>();
      for (int i = 0; i < KEYS; i++) {
        writes.add(client.set("key-" + i, value("new")));
      }
      client.standStill(wake);
      for (int i = 0; i < KEYS; i++) {
        writes.add(client.set("other-" + i, value("new")));
      }
      Thread.sleep(REPLY.multipliedBy(5).toMillis()); // until its leases are over
      wake.countDown();

      writes.forEach(write -> assertThat(CodedClient.await(write)).isEqualTo(Status.DONE));
      assertThat(client.losses()).isZero();
      assertThat(client.scrub()).isEmpty();
    } finally {
      wake.countDown();
    }
  }

  @Test
  void empties_no_server_when_it_wakes() throws Exception {
    CountDownLatch wake = new CountDownLatch(1);
    try (CodedServers servers = new CodedServers(5, OPTIONS);
        HoldingRelay relay = new HoldingRelay(new RawServer(servers, 0).port());
        CodedClient first = new CodedClient(settings(relay.beforeTheFirstOf(servers), "first"))) {
      RawServer server = new RawServer(servers, 0);
      setAll(first);
      String key = keysOf(server).get(0);
      relay.hold("ms " + key + " ");
      first.set(key, value("new"));
      relay.holds().get(40, TimeUnit.SECONDS);
      relay.hold("slabs automove"); // what comes before the server is emptied, as it lacks a write
      relay.holds().get(40, TimeUnit.SECONDS);
      first.standStill(wake);
      relay.holdNothing();
      copyFirst();

      try (CodedClient second =
          new CodedClient(settings(relay.beforeTheFirstOf(servers), "second"))) {
        await("the second one has restored it")
            .atMost(Duration.ofSeconds(40))
            .until(() -> second.usable().size() == 5 && second.toRestore() == 0);
        long flushes = server.flushes();

        relay.release().get(40, TimeUnit.SECONDS);
        wake.countDown();
        assertThatOvertaken(first);

        assertThat(server.flushes()).isEqualTo(flushes);
        assertThat(second.scrub()).isEmpty();
      }
    } finally {
      wake.countDown();
    }
  }

  @Test
  void takes_no_mark_of_another_owner_from_a_server_that_it_lets_go() throws Exception {
    try (CodedServers servers = new CodedServers(6, OPTIONS);
        HoldingRelay relay = new HoldingRelay(new RawServer(servers, 0).port());
        CodedClient client =
            new CodedClient(relay.patientSettings(servers, directory.resolve("first")))) {
      RawServer server = new RawServer(servers, 0);
      setAll(client);
      relay.hold("md " + RawServer.MARK);
      CodedClient.await(client.scale(shard -> shard.removeServers(List.of(relay.id()))));
      relay.holds().get(40, TimeUnit.SECONDS);

      String foreign =
          "counterpart tier=%s epoch=3 site=00000000000000aa whole".formatted(UUID.randomUUID());
      server.setMark(foreign);
      relay.release().get(40, TimeUnit.SECONDS);

      assertThat(server.mark()).isEqualTo(foreign);
    }
  }

  /** The mark is its own by then, and yet the owner before may still write. */
  @Test
  void is_waited_for_though_connections_break_meanwhile() throws Exception {
    CountDownLatch wake = new CountDownLatch(1);
    List<HoldingRelay> relays = new ArrayList<>();
    try (CodedServers servers = new CodedServers(5, OPTIONS)) {
      for (int server = 0; server < 5; server++) {
        relays.add(new HoldingRelay(new RawServer(servers, server).port()));
      }
      List<ServerId> ids = relays.stream().map(HoldingRelay::id).toList();
      try (CodedClient first = new CodedClient(settings(ids, "first"))) {
        setAll(first);
        first.standStill(wake);
        copyFirst();

        CompletableFuture<Long> opened =
            CompletableFuture.supplyAsync(() -> openAndClose(settings(ids, "second")));
        long claimedNanos = awaitClaims(servers);
        for (HoldingRelay relay : relays) {
          relay.cut();
        }

        long waitedNanos = opened.get(40, TimeUnit.SECONDS) - claimedNanos;
        long leaseNanos = REPLY.multipliedBy(3).toNanos();
        assertThat(waitedNanos).isGreaterThan(leaseNanos);
        wake.countDown();
      } finally {
        wake.countDown();
      }
    } finally {
      for (HoldingRelay relay : relays) {
        relay.close();
      }
    }
  }

  /** Waits until all servers have the second claim; returns a time before the last one came. */
  private static long awaitClaims(CodedServers servers) {
    long[] askedNanos = new long[1];
    for (int server = 0; server < servers.count(); server++) {
      RawServer raw = new RawServer(servers, server);
      await("its claim")
          .pollInterval(Duration.ofMillis(5))
          .until(
              () -> {
                askedNanos[0] = System.nanoTime();
                return raw.mark().contains(" epoch=2 ");
              });
    }
    return askedNanos[0];
  }

  private static long openAndClose(CodedSettings settings) {
    try (CodedClient opened = new CodedClient(settings)) {
      return System.nanoTime();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static void assertThatOvertaken(CodedClient client) {
    assertThatThrownBy(() -> client.shard().ended().get(40, TimeUnit.SECONDS))
        .hasMessageContaining("another machine serves the tier");
  }

  private static void setAll(CodedClient client) {
    for (int i = 0; i < KEYS; i++) {
      assertThat(CodedClient.await(client.set("key-" + i, value("old")))).isEqualTo(Status.DONE);
    }
  }

  /** Keys whose records a server has. */
  private static List<String> keysOf(RawServer server) {
    return IntStream.range(0, KEYS)
        .mapToObj(i -> "key-" + i)
        .filter(key -> !server.record(key).isEmpty())
        .toList();
  }

  private static long journalBytes(CodedClient client) {
    return CodedClient.await(
        client.<Long>call(done -> done.complete(client.shard().status().journalBytes())));
  }

  private CodedSettings settings(List<ServerId> ids, String name) {
    return settings(ids, name, REPLY);
  }

  private CodedSettings settings(List<ServerId> ids, String name, Duration reply) {
    return new CodedSettings(
        new CodeShape(5, 3),
        ids,
        directory.resolve(name),
        256 << 10,
        Duration.ofSeconds(2),
        CodedClient.answeringWithin(reply));
  }

  private static byte[] value(String text) {
    return text.repeat(20).getBytes(StandardCharsets.US_ASCII);
  }

  /** As on another machine: only that one knows of its connections that they live. */
  private void copyFirst() throws IOException {
    CodedClient.copy(directory.resolve("first"), directory.resolve("second"));
    Path connections = directory.resolve("second").resolve("connections");
    String elsewhere = Files.readString(connections).replaceFirst("boot \\S+", "boot elsewhere");
    Files.writeString(connections, elsewhere);
  }
}
