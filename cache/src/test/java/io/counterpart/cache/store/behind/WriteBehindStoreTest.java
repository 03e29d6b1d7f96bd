package io.counterpart.cache.store.behind;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.store.FakeStore;
import io.counterpart.cache.store.PersistentRecord;
import io.counterpart.cache.store.PersistentStore;
import io.counterpart.testkit.random.SeededRandom;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Writes that reach the slower store later. */
@Timeout(120)
class WriteBehindStoreTest {
  private static final Duration SOON = Duration.ofMillis(1);

  @TempDir private Path directory;
  private final EventLoop loop = new DefaultEventLoop();
  private final FakeStore store = FakeStore.told();
  private final List<Life> lives = new CopyOnWriteArrayList<>();
  private long timestamp;

  @AfterEach
  void end() {
    loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
  }

  private WriteBehindStore open(Path where, Duration delay, Duration wait) throws IOException {
    return open(store, where, delay, wait);
  }

  private WriteBehindStore open(PersistentStore mine, Path where, Duration delay, Duration wait)
      throws IOException {
    return WriteBehindStore.open(
        mine, new WriteBehindSettings(where, 100, 4 << 20, delay, wait, 8, SOON), loop);
  }

  /** On a log that the test can let fail. */
  private WriteBehindStore on(ChangeLog log) {
    WriteBehindSettings settings =
        new WriteBehindSettings(
            directory, 100, 4 << 20, Duration.ofSeconds(60), SOON.multipliedBy(10), 8, SOON);
    return new WriteBehindStore(store, settings, loop, log);
  }

  private <T> CompletableFuture<T> call(Supplier<CompletionStage<T>> call) {
    return loop.submit(call::get).syncUninterruptibly().getNow().toCompletableFuture();
  }

  private CompletableFuture<Void> write(WriteBehindStore behind, String key, String value) {
    long next = ++timestamp;
    PersistentRecord record = new PersistentRecord(value.getBytes(ISO_8859_1), 0, 0, false, next);
    return call(() -> behind.write(Key.of(key), record));
  }

  private CompletableFuture<Void> delete(WriteBehindStore behind, String key) {
    long next = ++timestamp;
    return call(() -> behind.delete(Key.of(key), next));
  }

  private String read(WriteBehindStore behind, String key) throws Exception {
    CompletableFuture<Optional<PersistentRecord>> read = call(() -> behind.read(Key.of(key)));
    while (!read.isDone()) {
      on(store::endAll);
    }
    return read.get().map(record -> new String(record.value(), ISO_8859_1)).orElse(null);
  }

  private void on(Runnable body) {
    loop.submit(body).syncUninterruptibly();
  }

  private String stored(String key) {
    return loop.submit(() -> store.record(Key.of(key)))
        .syncUninterruptibly()
        .getNow()
        .map(record -> new String(record.value(), ISO_8859_1))
        .orElse(null);
  }

  @Test
  void the_last_change_of_a_key_is_written_after_the_delay() throws Exception {
    // longer than the writes take on a busy machine
    WriteBehindStore behind = open(directory, Duration.ofSeconds(6), SOON.multipliedBy(10));
    for (int i = 0; i < 50; i++) {
      assertThat(write(behind, "k", "v" + i)).isCompleted();
    }
    assertThat(write(behind, "gone", "v")).isCompleted();
    assertThat(delete(behind, "gone")).isCompleted();

    assertThat(read(behind, "k")).isEqualTo("v49");
    assertThat(read(behind, "gone")).isNull();
    assertThat(behind.entries()).isEqualTo(2);
    await()
        .until(
            () -> {
              on(store::endAll);
              return behind.entries() == 0;
            });

    assertThat(stored("k")).isEqualTo("v49");
    assertThat(store.writes()).isEqualTo(2);
    assertThat(behind.bytes()).isZero();
    assertThat(read(behind, "k")).isEqualTo("v49");
    behind.close();
  }

  @Test
  void changes_are_taken_again_after_the_log_has_failed() throws Exception {
    ChangeLog log = ChangeLog.open(directory, 8 << 20, change -> {});
    WriteBehindStore behind = on(log);
    assertThat(write(behind, "before", "v")).isCompleted();
    PersistentRecord record = new PersistentRecord(new byte[1], 0, 0, false, ++timestamp);
    on(
        () -> {
          log.fail(new IOException("no disk")); // it is renewed about a second later
          assertThat(behind.write(Key.of("meanwhile"), record)).isCompletedExceptionally();
        });

    await().until(() -> write(behind, "after", "v").handle((v, e) -> e == null).get());

    Path power = copy(directory, directory.resolve("lost-power"));
    WriteBehindStore next = reopen(power);
    assertThat(stored("before")).isEqualTo("v");
    assertThat(stored("after")).isEqualTo("v");
    assertThat(stored("meanwhile")).isNull();
    next.close();
  }

  /** As when the end of a change cannot be cut off: no sync has failed, and none comes any more. */
  @Test
  void a_log_that_has_failed_is_renewed_without_another_change() throws Exception {
    ChangeLog log = ChangeLog.open(directory, 8 << 20, change -> {});
    WriteBehindStore behind = on(log);
    PersistentRecord record = new PersistentRecord(new byte[1], 0, 0, false, 1);
    on(
        () -> {
          assertThat(behind.write(Key.of("k"), record)).isCompleted();
          log.fail(new IOException("no disk")); // before the sync begins
        });

    await().until(() -> !loop.submit(log::hasFailed).get());

    assertThat(behind.unsynced()).isZero();
  }

  @Test
  void changes_that_later_ones_replace_do_not_fill_the_disk() throws Exception {
    Path mine = directory.resolve("a");
    WriteBehindStore behind = open(mine, Duration.ofSeconds(60), SOON.multipliedBy(10));
    write(behind, "first", "v");
    String large = "x".repeat(1 << 20);
    for (int i = 0; i < 100; i++) {
      assertThat(write(behind, "k", large + i)).isCompleted();
    }
    try (Stream<Path> files = Files.list(mine)) {
      assertThat(files.filter(file -> file.toString().endsWith(".log")).count()).isLessThan(8);
    }
    reopen(copy(mine, directory.resolve("b"))).close();

    assertThat(stored("first")).isEqualTo("v");
    assertThat(stored("k")).isEqualTo(large + 99);
    close(behind);
  }

  @Test
  void changes_are_durable_soon_whatever_the_store_does() throws Exception {
    WriteBehindStore behind = open(directory, Duration.ZERO, SOON.multipliedBy(10));
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 20; i++) {
        assertThat(write(behind, "k" + i, "v" + round)).isCompleted();
      }
      assertThat(unsyncedAfter(behind, "k0", "last of " + round)).isPositive();

      await().until(() -> behind.unsynced() == 0);

      assertThat(behind.entries()).isEqualTo(20);
    }
    await()
        .until(
            () -> {
              on(store::endAll);
              return behind.entries() == 0;
            });
    behind.close();
  }

  /** Writes and asks in one task of the loop: no sync can end between the two. */
  private long unsyncedAfter(WriteBehindStore behind, String key, String value) {
    long next = ++timestamp;
    PersistentRecord record = new PersistentRecord(value.getBytes(ISO_8859_1), 0, 0, false, next);
    Callable<Long> task =
        () -> {
          assertThat(behind.write(Key.of(key), record)).isCompleted();
          return behind.unsynced();
        };
    return loop.submit(task).syncUninterruptibly().getNow();
  }

  @Test
  void a_store_that_fails_is_tried_again_and_reads_see_what_waits() throws Exception {
    WriteBehindStore behind = open(directory, Duration.ZERO, Duration.ofMillis(10));
    assertThat(write(behind, "k", "v")).isCompleted();
    for (int i = 0; i < 3; i++) {
      await().until(() -> store.underWay() > 0);
      on(store::failAll);
    }

    assertThat(read(behind, "k")).isEqualTo("v");

    await().until(() -> ended(behind));
    assertThat(stored("k")).isEqualTo("v");
    behind.close();
  }

  private boolean ended(WriteBehindStore behind) {
    on(store::endAll);
    return behind.entries() == 0;
  }

  @Test
  void changes_beyond_the_bound_wait_for_room_and_are_refused_without() throws Exception {
    WriteBehindStore behind = open(directory, Duration.ofSeconds(60), Duration.ofSeconds(2));
    for (int i = 0; i < 100; i++) {
      assertThat(write(behind, "k" + i, "v")).isCompleted();
    }
    assertThat(write(behind, "k5", "again")).isCompleted();

    byte[] value = "v".getBytes(ISO_8859_1);
    PersistentRecord more = new PersistentRecord(value, 0, 0, false, ++timestamp);
    CompletableFuture<Void> refused =
        call(
            () -> {
              CompletionStage<Void> begun = behind.write(Key.of("more"), more);
              assertThat(begun).isNotDone();
              return begun;
            });
    assertThatThrownBy(refused::get).hasMessageContaining("100 keys and");
    CompletableFuture<Void> waits =
        call(
            () -> {
              CompletionStage<Void> begun = behind.write(Key.of("more"), more);
              store.endAll(); // two seconds later it would be refused
              return begun;
            });

    waits.get(40, TimeUnit.SECONDS);
    assertThat(read(behind, "more")).isEqualTo("v");
    await().until(() -> ended(behind) || behind.entries() <= 50);
    close(behind);
    assertThat(stored("more")).isEqualTo("v");
  }

  /** Closes the store, which writes the pending changes. */
  private void close(WriteBehindStore behind) throws Exception {
    Thread closing = new Thread(behind::close, "closing");
    closing.start();
    while (closing.isAlive()) {
      on(store::endAll);
      closing.join(1);
    }
  }

  @Test
  void closing_writes_what_is_left_and_leaves_no_file() throws Exception {
    WriteBehindStore behind = open(directory, Duration.ofSeconds(60), Duration.ofMillis(10));
    for (int i = 0; i < 40; i++) {
      write(behind, "k" + i, "v" + i);
    }

    close(behind);

    for (int i = 0; i < 40; i++) {
      assertThat(stored("k" + i)).isEqualTo("v" + i);
    }
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).noneMatch(file -> file.toString().endsWith(".log"));
    }
  }

  @Test
  void changes_are_durable_soon_while_the_store_is_closed_too() throws Exception {
    WriteBehindStore behind = open(directory, Duration.ofSeconds(60), SOON.multipliedBy(10));
    assertThat(write(behind, "k", "v")).isCompleted();
    Thread closing = new Thread(behind::close, "closing");
    closing.start();
    await().until(() -> store.underWay() > 0); // nothing but closing sends it before its delay

    await().until(() -> behind.unsynced() == 0);

    assertThat(behind.entries()).isEqualTo(1);
    while (closing.isAlive()) {
      on(store::endAll);
      closing.join(1);
    }
  }

  @Test
  void that_the_store_has_all_changes_is_durable_soon() throws Exception {
    WriteBehindStore behind = open(directory, SOON, SOON.multipliedBy(10));
    assertThat(write(behind, "k", "v")).isCompleted();
    await().until(() -> behind.unsynced() == 0);
    await().until(() -> ended(behind));

    await().until(() -> isAllWrittenDurable(directory.resolve("behind-1.log")));

    close(behind);
  }

  /** Whether a mark tells that the mark of all being written, the only one, is on disk. */
  private static boolean isAllWrittenDurable(Path log) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(log)).order(ByteOrder.LITTLE_ENDIAN);
    long allWritten = Long.MAX_VALUE;
    long durable = 0;
    int at = 0;
    for (int length = ChangeFormat.length(bytes, at);
        length > 0;
        length = ChangeFormat.length(bytes, at)) {
      durable = Math.max(durable, ChangeFormat.durable(bytes, at));
      boolean isMark = ChangeFormat.isMark(bytes, at);
      at += length;
      if (isMark && ChangeFormat.isAllWritten(bytes, at - length)) {
        allWritten = at;
      }
    }
    return durable >= allWritten;
  }

  @Test
  @ExtendWith(SeededRandom.class)
  void a_process_that_dies_at_any_moment_loses_nothing(Random random) throws Exception {
    Map<String, String> expected = new HashMap<>();
    for (int life = 0; life < 12; life++) {
      Path mine = directory.resolve("life-" + life);
      if (life > 0) {
        copy(directory.resolve("life-" + (life - 1)), mine);
      }
      WriteBehindStore behind = reopen(mine);
      for (int i = 0; i < 200; i++) {
        String key = "k" + random.nextInt(40);
        boolean deletes = random.nextInt(6) == 0;
        CompletableFuture<Void> change =
            deletes ? delete(behind, key) : write(behind, key, "v" + timestamp);
        assertThat(change).isCompleted();
        expected.put(key, deletes ? null : "v" + (timestamp - 1));
        if (random.nextInt(3) == 0) {
          on(() -> store.endOne(random, 30));
        }
        if (random.nextInt(20) == 0) {
          String any = "k" + random.nextInt(40);
          assertThat(read(behind, any)).as(any).isEqualTo(expected.get(any));
        }
      }
      on(() -> lives.get(lives.size() - 1).die(random));
    }
    WriteBehindStore last = reopen(copy(directory.resolve("life-11"), directory.resolve("end")));
    for (int i = 0; i < 40; i++) {
      assertThat(stored("k" + i)).as("k" + i).isEqualTo(expected.get("k" + i));
    }
    last.close();
  }

  /** Opens the store, which writes the changes left behind; the test ends requests meanwhile. */
  private WriteBehindStore reopen(Path where) throws Exception {
    CompletableFuture<WriteBehindStore> opened =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                Life life = new Life();
                lives.add(life);
                return open(life, where, SOON, Duration.ofSeconds(10));
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    while (!opened.isDone()) {
      on(store::endAll);
    }
    return opened.get();
  }

  /** The store as one process sees it, until that process dies. */
  private final class Life implements PersistentStore {
    private volatile boolean dead;

    /** Ends the process: each of its requests is done, or not, or later, without an answer. */
    void die(Random random) {
      dead = true;
      store.abandonAll(random);
    }

    @Override
    public CompletionStage<Optional<PersistentRecord>> read(Key key) {
      return store.read(key);
    }

    @Override
    public CompletionStage<Void> write(Key key, PersistentRecord record) {
      return dead ? new CompletableFuture<>() : store.write(key, record);
    }

    @Override
    public CompletionStage<Void> delete(Key key, long deleted) {
      return dead ? new CompletableFuture<>() : store.delete(key, deleted);
    }

    @Override
    public void close() {}
  }

  private static Path copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".log")).toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
    return to;
  }

  @Test
  void a_store_that_does_not_take_what_was_left_leaves_it_there() throws Exception {
    WriteBehindStore behind =
        open(directory.resolve("a"), Duration.ofSeconds(60), SOON.multipliedBy(10));
    write(behind, "k", "v");
    Path copied = copy(directory.resolve("a"), directory.resolve("b"));
    Thread failing =
        new Thread(
            () -> {
              while (!Thread.currentThread().isInterrupted()) {
                on(store::failAll);
              }
            },
            "failing");
    failing.start();

    assertThatThrownBy(() -> open(copied, SOON, Duration.ofSeconds(1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not take the 1 changes");

    failing.interrupt();
    failing.join();
    reopen(copied).close();
    assertThat(stored("k")).isEqualTo("v");
    close(behind);
  }

  @Test
  void what_was_written_and_deleted_in_the_store_is_not_written_again() throws Exception {
    WriteBehindStore behind = open(directory.resolve("a"), SOON, SOON.multipliedBy(10));
    write(behind, "k", "v");
    await().until(() -> ended(behind));
    on(store::clear);

    reopen(copy(directory.resolve("a"), directory.resolve("b"))).close();

    assertThat(stored("k")).isNull();
    close(behind);
  }

  @Test
  void keys_that_the_store_does_not_take_hold_up_no_others() throws Exception {
    Set<Key> refused = ConcurrentHashMap.newKeySet();
    WriteBehindStore behind =
        open(new Refusing(store, refused::contains), directory, SOON, SOON.multipliedBy(10));
    for (int i = 0; i < 20; i++) {
      refused.add(Key.of("refused" + i));
      assertThat(write(behind, "refused" + i, "v")).isCompleted();
    }
    assertThat(write(behind, "k", "v")).isCompleted();

    await()
        .until(
            () -> {
              on(store::endAll);
              return "v".equals(stored("k"));
            });

    assertThat(behind.entries()).isEqualTo(20);
    refused.clear();
    close(behind);
    assertThat(stored("refused19")).isEqualTo("v");
  }

  @Test
  void a_start_tries_again_what_the_store_does_not_take_at_once() throws Exception {
    WriteBehindStore behind =
        open(directory.resolve("a"), Duration.ofSeconds(60), SOON.multipliedBy(10));
    for (int i = 0; i < 20; i++) {
      write(behind, "k" + i, "v");
    }
    Path copied = copy(directory.resolve("a"), directory.resolve("b"));
    FakeStore slow = FakeStore.atOnce();
    Set<Key> refusedOnce = ConcurrentHashMap.newKeySet();
    refusedOnce.addAll(List.of(Key.of("k3"), Key.of("k19")));

    open(new Refusing(slow, refusedOnce::remove), copied, SOON, Duration.ofSeconds(1)).close();

    assertThat(slow.record(Key.of("k3"))).isPresent();
    assertThat(slow.record(Key.of("k19"))).isPresent();
    close(behind);
  }

  /** A store that does not take changes of some keys. */
  private record Refusing(PersistentStore all, Predicate<Key> refuses) implements PersistentStore {
    @Override
    public CompletionStage<Optional<PersistentRecord>> read(Key key) {
      return all.read(key);
    }

    @Override
    public CompletionStage<Void> write(Key key, PersistentRecord record) {
      return refuses.test(key)
          ? CompletableFuture.failedFuture(new IOException("too few replicas"))
          : all.write(key, record);
    }

    @Override
    public CompletionStage<Void> delete(Key key, long deleted) {
      return all.delete(key, deleted);
    }

    @Override
    public void close() {}
  }

  @Test
  void settings_out_of_range_are_refused() {
    assertThatThrownBy(() -> new WriteBehindSettings(directory, 5, 4 << 20, SOON, SOON, 8, SOON))
        .hasMessage("keys to write behind: 5, legal: 100 to 10000000");
  }
}
