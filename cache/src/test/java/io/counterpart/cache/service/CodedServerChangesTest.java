package io.counterpart.cache.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.control.ChangeCancelledException;
import io.counterpart.cache.control.ServerReport;
import io.counterpart.cache.protocol.MemcachedProcess;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Operators' changes of servers through a proxy with a code. */
@Timeout(120)
class CodedServerChangesTest extends CodedServiceFixture {
  @Test
  void servers_are_added_and_removed_while_it_runs() throws Exception {
    try (CacheService service = CacheService.start(options())) {
      store(service);
      grow();
      grow();
      ask("add " + address(4) + " " + address(5));
      assertThat(report().servers()).hasSize(6).allMatch(server -> server.ring() >= 0);
      readAll(service);
      assertThat(report().coded().movedObjects()).isPositive();

      ask("remove " + address(0) + " " + address(1) + " " + address(2));

      assertThat(report().servers()).extracting(ServerReport::address).hasSize(3);
      assertThat(directory.resolve("metadata/change")).doesNotExist();
      for (int gone : List.of(0, 1, 2)) {
        servers.get(gone).close();
      }
      readAll(service);
      assertThat(report().coded().degradedReads()).isZero();
      assertThat(report().coded().ringsUp()).isEqualTo(3);
    }
  }

  @Test
  void a_change_that_was_asked_for_outlives_the_proxy() throws Exception {
    try (CacheService service = CacheService.start(options())) {
      store(service);
    }
    grow();
    grow();
    Files.writeString(
        directory.resolve("metadata/change"),
        "add %s %s\n".formatted(address(4), address(5)),
        UTF_8);

    try (CacheService next = CacheService.start(options())) {
      await()
          .atMost(Duration.ofSeconds(40))
          .until(() -> report().change() == null && report().servers().size() == 6);
      assertThat(directory.resolve("metadata/change")).doesNotExist();
      assertThat(report().servers()).allMatch(server -> server.ring() >= 0);
      readAll(next);
    }
  }

  @Test
  void illegal_changes_are_refused_and_nothing_changes() throws Exception {
    try (CacheService service = CacheService.start(options())) {
      store(service);
      refused(IllegalArgumentException.class, "server a:1, legal: one of [", "remove a:1");
      refused(
          IllegalArgumentException.class,
          "leaves ring 1 with 0 servers, legal: at least one server stays in each ring",
          "remove " + address(1));
      refused(
          IllegalArgumentException.class,
          "server %s to add, legal: once, and none of [".formatted(address(0)),
          "add " + address(0));
      servers.get(2).close();
      await().until(() -> report().coded().ringsUp() == 2);
      refused(
          IllegalStateException.class,
          "1 of 3 rings have a server that is down, legal while servers change: 0 to 0",
          "remove " + address(0));

      assertThat(directory.resolve("metadata/change")).doesNotExist();
      assertThat(report().servers()).hasSize(4);
      readAll(service);
    }
  }

  @Test
  void one_change_is_made_at_a_time() throws Exception {
    try (CacheService service = CacheService.start(options())) {
      store(service);
      // it waits for a server that nobody has started
      String absent = "127.0.0.1:" + MemcachedProcess.freePort();
      Thread waiting = new Thread(() -> askUntilTheEnd("add " + absent), "waiting");
      waiting.start();
      await().until(() -> report().change() != null);

      refused(
          IllegalStateException.class,
          "another change is under way: adding " + absent,
          "remove " + address(0));

      assertThat(report().change().doing()).isEqualTo("adding");
      assertThat(report().servers())
          .anyMatch(server -> server.address().equals(absent) && server.state().equals("down"));
      readAll(service);
      service.close();
      waiting.join();
    }
  }

  @Test
  void a_change_that_waits_for_a_server_is_cancelled() throws Exception {
    try (CacheService service = CacheService.start(options())) {
      store(service);
      assertThatThrownBy(this::cancel)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("no change of servers is under way, legal: while one is");
      String absent = "127.0.0.1:" + MemcachedProcess.freePort();
      CompletableFuture<Void> asked =
          CompletableFuture.runAsync(
              () ->
                  assertThatThrownBy(() -> ask("add " + absent))
                      .isInstanceOf(ChangeCancelledException.class)
                      .hasMessage("cancelled: adding %s; done: none; as before: %1$s", absent));
      await().until(() -> report().change() != null);

      cancel();

      asked.get(40, TimeUnit.SECONDS);
      assertThat(report().change()).isNull();
      assertThat(report().servers()).hasSize(4).allMatch(ServerReport::isUsed);
      assertThat(directory.resolve("metadata/change")).doesNotExist();
      grow();
      ask("add " + address(4));
      assertThat(report().servers()).hasSize(5).allMatch(ServerReport::isUsed);
      readAll(service);
    }
  }

  @Test
  void a_change_that_a_restart_finds_waiting_is_cancelled() throws Exception {
    try (CacheService service = CacheService.start(options())) {
      store(service);
    }
    servers.get(3).close();
    String absent = "127.0.0.1:" + MemcachedProcess.freePort();
    Files.writeString(directory.resolve("metadata/change"), "add " + absent + "\n", UTF_8);

    try (CacheService next = CacheService.start(options())) {
      assertThat(report().change()).isNotNull(); // a ring is down
      cancel();
      assertThat(report().change()).isNull();
      readAll(next);
    }
    try (CacheService last = CacheService.start(options())) {
      assertThat(report().change()).isNull();
      readAll(last);
    }
  }
}
