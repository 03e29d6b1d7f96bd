package io.counterpart.cache.coded.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coded.settings.ServerMap;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.ownership.CopySet;
import io.counterpart.cache.ownership.CopySettings;
import io.counterpart.cache.ownership.TierClaim;
import io.counterpart.cache.protocol.MemcachedProcess;
import io.counterpart.cache.ring.ServerId;
import io.netty.channel.nio.NioEventLoopGroup;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The marks of a real server in use, with memory and without. */
@Timeout(120)
class MarksTest {
  private static final String KEY =
      Base64.getEncoder().encodeToString(new byte[] {0, 0x1f, 'c', 'M', 0});
  private static final TierClaim CLAIM = new TierClaim(UUID.randomUUID(), 3, 7, false, "");

  /** With key and header, an item of the mark's slab class. */
  private static final int ALIKE_BYTES = 100;

  private static final int AT_ONCE = 1000;

  @TempDir private Path directory;

  private final NioEventLoopGroup loops = new NioEventLoopGroup(1);
  private final GuardedLoop loop = new GuardedLoop(loops.next(), why -> {});
  private final List<ServerLink> emptied = new CopyOnWriteArrayList<>();
  private final Marks marks =
      new Marks(loop, new CountingCopies(new CodeShape(3, 2), CLAIM, null), emptied::add);
  private MemcachedProcess memcached;
  private ServerLink link;

  @BeforeEach
  void connect() throws Exception {
    // its maintainer may hold a dropped item for a moment, and with it the chunk of the next mark
    memcached = MemcachedProcess.start("-I", "2m", "-M", "-m", "8", "-o", "no_lru_maintainer");
    link = UsableLink.to(memcached, loop, directory);
  }

  @AfterEach
  void close() {
    loop.execute(link::close);
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    memcached.close();
  }

  @Test
  void lacking_items_is_not_hidden_by_an_older_note() throws Exception {
    setMark(CLAIM.mark(false, CopySet.NONE).text());

    note(
        all -> {
          all.noteWhole(link);
          all.noteLacking(link);
        });

    assertThat(mark()).endsWith(" lacking");
  }

  @Test
  void whole_is_noted_after_lacking() throws Exception {
    setMark(CLAIM.mark(true, CopySet.NONE).text());

    note(
        all -> {
          all.noteLacking(link);
          all.noteWhole(link);
        });

    assertThat(mark()).endsWith(" whole");
  }

  @Test
  void an_older_restoration_does_not_make_an_emptied_server_whole() throws Exception {
    note(
        all -> {
          all.noteEmptied(link);
          all.noteWhole(link);
        });

    assertThat(mark()).endsWith(" lacking");
    assertThat(emptied).containsExactly(link);
  }

  @Test
  void a_full_server_keeps_its_mark() throws Exception {
    setMark(CLAIM.mark(false, CopySet.NONE).text());
    fill();

    note(all -> all.noteWhole(link));
    assertThat(mark()).endsWith(" whole");

    note(all -> all.noteLacking(link));
    assertThat(mark()).endsWith(" lacking");
    assertThat(emptied).isEmpty();
  }

  @Test
  void a_refused_mark_is_sent_until_there_is_memory() throws Exception {
    fill();
    long refusals = refusals();

    begin(all -> all.noteEmptied(link));
    await("it was refused").until(() -> refusals() > refusals);
    assertThat(call(() -> marks.isNoting(link))).isTrue();
    await("that is known").until(() -> call(() -> marks.hasDropped(link)));
    answer("md alike-0\r\n");

    await("it is there").until(() -> mark().endsWith(" lacking"));
    await("that is known").until(() -> !emptied.isEmpty());
    assertThat(emptied).containsExactly(link);
  }

  /** The answer may come after that of another connection, which finds no mark. */
  @Test
  void a_mark_may_be_dropped_as_soon_as_another_one_is_sent() throws Exception {
    setMark(CLAIM.mark(false, CopySet.NONE).text());
    CompletableFuture<Boolean> known = new CompletableFuture<>();
    begin(
        all -> {
          all.noteWhole(link);
          lookInEachTurn(known);
        });

    assertThat(known.get(40, TimeUnit.SECONDS)).as("while it is noted").isTrue();
    await("notes end").until(() -> !call(() -> marks.isNoting(link)));
    assertThat(call(() -> marks.hasDropped(link))).as("it was not refused").isFalse();
    assertThat(mark()).endsWith(" whole");
  }

  /** Sending and the answer are never in one turn of the loop. */
  private void lookInEachTurn(CompletableFuture<Boolean> known) {
    if (marks.hasDropped(link)) {
      known.complete(true);
    } else if (!marks.isNoting(link)) {
      known.complete(false);
    } else {
      loop.execute(() -> lookInEachTurn(known));
    }
  }

  @Test
  void what_a_server_lacks_is_told_when_it_is_back() throws Exception {
    setMark(CLAIM.mark(true, CopySet.NONE).text());

    boolean lacks =
        call(
            () -> {
              marks.noteLacking(link);
              link.drop("is tested");
              marks.noteWhole(link); // the end of a restoration that went on without it
              return marks.joined(link);
            });

    assertThat(lacks).isTrue();
  }

  /** Else a whole server would be restored because a copy of the metadata came or went. */
  @Test
  void a_server_lacks_nothing_if_it_was_lost_before_it_was_told_of_copies() throws Exception {
    setMark(CLAIM.mark(true, CopySet.NONE).text());
    CountingCopies copies =
        new CountingCopies(new CodeShape(3, 2), CLAIM, new CopySettings(1, 2, true));
    Marks telling = new Marks(loop, copies, emptied::add);
    ServerMap map = CodedSettings.of(new CodeShape(3, 2), ids(), directory).newServers();

    boolean lacks =
        call(
            () -> {
              copies.with(() -> map, () -> telling.noteCopies(link), rings -> true);
              copies.set(Set.of(1L), () -> {});
              assertThat(telling.isNoting(link)).isTrue();
              link.drop("is tested");
              return telling.joined(link);
            });

    assertThat(lacks).isFalse();
  }

  private List<ServerId> ids() {
    return List.of(link.id(), new ServerId("127.0.0.1:1"), new ServerId("127.0.0.1:2"));
  }

  @Test
  void what_its_mark_says_is_not_told_again() throws Exception {
    setMark(CLAIM.mark(true, CopySet.NONE).text());

    note(all -> all.noteLacking(link));

    assertThat(call(() -> marks.joined(link))).isFalse();
  }

  @Test
  void what_the_mark_says_is_not_written_again() throws Exception {
    setMark(CLAIM.mark(false, CopySet.NONE).text());
    String version = answer("mg " + KEY + " b c\r\n");

    note(all -> all.noteLacking(link));

    assertThat(answer("mg " + KEY + " b c\r\n")).isEqualTo(version);
  }

  @Test
  void the_mark_of_another_owner_stays() throws Exception {
    String other =
        new TierClaim(UUID.randomUUID(), 3, 7, false, "").mark(false, CopySet.NONE).text();
    setMark(other);

    note(all -> all.noteWhole(link));

    assertThat(mark()).isEqualTo(other);
  }

  /** Runs notes, and waits until they have ended. */
  private void note(Consumer<Marks> notes) throws Exception {
    begin(notes);
    await("notes end").until(() -> !call(() -> marks.isNoting(link)));
  }

  private void begin(Consumer<Marks> notes) throws Exception {
    call(
        () -> {
          notes.accept(marks);
          return true;
        });
  }

  private <T> T call(Supplier<T> body) throws Exception {
    CompletableFuture<T> done = new CompletableFuture<>();
    loop.execute(() -> done.complete(body.get()));
    return done.get(40, TimeUnit.SECONDS);
  }

  private void setMark(String text) {
    assertThat(answer("ms %s %d b\r\n%s\r\n".formatted(KEY, text.length(), text))).startsWith("HD");
  }

  private String mark() {
    return answer("mg " + KEY + " b v\r\n").lines().skip(1).findFirst().orElse("");
  }

  /** Leaves no chunk for an item of the mark's length. */
  private void fill() {
    String value = "x".repeat(ALIKE_BYTES);
    boolean isTaken = true;
    for (int from = 0; isTaken; from += AT_ONCE) {
      StringBuilder commands = new StringBuilder();
      for (int i = from; i < from + AT_ONCE; i++) {
        commands.append("ms alike-%d %d\r\n%s\r\n".formatted(i, ALIKE_BYTES, value));
      }
      isTaken = answer(commands.toString()).contains("HD");
    }
  }

  private long refusals() {
    return answer("stats items\r\n")
        .lines()
        .filter(line -> line.contains(":outofmemory "))
        .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private String answer(String request) {
    return new String(memcached.answers(request.getBytes(ISO_8859_1)), ISO_8859_1);
  }
}
