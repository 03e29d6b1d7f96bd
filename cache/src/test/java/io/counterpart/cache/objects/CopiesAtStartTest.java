package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.coded.CodedScheme;
import io.counterpart.cache.coded.CodedShard;
import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coded.write.Written;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.coding.CodingLibrary;
import io.counterpart.cache.metadata.LogPosition;
import io.counterpart.cache.metadata.copy.CopyPull;
import io.counterpart.cache.ownership.CopySet;
import io.counterpart.cache.ownership.CopySettings;
import io.counterpart.cache.ownership.OvertakenException;
import io.counterpart.cache.ownership.OwnershipSettings;
import io.counterpart.cache.ring.ServerId;
import io.netty.channel.nio.NioEventLoopGroup;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A shard whose metadata have copies elsewhere, on servers with marks of others or its own. */
@Timeout(120)
class CopiesAtStartTest {
  private static final CodeShape CODE = new CodeShape(3, 2);
  private static final Duration REPLY = Duration.ofSeconds(1);

  /** Longer than a test: two rings would suffice. */
  private static final Duration START_WAIT = Duration.ofMinutes(2);

  private static final long SELF = 1;
  private static final String FOREIGN =
      "counterpart tier=%s epoch=3 site=00000000000000aa copies=3.1:0000000000000007 whole"
          .formatted(UUID.randomUUID());

  @TempDir private Path directory;

  private final NioEventLoopGroup loops = new NioEventLoopGroup(1);
  private final CompletableFuture<Void> givenUp = new CompletableFuture<>();
  private CodedServers servers;

  @BeforeEach
  void startServers() throws Exception {
    servers = new CodedServers(3, "-I", "2m", "-M", "-m", "64");
  }

  @AfterEach
  void close() {
    givenUp.complete(null);
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    servers.close();
  }

  private CompletableFuture<CodedShard> open(boolean isOriginal) {
    return open(isOriginal, servers.ids());
  }

  private CompletableFuture<CodedShard> open(boolean isOriginal, List<ServerId> ids) {
    CodedSettings settings =
        new CodedSettings(
                CODE,
                ids,
                directory.resolve("metadata"),
                1 << 20,
                START_WAIT,
                CodedClient.answeringWithin(REPLY))
            .with(OwnershipSettings.DEFAULT.with(new CopySettings(SELF, 2, isOriginal)));
    return CodedShard.open(
        CodedScheme.ECHASH,
        settings,
        CodingLibrary.load(),
        loops.next(),
        CodedClient::nowSeconds,
        givenUp);
  }

  private RawServer server(int number) {
    return new RawServer(servers, number);
  }

  private static void assertRefused(CompletableFuture<CodedShard> opening, boolean isByOwnTier) {
    assertThatThrownBy(() -> opening.get(40, TimeUnit.SECONDS))
        .cause()
        .asInstanceOf(InstanceOfAssertFactories.type(OvertakenException.class))
        .returns(isByOwnTier, OvertakenException::isByOwnTier);
  }

  /** A machine has come back without its disk, and its server without items. */
  @Test
  void a_new_tier_takes_no_server_while_the_others_may_be_a_tiers() {
    for (int number = 1; number < 3; number++) {
      server(number).setMark(FOREIGN);
      servers.pause(number);
    }

    CompletableFuture<CodedShard> opening = open(true);
    await("it waits").during(Duration.ofSeconds(2)).until(() -> !opening.isDone());
    assertThat(server(0).mark()).isEmpty();
    servers.resume(1);
    servers.resume(2);

    assertRefused(opening, false);
    assertThat(server(0).mark()).isEmpty();
    assertThat(server(1).mark()).isEqualTo(FOREIGN);
  }

  @Test
  void a_new_tier_that_is_refused_leaves_no_marks() {
    server(2).setMark(FOREIGN);
    servers.pause(2);

    CompletableFuture<CodedShard> opening = open(true);
    await("its claims").until(() -> !server(0).mark().isEmpty() && !server(1).mark().isEmpty());
    servers.resume(2);

    assertRefused(opening, false);
    assertThat(server(0).mark()).isEmpty();
    assertThat(server(1).mark()).isEmpty();
  }

  /** Another machine has started several times, in vain, and is gone. */
  @Test
  void a_counting_copy_catches_up_with_the_epoch_of_the_marks() throws Exception {
    loops.submit(open(true).get(40, TimeUnit.SECONDS)::close).get(40, TimeUnit.SECONDS);
    String tier = server(0).mark().replaceAll(".*tier=(\\S+).*", "$1");
    for (int number = 0; number < 3; number++) {
      server(number)
          .setMark(
              "counterpart tier=%s epoch=6 site=00000000000000aa copies=6.1:%s whole"
                  .formatted(tier, CopySet.name(SELF)));
    }

    assertRefused(open(false), true);
    open(false).get(40, TimeUnit.SECONDS);

    assertThat(server(0).mark()).contains("epoch=7");
  }

  /** While all servers are emptied, no copy is told anything, and no mark could let it go. */
  @Test
  void all_objects_are_deleted_although_a_copy_elsewhere_counts() throws Exception {
    CodedShard shard = open(true).get(40, TimeUnit.SECONDS);
    loops.submit(() -> follow(shard, 1, 0)).get(40, TimeUnit.SECONDS);
    awaitCopies(shard, 2);
    CompletableFuture<Written> cleared = new CompletableFuture<>();

    loops.submit(() -> shard.clear(cleared::complete)).get(40, TimeUnit.SECONDS);

    assertThat(cleared.get(40, TimeUnit.SECONDS)).isEqualTo(Written.DONE);
    awaitCopies(shard, 2);
  }

  private void awaitCopies(CodedShard shard, int count) {
    await()
        .atMost(Duration.ofSeconds(40))
        .until(() -> loops.submit(() -> shard.copies().count()).get(), counted -> counted == count);
  }

  /** Has a copy elsewhere take all that it is told, from a place in the log on. */
  private void follow(CodedShard shard, int file, int offset) {
    shard
        .copies()
        .pull(
            new CopyPull(2, LogPosition.of(file, offset), file, offset),
            piece -> {
              boolean isEnd = piece.next() > 0;
              int next = isEnd ? piece.next() : file;
              int from = isEnd ? 0 : offset + piece.bytes().length;
              loops.next().execute(() -> follow(shard, next, from));
            });
  }

  /** With others that lack items, what was acknowledged may be on the lost server alone. */
  @Test
  void a_server_that_is_lost_while_a_set_comes_into_force_is_awaited_again() throws Exception {
    try (HoldingRelay lost = new HoldingRelay(server(1).port());
        HoldingRelay late = new HoldingRelay(server(2).port())) {
      List<ServerId> ids = List.of(servers.id(0), lost.id(), late.id());
      loops.submit(open(true, ids).get(40, TimeUnit.SECONDS)::close).get(40, TimeUnit.SECONDS);
      lost.hold("copies=2.");
      late.hold("copies=2.");

      CompletableFuture<CodedShard> opening = open(false, ids);
      lost.holds().get(40, TimeUnit.SECONDS);
      late.holds().get(40, TimeUnit.SECONDS);
      lost.hold("stats settings");
      lost.cut();
      lost.holds().get(40, TimeUnit.SECONDS); // its loss is known
      late.release();

      await("it waits").during(Duration.ofSeconds(2)).until(() -> !opening.isDone());
      lost.release();
      opening.get(40, TimeUnit.SECONDS);
    }
  }

  /** If the process ended in between on all servers, no mark would show which copy counts. */
  @Test
  void the_mark_of_a_server_leaves_with_the_command_that_empties_it() throws Exception {
    try (HoldingRelay relay = new HoldingRelay(server(0).port())) {
      relay.hold("flush_all");

      CompletableFuture<CodedShard> opening = open(true, relay.beforeTheFirstOf(servers));
      relay.holds().get(40, TimeUnit.SECONDS);

      await("without an answer to it")
          .until(() -> relay.hasGot("lru_crawler crawl all\r\nms " + RawServer.MARK));
      relay.holdNothing();
      opening.get(40, TimeUnit.SECONDS);
    }
  }
}
