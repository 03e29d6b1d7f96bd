package io.counterpart.cache.coded.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.coded.copies.Copies;
import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coded.settings.ServerMap;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.metadata.MetadataLog;
import io.counterpart.cache.metadata.MetadataOptions;
import io.counterpart.cache.metadata.copy.CopyPiece;
import io.counterpart.cache.metadata.copy.CopyPull;
import io.counterpart.cache.ownership.CopySettings;
import io.counterpart.cache.ownership.TierClaim;
import io.counterpart.cache.ring.ServerId;
import io.netty.channel.nio.NioEventLoopGroup;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The owner's copies, with marks of servers that the test writes. */
@Timeout(60)
class CopiesInForceTest {
  private static final CodeShape CODE = new CodeShape(3, 2);
  private static final long SELF = 1;
  private static final long OTHER = 2;

  @TempDir private Path directory;

  private final NioEventLoopGroup loops = new NioEventLoopGroup(1);
  private final GuardedLoop loop = new GuardedLoop(loops.next(), why -> {});
  private final List<ServerId> servers =
      IntStream.of(1, 2, 3).mapToObj(port -> new ServerId("127.0.0.1:" + port)).toList();
  private final CountingCopies counting =
      new CountingCopies(
          CODE, new TierClaim(UUID.randomUUID(), 5, 7, false, ""), new CopySettings(SELF, 2, true));
  private final List<CopyPiece> answers = new CopyOnWriteArrayList<>();
  private final List<CopyPiece> farewells = new CopyOnWriteArrayList<>();
  private volatile boolean isOwning = true;
  private volatile boolean isReaching = true;

  /** Whether the copy elsewhere is heard of all the time, whatever holds the test up. */
  private volatile boolean isHeard;

  private MetadataLog log;
  private Copies copies;

  @BeforeEach
  void begin() throws Exception {
    log = MetadataLog.open(directory, MetadataOptions.of(CODE.k()));
    log.setEpoch(5);
    log.sync();
    ServerMap map = CodedSettings.of(CODE, servers, directory).newServers();
    copies = new Copies(new CopySettings(SELF, 2, true), log, loop, counting);
    copies.with(() -> {}, () -> false);
    copies.withServers(List::of, () -> isOwning);
    onLoop(
        () -> {
          counting.with(() -> map, () -> {}, rings -> isReaching);
          copies.begin(copies::serve);
          return null;
        });
    assertThat(onLoop(copies::isOwner)).as("before its set is in force").isFalse();
    showAll(2);
    assertThat(onLoop(copies::isOwner)).isTrue();
  }

  @AfterEach
  void close() throws Exception {
    onLoop(
        () -> {
          isHeard = false;
          copies.end();
          log.close();
          return null;
        });
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
  }

  /** Has the marks of as many servers show the present set; each is in a ring of its own. */
  private void showAll(int number) throws Exception {
    onLoop(
        () -> {
          servers.subList(0, number).forEach(server -> counting.shows(server, counting.own()));
          return null;
        });
  }

  private void pull(CopyPull pull) throws Exception {
    onLoop(
        () -> {
          isHeard = isHeard && !pull.isFarewell();
          copies.pull(pull, (pull.isFarewell() ? farewells : answers)::add);
          return null;
        });
  }

  private <T> T onLoop(Callable<T> body) throws Exception {
    return loops.next().submit(body).get(20, TimeUnit.SECONDS);
  }

  private CopyPull atTheEnd() throws Exception {
    long end = onLoop(log::end);
    return new CopyPull(OTHER, end, (int) (end >>> 32), (int) end);
  }

  @Test
  void a_copy_counts_once_it_has_all_and_leaves_once_no_mark_names_it() throws Exception {
    awaitCounting();
    assertThat(onLoop(copies::durable)).isEqualTo(onLoop(log::end));
    showAll(3);

    pull(CopyPull.farewell(OTHER));
    assertThat(onLoop(counting::own).ids()).isEqualTo(Set.of(SELF));
    showAll(1);
    assertThat(farewells).as("one ring shows it").isEmpty();
    assertThat(onLoop(copies::durable)).isNotEqualTo(Long.MAX_VALUE);
    showAll(2);

    assertThat(farewells).hasSize(1);
    assertThat(farewells.get(0).counts()).isFalse();
    assertThat(onLoop(copies::durable)).isEqualTo(Long.MAX_VALUE);
  }

  /** All servers are about to be emptied: until they are used again, no mark lets a copy go. */
  @Test
  void a_copy_is_let_go_before_all_servers_are_emptied_and_counts_again_after_that()
      throws Exception {
    awaitCounting();
    showAll(3);
    CompletableFuture<Void> alone = new CompletableFuture<>();

    onLoop(
        () -> {
          copies.begin(() -> alone.complete(null));
          return null;
        });
    assertThat(onLoop(counting::own).ids()).isEqualTo(Set.of(SELF));
    assertThat(alone).as("no ring shows it").isNotDone();
    assertThat(onLoop(copies::durable)).isNotEqualTo(Long.MAX_VALUE);
    showAll(2);

    assertThat(alone).isDone();
    assertThat(onLoop(copies::durable)).isEqualTo(Long.MAX_VALUE);
    for (int look = 0; look < 5; look++) {
      pull(atTheEnd());
      Thread.sleep(100);
    }
    assertThat(onLoop(counting::own).contains(OTHER)).isFalse();

    onLoop(
        () -> {
          copies.serve();
          return null;
        });
    awaitCounting();
  }

  private void awaitCounting() {
    if (!isHeard) {
      isHeard = true;
      loop.execute(this::hear);
    }
    await().until(() -> onLoop(counting::own).contains(OTHER));
  }

  /** A copy that is silent for a second is dropped. */
  private void hear() {
    if (isHeard) {
      long end = log.end();
      copies.pull(new CopyPull(OTHER, end, (int) (end >>> 32), (int) end), piece -> {});
      loop.schedule(this::hear, 100, TimeUnit.MILLISECONDS);
    }
  }

  /** It may have been overtaken: the copy may be the last one of another owner's log. */
  @Test
  void a_copy_that_does_not_count_is_let_go_only_with_a_set_in_force() throws Exception {
    pull(CopyPull.farewell(OTHER));
    assertThat(farewells).isEmpty();

    showAll(2);

    assertThat(farewells).hasSize(1);
  }

  /** It is dropped because it is silent, and takes its leave meanwhile. */
  @Test
  void a_farewell_is_answered_once() throws Exception {
    await()
        .until(
            () -> {
              pull(atTheEnd());
              return onLoop(counting::own).contains(OTHER);
            });
    showAll(3);
    await("it is silent").until(() -> !onLoop(counting::own).contains(OTHER));

    pull(CopyPull.farewell(OTHER));
    int version = onLoop(counting::own).version();
    showAll(2);
    await().until(() -> !farewells.isEmpty());
    Thread.sleep(200);
    showAll(2);

    assertThat(farewells).hasSize(1);
    assertThat(onLoop(counting::own).version()).isEqualTo(version);
  }

  /** The log tells soon that most servers lack writes: whoever takes over would empty them. */
  @Test
  void copies_are_told_nothing_while_too_few_rings_are_reached() throws Exception {
    isReaching = false;
    pull(new CopyPull(OTHER, 0, 1, 0));
    Thread.sleep(200);
    assertThat(answers).isEmpty();

    isReaching = true;
    await().until(() -> answers.size() == 1);
  }

  /** Its own server would show a set that keeps every other machine from taking over. */
  @Test
  void an_owner_that_is_cut_off_from_the_servers_drops_no_copy() throws Exception {
    awaitCounting();
    showAll(3);
    isReaching = false;
    isHeard = false;

    Thread.sleep(1500);
    assertThat(onLoop(counting::own).contains(OTHER)).isTrue();

    isReaching = true;
    await("it is silent").until(() -> !onLoop(counting::own).contains(OTHER));
  }

  @Test
  void copies_are_told_nothing_without_leases() throws Exception {
    isOwning = false;
    pull(new CopyPull(OTHER, 0, 1, 0));
    Thread.sleep(200);
    assertThat(answers).isEmpty();

    isOwning = true;
    await().until(() -> answers.size() == 1);
    assertThat(answers.get(0).bytes()).isNotEmpty();
  }
}
