package io.counterpart.engine.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.engine.KvBatch;
import io.counterpart.engine.KvCursor;
import io.counterpart.engine.KvEngine;
import io.counterpart.engine.KvRange;
import io.counterpart.engine.KvSnapshot;
import io.counterpart.engine.KvStore;
import io.counterpart.engine.ReaderPermits;
import io.counterpart.engine.StoreAwayException;
import io.counterpart.engine.StoreBusyException;
import io.counterpart.engine.StoreException;
import io.counterpart.engine.StorePlace;
import io.counterpart.engine.conformance.SmallDisk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real server that is killed, paused, out of memory, busy or not what it must be. */
class RedisFailureTest {
  private static final String OUT_OF_MEMORY = "CONFIG SET maxmemory 1";
  private static final String ENOUGH_MEMORY = "CONFIG SET maxmemory 0";

  /** As from an older file; the first command has it through where there is no memory. */
  private static final String LOSE_A_WRITE =
      "EVAL \"redis.call('SELECT', '1') local v = redis.call('KEYS', 't_*:values')[1]"
          + " redis.call('ZREM', 'x', 'y') return redis.call('HINCRBY', v, '', '-1')\" 0";

  @TempDir Path directory;
  private TestServer server;

  @BeforeEach
  void startServer() throws Exception {
    TestServer.requireInstalled();
    // ten seconds may be too few where others have the processors and the disk
    Awaitility.setDefaultTimeout(Duration.ofSeconds(40));
    server = TestServer.start(Path.of("target/redis-failure-" + System.nanoTime()));
  }

  @AfterEach
  void stopServer() throws Exception {
    if (server != null) {
      server.close();
    }
  }

  private KvStore open(String... options) {
    return open(server, options);
  }

  private KvStore open(TestServer on, String... options) {
    Map<String, String> all = new HashMap<>(Map.of("url", on.url()));
    for (int i = 0; i < options.length; i += 2) {
      all.put(options[i], options[i + 1]);
    }
    return open(new RedisProvider().engine(all));
  }

  /** With a short time-out, which a sync of the server's file may exceed on a busy disk. */
  private KvStore openPatiently(String... options) {
    return Awaitility.await()
        .pollDelay(Duration.ZERO)
        .ignoreExceptions()
        .until(() -> open(options), store -> true);
  }

  private KvStore open(KvEngine engine) {
    return engine.open(new StorePlace(directory.resolve("store"), "ks", "t"));
  }

  private static KvBatch batch(String... keysAndValues) {
    KvBatch batch = new KvBatch();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      batch.put(bytes(keysAndValues[i]), bytes(keysAndValues[i + 1]));
    }
    return batch;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }

  private static String get(KvStore store, String key) {
    try (KvSnapshot snapshot = store.snapshot()) {
      byte[] value = snapshot.get(bytes(key));
      return value == null ? "absent" : new String(value, ISO_8859_1);
    }
  }

  @Test
  void a_killed_server_has_what_it_acknowledged_and_the_running_write_goes_on() throws Exception {
    AtomicInteger acknowledged = new AtomicInteger(-1);
    AtomicBoolean done = new AtomicBoolean();
    CountDownLatch begun = new CountDownLatch(20);
    // the server may take long to start
    try (KvStore store = open("retry_ms", "60000")) {
      CompletableFuture<Void> writer =
          CompletableFuture.runAsync(
              () -> {
                for (int number = 0; !done.get(); number++) {
                  KvBatch batch = new KvBatch();
                  for (int key = 0; key < 200; key++) {
                    batch.put(bytes("key" + key), bytes(" ".repeat(number % 90) + number));
                  }
                  store.write(batch);
                  acknowledged.set(number);
                  begun.countDown();
                }
              });
      assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();

      for (int kill = 0; kill < 3; kill++) {
        server.kill();
        int before = acknowledged.get();
        assertThatThrownBy(() -> get(store, "key0")).isInstanceOf(StoreException.class);
        server.start();

        int now = Integer.parseInt(get(store, "key0").strip());
        assertThat(now).isGreaterThanOrEqualTo(before);
        Awaitility.await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> acknowledged.get() > before + 5);
      }
      done.set(true);
      writer.get(60, TimeUnit.SECONDS);

      try (KvSnapshot snapshot = store.snapshot();
          KvCursor cursor = snapshot.scan(KvRange.all())) {
        while (cursor.next()) {
          assertThat(new String(cursor.value(), ISO_8859_1).strip())
              .isEqualTo(Integer.toString(acknowledged.get()));
        }
      }
    }
  }

  @Test
  void reads_for_a_write_wait_for_the_server_and_others_fail_at_once() throws Exception {
    try (KvStore store = open("retry_ms", "60000")) {
      store.write(batch("a", "1"));
      server.kill();
      CompletableFuture<byte[]> patient =
          CompletableFuture.supplyAsync(
              () -> {
                try (KvSnapshot snapshot = store.writersSnapshot()) {
                  return snapshot.get(bytes("a"));
                }
              });

      long begin = System.nanoTime();
      assertThatThrownBy(() -> get(store, "a"))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining(server.url());
      // the other one waits for a minute
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(30));
      assertThat(patient).isNotDone();
      server.start();

      assertThat(patient.get(20, TimeUnit.SECONDS)).isEqualTo(bytes("1"));
      assertThat(get(store, "a")).isEqualTo("1");
    }
  }

  @Test
  void a_server_that_is_down_fails_opens_and_writes_naming_it() throws Exception {
    try (KvStore store = open("retry_ms", "300")) {
      server.kill();

      long begin = System.nanoTime();
      assertThatThrownBy(() -> store.write(batch("a", "1")))
          .isInstanceOf(StoreAwayException.class)
          .hasMessageContaining(server.url());
      assertThat(Duration.ofNanos(System.nanoTime() - begin))
          .isBetween(Duration.ofMillis(290), Duration.ofSeconds(20));
      assertThatThrownBy(() -> open())
          .isInstanceOf(StoreAwayException.class)
          .hasMessageContaining(server.url())
          .hasMessageContaining("refused");
    }
  }

  @Test
  void a_write_that_waits_gives_up_when_it_may_wait_no_longer() throws Exception {
    AtomicBoolean mayWait = new AtomicBoolean(true);
    KvEngine engine =
        new RedisProvider()
            .engine(new HashMap<>(Map.of("url", server.url(), "retry_ms", "600000")));
    engine.waitWhile(mayWait::get);
    try (KvStore store = open(engine)) {
      server.kill();
      CompletableFuture<Void> write =
          CompletableFuture.runAsync(() -> store.write(batch("a", "1")));
      Thread.sleep(2500);
      assertThat(write).isNotDone();

      mayWait.set(false);

      // far less than it would wait
      assertThatThrownBy(() -> write.get(20, TimeUnit.SECONDS))
          .hasCauseInstanceOf(StoreAwayException.class);
      long begin = System.nanoTime();
      assertThatThrownBy(() -> store.write(batch("a", "2"))).isInstanceOf(StoreAwayException.class);
      // a server may be busy for a moment
      assertThat(Duration.ofNanos(System.nanoTime() - begin))
          .isBetween(Duration.ofMillis(990), Duration.ofSeconds(20));
    }
  }

  /**
   * The failed write waits in the paused server's buffers, and arrives before or after the next.
   */
  @Test
  void a_write_that_comes_late_does_not_undo_a_later_one() throws Exception {
    String large = "1".repeat(8 << 20);
    try (KvStore store = openPatiently("timeout_ms", "300", "retry_ms", "0")) {
      server.pause();
      long begin = System.nanoTime();
      assertThatThrownBy(() -> store.write(batch("a", large))).isInstanceOf(StoreException.class);
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(20));
      assertThatThrownBy(() -> get(store, "a")).isInstanceOf(StoreException.class);
      server.resume();

      Awaitility.await().ignoreExceptions().untilAsserted(() -> store.write(batch("a", "2")));

      // the late write may keep the server busy for longer than a read waits
      Awaitility.await()
          .ignoreExceptions()
          .during(Duration.ofMillis(500))
          .untilAsserted(() -> assertThat(get(store, "a")).isEqualTo("2"));
    }
  }

  /** The failed write waits in the paused server's buffers. */
  @Test
  void after_settling_a_write_that_failed_has_happened_or_never_will() throws Exception {
    String large = "1".repeat(8 << 20);
    try (KvStore store = openPatiently("timeout_ms", "300", "retry_ms", "0")) {
      Awaitility.await().ignoreExceptions().untilAsserted(() -> store.write(batch("a", "0")));
      server.pause();
      assertThatThrownBy(() -> store.write(batch("a", large)))
          .isInstanceOf(StoreAwayException.class);
      assertThatThrownBy(store::settle).isInstanceOf(StoreAwayException.class);
      server.resume();

      Awaitility.await().ignoreExceptions().untilAsserted(store::settle);

      String settled =
          Awaitility.await().ignoreExceptions().until(() -> get(store, "a"), value -> true);
      Awaitility.await()
          .ignoreExceptions()
          .during(Duration.ofMillis(500))
          .untilAsserted(() -> assertThat(get(store, "a")).isEqualTo(settled));
    }
  }

  /** Cassandra's threads are there for other tables, too. */
  @Test
  void a_server_that_hangs_is_asked_by_one_reader_at_a_time() throws Exception {
    try (KvStore store = openPatiently("timeout_ms", "400")) {
      store.write(batch("a", "1"));
      server.pause();
      assertThatThrownBy(() -> get(store, "a")).hasMessageContaining("timed out");

      long begin = System.nanoTime();
      for (int i = 0; i < 100; i++) {
        assertThatThrownBy(() -> get(store, "a"))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining(server.url());
      }
      // each for itself they would take forty seconds
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(20));
      server.resume();

      Awaitility.await()
          .ignoreExceptions()
          .untilAsserted(() -> assertThat(get(store, "a")).isEqualTo("1"));
    }
  }

  /** Each keeps one of Cassandra's threads. */
  @Test
  void readers_that_wait_for_a_server_are_few_and_the_others_fail_soon() throws Exception {
    int connections = 4;
    int readers = 20;
    ExecutorService threads = Executors.newFixedThreadPool(readers);
    try (KvStore store =
        open("connections", Integer.toString(connections), "timeout_ms", "60000")) {
      store.write(batch("a", "1"));
      server.pause();
      List<CompletableFuture<String>> reads =
          Stream.generate(() -> CompletableFuture.supplyAsync(() -> get(store, "a"), threads))
              .limit(readers)
              .toList();

      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () ->
                  reads.stream().filter(CompletableFuture::isDone).count()
                      == readers - connections);
      server.resume();

      int answered = 0;
      for (CompletableFuture<String> read : reads) {
        if (read.isCompletedExceptionally()) {
          assertThatThrownBy(read::join)
              .hasCauseInstanceOf(StoreBusyException.class)
              .hasMessageContaining(server.url() + " is slow: 4 reads");
        } else {
          assertThat(read.get(20, TimeUnit.SECONDS)).isEqualTo("1");
          answered++;
        }
      }
      assertThat(answered).isEqualTo(connections);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void readers_share_the_permits_that_the_node_gives_and_writers_need_none() {
    ReaderPermits permits = new ReaderPermits(server.url(), 1);
    KvEngine engine = new RedisProvider().engine(new HashMap<>(Map.of("url", server.url())));
    engine.limitReaders(permits);
    try (KvStore store = open(engine);
        KvStore other = engine.open(new StorePlace(directory.resolve("other"), "ks2", "t"))) {
      store.write(batch("a", "1"));

      permits.reading(
          () -> {
            for (KvStore each : List.of(store, other)) {
              assertThatThrownBy(() -> get(each, "a")).isInstanceOf(StoreBusyException.class);
            }
            store.check();
            store.write(batch("a", "2", "b", "2"));
            store.settle();
            try (KvSnapshot snapshot = store.writersSnapshot();
                KvCursor cursor = snapshot.scan(KvRange.all())) {
              assertThat(cursor.next()).isTrue();
            }
            return store.stats();
          });

      assertThat(get(store, "a")).isEqualTo("2");
    }
  }

  @Test
  void scans_that_stay_open_keep_no_permit() {
    KvEngine engine = new RedisProvider().engine(new HashMap<>(Map.of("url", server.url())));
    engine.limitReaders(new ReaderPermits(server.url(), 1));
    try (KvStore store = open(engine);
        KvSnapshot snapshot = store.snapshot()) {
      store.write(batch("a", "1", "b", "1"));
      try (KvSnapshot now = store.snapshot();
          KvCursor first = now.scan(KvRange.all());
          KvCursor second = now.scan(KvRange.all())) {
        assertThat(first.next()).isTrue();
        assertThat(second.next()).isTrue();

        assertThat(get(store, "a")).isEqualTo("1");
      }
      assertThat(snapshot.get(bytes("a"))).isNull();
    }
  }

  /** The same without a race: the script itself refuses. */
  @Test
  void a_lower_write_number_changes_nothing() {
    RedisOptions options = RedisOptions.take(new HashMap<>(Map.of("url", server.url())));
    StoreKeys keys = StoreKeys.of("t", "id");
    ReaderGate gate = new ReaderGate("", 1, System::nanoTime);
    try (Database database = new Database(options, 1, gate, new ReaderPermits("", 1))) {
      WriteArguments first = WriteArguments.of(batch("a", "1"));
      WriteArguments second = WriteArguments.of(batch("a", "2"));
      assertThat(write(database, keys, first.numbered(1, 0))).isEqualTo(TableScripts.LOST);
      assertThat(opened(database, keys)).isEqualTo(1_048_576);

      assertThat(write(database, keys, second.numbered(2_000_000, 0)))
          .isEqualTo(TableScripts.WRITTEN);
      assertThat(write(database, keys, first.numbered(1_999_999, 0))).isEqualTo(TableScripts.STALE);
      assertThat(write(database, keys, first.numbered(2_000_000, 0))).isEqualTo(TableScripts.STALE);
    }
  }

  /** Its packet was lost, and a second attempt was quicker than the repetition of the first. */
  @Test
  void an_opening_that_comes_late_changes_nothing() {
    RedisOptions options = RedisOptions.take(new HashMap<>(Map.of("url", server.url())));
    StoreKeys keys = StoreKeys.of("t", "id");
    ReaderGate gate = new ReaderGate("", 1, System::nanoTime);
    try (Database database = new Database(options, 1, gate, new ReaderPermits("", 1))) {
      assertThat(opened(database, keys)).isEqualTo(1_048_576);
      assertThat(opened(database, keys)).isEqualTo(TableScripts.CHANGED);

      WriteArguments first = WriteArguments.of(batch("a", "1"));
      assertThat(write(database, keys, first.numbered(1_048_577, 0)))
          .isEqualTo(TableScripts.WRITTEN);
    }
  }

  /** By somebody who has found no number. */
  private static long opened(Database database, StoreKeys keys) {
    List<byte[]> arguments = List.of(bytes("0"), bytes(""), bytes("0"));
    return database.call(c -> TableScripts.OPEN.number(c, keys.both(), arguments));
  }

  @Test
  void without_memory_a_store_settles_and_is_opened_again() {
    try (KvStore store = open("retry_ms", "200")) {
      store.write(batch("a", "1"));
      server.command(OUT_OF_MEMORY);
      assertThatThrownBy(() -> store.write(batch("b", "1"))).isInstanceOf(StoreAwayException.class);

      store.settle();
    }
    try (KvStore again = open()) {
      assertThat(get(again, "a")).isEqualTo("1");
    }
  }

  @Test
  void a_server_that_has_lost_its_last_writes_is_not_read() {
    try (KvStore store = open()) {
      store.write(batch("a", "1"));
      server.command(LOSE_A_WRITE);

      assertThatThrownBy(() -> get(store, "a")).hasMessageContaining("lacks its last writes");
      assertThatThrownBy(() -> store.write(batch("a", "2")))
          .hasMessageContaining("lacks its last writes");
    }
  }

  @Test
  void a_write_that_waited_finds_that_the_server_has_lost_writes() throws Exception {
    try (KvStore store = open("retry_ms", "20000")) {
      store.write(batch("a", "1"));
      server.command(OUT_OF_MEMORY);
      CompletableFuture<Void> write =
          CompletableFuture.runAsync(() -> store.write(batch("b", "1")));
      assertThatThrownBy(() -> write.get(500, TimeUnit.MILLISECONDS))
          .isInstanceOf(java.util.concurrent.TimeoutException.class);
      server.command(LOSE_A_WRITE);
      server.command(ENOUGH_MEMORY);

      assertThatThrownBy(() -> write.get(20, TimeUnit.SECONDS))
          .hasMessageContaining("lacks its last writes");
      assertThatThrownBy(store::settle).hasMessageContaining("lacks its last writes");
      assertThatThrownBy(() -> get(store, "a")).hasMessageContaining("lacks its last writes");
    }
  }

  @Test
  void a_scan_that_is_under_way_finds_that_the_server_has_lost_writes() {
    try (KvStore store = open()) {
      KvBatch keys = new KvBatch();
      for (int key = 0; key < 5_000; key++) {
        keys.put(bytes("key" + key), bytes("1"));
      }
      store.write(keys);
      try (KvSnapshot snapshot = store.snapshot();
          KvCursor cursor = snapshot.scan(KvRange.all())) {
        assertThat(cursor.next()).isTrue();
        server.command(LOSE_A_WRITE);

        assertThatThrownBy(
                () -> {
                  while (cursor.next()) {}
                })
            .hasMessageContaining("lacks its last writes");
      }
    }
  }

  @Test
  void a_server_that_lost_writes_while_no_process_ran_is_not_opened() throws Exception {
    try (KvStore store = open()) {
      store.write(batch("a", "1"));
    }
    server.command(LOSE_A_WRITE);

    assertThatThrownBy(() -> open())
        .isInstanceOf(StoreException.class)
        .isNotInstanceOf(StoreAwayException.class)
        .hasMessageContaining("lacks its last writes")
        .hasMessageContaining(NumberFile.NAME);
    Path number = directory.resolve("store").resolve(NumberFile.NAME);
    Files.delete(number);
    try (KvStore store = open()) {
      assertThat(get(store, "a")).isEqualTo("1");
    }
    open("durable", "false").close();
    assertThat(number).doesNotExist();
  }

  /** A loss of power has taken the mark, as when it was not synced. */
  @Test
  void a_server_that_was_emptied_is_not_taken_for_a_new_one_without_the_mark() throws Exception {
    try (KvStore store = open()) {
      store.write(batch("a", "1"));
    }
    Files.delete(directory.resolve("store").resolve("on-server"));
    server.command("FLUSHALL");

    assertThatThrownBy(() -> open())
        .isInstanceOf(StoreException.class)
        .isNotInstanceOf(StoreAwayException.class)
        .hasMessageContaining("has it no more");
  }

  @Test
  void a_store_without_its_order_is_no_empty_one() {
    try (KvStore store = open()) {
      store.write(batch("a", "1"));
      server.command(
          "EVAL \"redis.call('SELECT', '1')"
              + " return redis.call('DEL', redis.call('KEYS', 't_*:order')[1])\" 0");
      try (KvSnapshot snapshot = store.snapshot();
          KvCursor cursor = snapshot.scan(KvRange.all())) {
        assertThatThrownBy(cursor::next).hasMessageContaining("has it no more");
      }
    }
  }

  private static long write(Database database, StoreKeys keys, List<byte[]> arguments) {
    return database.call(c -> TableScripts.WRITE.number(c, keys.both(), arguments));
  }

  @Test
  void without_memory_a_batch_fails_whole_and_reads_go_on() throws Exception {
    try (KvStore store = open("retry_ms", "200")) {
      store.write(batch("a", "1", "b", "1"));
      server.command(OUT_OF_MEMORY);

      assertThatThrownBy(() -> store.write(batch("a", "2", "c", "2").delete(bytes("b"))))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining(server.url())
          .hasMessageContaining("maxmemory");
      assertThat(List.of(get(store, "a"), get(store, "b"), get(store, "c")))
          .containsExactly("1", "1", "absent");
      store.write(new KvBatch().delete(bytes("b")));
      assertThat(get(store, "b")).isEqualTo("absent");
      store.write(batch("a", "0").shrinking());
      assertThat(get(store, "a")).as("a batch that takes no memory").isEqualTo("0");
      server.command(ENOUGH_MEMORY);
      store.write(batch("d", "2", "e", "2"));
      server.command(OUT_OF_MEMORY);
      store.write(batch("d", "1").delete(bytes("e")).shrinking());
      assertThat(List.of(get(store, "d"), get(store, "e"))).containsExactly("1", "absent");
      server.command(ENOUGH_MEMORY);
      store.write(batch("a", "3"));
      assertThat(get(store, "a")).isEqualTo("3");

      server.command(OUT_OF_MEMORY);
      store.truncate();
      server.command(ENOUGH_MEMORY);
      assertThat(get(store, "a")).isEqualTo("absent");
    }
  }

  @Test
  void a_write_waits_for_memory() throws Exception {
    try (KvStore store = open()) {
      server.command(OUT_OF_MEMORY);
      CompletableFuture<Void> write =
          CompletableFuture.runAsync(() -> store.write(batch("a", "1")));
      assertThatThrownBy(() -> write.get(300, TimeUnit.MILLISECONDS))
          .isInstanceOf(java.util.concurrent.TimeoutException.class);

      server.command(ENOUGH_MEMORY);

      write.get(20, TimeUnit.SECONDS);
      assertThat(get(store, "a")).isEqualTo("1");
    }
  }

  @Test
  void a_full_disk_ends_the_server_and_writes_go_on_once_there_is_room() throws Exception {
    int writes = 40;
    int valueBytes = 1 << 19;
    AtomicInteger acknowledged = new AtomicInteger();
    try (SmallDisk disk = SmallDisk.mount(Path.of("target/redis-disk-" + System.nanoTime()), 8);
        TestServer small = TestServer.start(disk.directory().resolve("redis"));
        KvStore store = open(small, "retry_ms", "60000")) {
      CompletableFuture<Void> writer =
          CompletableFuture.runAsync(
              () -> {
                for (int number = 0; number < writes; number++) {
                  store.write(batch("key" + number, "1".repeat(valueBytes)));
                  acknowledged.incrementAndGet();
                }
              });
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(small::hasEnded);
      assertThat(acknowledged.get()).isBetween(1, writes - 1);
      assertThat(writer).isNotDone();

      disk.resize(64);
      small.start();

      writer.get(60, TimeUnit.SECONDS);
      for (int number = 0; number < writes; number++) {
        assertThat(get(store, "key" + number)).hasSize(valueBytes);
      }
    }
  }

  @Test
  void a_write_waits_for_a_busy_server() throws Exception {
    server.command("CONFIG SET busy-reply-threshold 1");
    try (KvStore store = open()) {
      CompletableFuture<String> loop =
          CompletableFuture.supplyAsync(() -> server.command("EVAL \"while true do end\" 0"));
      Awaitility.await().until(() -> server.command("GET x").startsWith("-BUSY"));
      CompletableFuture<Void> write =
          CompletableFuture.runAsync(() -> store.write(batch("a", "1")));
      assertThatThrownBy(() -> get(store, "a")).hasMessageContaining("BUSY");
      assertThat(write).isNotDone();

      server.command("SCRIPT KILL");

      write.get(20, TimeUnit.SECONDS);
      loop.get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  void a_server_that_forgets_is_refused_unless_that_is_wanted() {
    List.of(
            "appendfsync everysec",
            "no-appendfsync-on-rewrite yes",
            "maxmemory-policy allkeys-lru",
            "appendonly no")
        .forEach(
            setting -> {
              String name = setting.split(" ")[0];
              String before = name.equals("maxmemory-policy") ? "noeviction" : usual(name);
              server.command("CONFIG SET " + setting);

              assertThatThrownBy(() -> open())
                  .isInstanceOf(StoreException.class)
                  .hasMessageContaining(server.url())
                  .hasMessageContaining(setting.replace(" ", " '"))
                  .hasMessageContaining("needed: '" + before);
              open("durable", "false").close();
              server.command("CONFIG SET " + name + " " + before);
            });
    open().close();
  }

  private static String usual(String setting) {
    return switch (setting) {
      case "appendfsync" -> "always";
      case "appendonly" -> "yes";
      default -> "no";
    };
  }

  @Test
  void a_wrong_password_is_refused_and_the_right_one_is_sent() throws Exception {
    Path files = Path.of("target/redis-secret-" + System.nanoTime());
    try (TestServer locked = TestServer.start(files, "--requirepass", "right")) {
      assertThatThrownBy(() -> open(locked))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("NOAUTH");
      assertThatThrownBy(() -> open(locked, "password", "wrong"))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining(locked.url())
          .hasMessageContaining("WRONGPASS")
          .hasMessageNotContaining("wrong ");
      assertThatThrownBy(() -> open(locked, "password_file", "/no/such/file"))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("/no/such/file");

      open(locked, "password", "right").close();
    }
  }

  @Test
  void a_server_with_too_few_databases_is_told() throws Exception {
    Path files = Path.of("target/redis-few-" + System.nanoTime());
    try (TestServer small = TestServer.start(files, "--databases", "3")) {
      RedisEngine engine =
          new RedisEngine(RedisOptions.take(new HashMap<>(Map.of("url", small.url()))));
      for (String keyspace : List.of("one", "two", "one")) {
        engine.open(new StorePlace(directory.resolve(keyspace), keyspace, "t")).close();
      }

      assertThatThrownBy(
              () -> engine.open(new StorePlace(directory.resolve("three"), "three", "t")))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("databases is 3")
          .hasMessageContaining("three")
          .hasMessageContaining(small.url());
      assertThat(engine.openDatabases()).isZero();
    }
  }
}
