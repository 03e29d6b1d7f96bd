package io.counterpart.engine.sql;

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
import io.counterpart.engine.server.StoreId;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real server that is killed, paused, or not as it should be. */
class SqlFailuresTest {
  private static final int TIMEOUT_MILLIS = 3_000;

  /** For what does not wait for the server as a write does, for 30 s. */
  private static final long LONGEST_MILLIS = 20_000;

  private static final int KEYS = 200;

  @TempDir private static Path home;
  private static TestServer server;
  @TempDir private Path directory;

  @BeforeAll
  static void startServer() {
    server = TestServer.start(home);
  }

  @BeforeEach
  void restoreServer() {
    server.restore();
  }

  @AfterAll
  static void stopServer() {
    if (server != null) {
      server.close();
    }
  }

  private KvEngine engine(String... more) {
    Map<String, String> options = server.options();
    options.put("timeout_ms", Integer.toString(TIMEOUT_MILLIS));
    options.put("retry_ms", "30000");
    for (int i = 0; i < more.length; i += 2) {
      options.put(more[i], more[i + 1]);
    }
    return new SqlProvider().engine(options);
  }

  private KvStore open(String... options) {
    return engine(options).open(new StorePlace(directory.resolve("store"), "ks", "t"));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }

  private static KvBatch batch(int number) {
    KvBatch batch = new KvBatch();
    for (int key = 0; key < KEYS; key++) {
      batch.put(bytes("key" + key), bytes(Integer.toString(number)));
    }
    return batch;
  }

  private static int number(KvStore store, int key) {
    try (KvSnapshot snapshot = store.snapshot()) {
      byte[] value = snapshot.get(bytes("key" + key));
      return value == null ? -1 : Integer.parseInt(new String(value, ISO_8859_1));
    }
  }

  @Test
  void a_write_that_the_server_refuses_fails_at_once_and_whole() {
    try (KvStore store = open()) {
      store.write(batch(1));
      server.sql(
          "CREATE TRIGGER ks.refusal BEFORE INSERT ON "
              + table()
              + " FOR EACH ROW IF NEW.k = 'key7' THEN SIGNAL SQLSTATE '45000'"
              + " SET MESSAGE_TEXT = 'not this key'; END IF");
      long begin = System.nanoTime();
      assertThatThrownBy(() -> store.write(batch(2)))
          .isInstanceOf(StoreException.class)
          .isNotInstanceOf(StoreAwayException.class)
          .hasMessageContaining("not this key");
      assertThat(millisSince(begin)).isLessThan(LONGEST_MILLIS);
      for (int key = 0; key < KEYS; key++) {
        assertThat(number(store, key)).isEqualTo(1);
      }

      server.sql("DROP TRIGGER ks.refusal");

      store.write(batch(2));
      assertThat(number(store, 7)).isEqualTo(2);
    }
  }

  /** As before a server takes over; the account of the tests may write all the same. */
  @Test
  void a_server_that_is_read_only_is_waited_for() {
    assertThat(SqlFailures.mayPass(new SQLException("read-only", "HY000", 1290))).isTrue();
  }

  @Test
  void writes_go_on_when_a_killed_server_is_back_and_none_is_lost() throws Exception {
    AtomicInteger acknowledged = new AtomicInteger(-1);
    AtomicBoolean done = new AtomicBoolean();
    try (KvStore store = open()) {
      CompletableFuture<Void> writing =
          CompletableFuture.runAsync(
              () -> {
                for (int number = 0; !done.get(); number++) {
                  store.write(batch(number));
                  acknowledged.set(number);
                }
              });
      for (int kill = 0; kill < 3; kill++) {
        int before = acknowledged.get();
        Awaitility.await()
            .atMost(Duration.ofSeconds(30))
            .until(() -> acknowledged.get() > before + 5 || writing.isDone());
        server.kill();
        int atKill = acknowledged.get();
        server.start();
        Awaitility.await()
            .atMost(Duration.ofSeconds(30))
            .until(() -> acknowledged.get() > atKill + 1 || writing.isDone());
      }
      done.set(true);
      writing.get(30, TimeUnit.SECONDS);

      for (int key = 0; key < KEYS; key++) {
        assertThat(number(store, key)).isEqualTo(acknowledged.get());
      }
    }
  }

  @Test
  void a_write_that_waits_gives_up_when_it_may_wait_no_longer() throws Exception {
    AtomicBoolean mayWait = new AtomicBoolean(true);
    KvEngine engine = engine("retry_ms", "600000");
    engine.waitWhile(mayWait::get);
    try (KvStore store = engine.open(new StorePlace(directory.resolve("store"), "ks", "t"))) {
      server.kill();
      CompletableFuture<Void> write = CompletableFuture.runAsync(() -> store.write(batch(1)));
      Thread.sleep(2 * TIMEOUT_MILLIS);
      assertThat(write).isNotDone();

      mayWait.set(false);

      // far less than it would wait
      assertThatThrownBy(() -> write.get(20, TimeUnit.SECONDS))
          .hasCauseInstanceOf(StoreAwayException.class);
    }
  }

  @Test
  void a_read_survives_a_restart_of_the_server_between_two_reads() {
    // a server that has just started may be slow
    try (KvStore store = open("timeout_ms", "20000")) {
      store.write(batch(1));
      server.kill();
      server.start();

      assertThat(number(store, 1)).isEqualTo(1);
    }
  }

  @Test
  void reads_fail_in_time_while_the_server_is_down_and_later_ones_at_once() {
    try (KvStore store = open()) {
      store.write(batch(1));
      server.kill();

      long start = System.nanoTime();
      assertThatThrownBy(() -> number(store, 1))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("SQL server 127.0.0.1:" + server.port());
      assertThat(millisSince(start)).isLessThan(LONGEST_MILLIS);
      long quickest = Long.MAX_VALUE;
      for (int i = 0; i < 3; i++) {
        long later = System.nanoTime();
        assertThatThrownBy(() -> number(store, 1)).isInstanceOf(StoreException.class);
        quickest = Math.min(quickest, millisSince(later));
      }
      assertThat(quickest).isLessThan(TIMEOUT_MILLIS / 6);

      server.start();
      Awaitility.await()
          .ignoreExceptions()
          .atMost(Duration.ofSeconds(30))
          .until(() -> number(store, 1) == 1);
    }
  }

  /** As for a table that was lost: those of other tables are there. */
  @Test
  void a_server_that_refuses_a_read_after_its_absence_is_there_for_others() {
    KvEngine engine = engine();
    try (KvStore lost = engine.open(new StorePlace(directory.resolve("lost"), "ks", "t"));
        KvStore store = engine.open(new StorePlace(directory.resolve("store"), "ks", "t"))) {
      store.write(batch(1));
      server.kill();
      assertThatThrownBy(() -> number(store, 1)).isInstanceOf(StoreAwayException.class);
      server.start();
      String id = StoreId.find(directory.resolve("lost")).orElseThrow();
      server.sql("DROP TABLE " + SqlNames.of("ks", "t", id).quotedTable());

      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(
              () ->
                  assertThatThrownBy(() -> number(lost, 1))
                      .isInstanceOf(StoreException.class)
                      .isNotInstanceOf(StoreAwayException.class));

      assertThat(number(store, 1)).isEqualTo(1);
    }
  }

  @Test
  void a_server_that_hangs_fails_reads_in_time_and_holds_writes_back() throws Exception {
    try (KvStore store = open()) {
      store.write(batch(1));
      server.pause();
      long start = System.nanoTime();
      assertThatThrownBy(() -> number(store, 1)).isInstanceOf(StoreException.class);
      assertThat(millisSince(start)).isLessThan(LONGEST_MILLIS);

      CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> store.write(batch(2)));
      assertThatThrownBy(() -> writing.get(2L * TIMEOUT_MILLIS, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      server.resume();
      writing.get(30, TimeUnit.SECONDS);

      assertThat(number(store, 7)).isEqualTo(2);
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
      store.write(batch(1));
      server.pause();
      List<CompletableFuture<Integer>> reads =
          Stream.generate(() -> CompletableFuture.supplyAsync(() -> number(store, 1), threads))
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
      for (CompletableFuture<Integer> read : reads) {
        if (read.isCompletedExceptionally()) {
          assertThatThrownBy(read::join)
              .hasCauseInstanceOf(StoreBusyException.class)
              .hasMessageContaining("SQL server 127.0.0.1:" + server.port())
              .hasMessageContaining("is slow: 4 reads");
        } else {
          assertThat(read.get(20, TimeUnit.SECONDS)).isEqualTo(1);
          answered++;
        }
      }
      assertThat(answered).isEqualTo(connections);
    } finally {
      server.resume();
      threads.shutdownNow();
    }
  }

  @Test
  void readers_share_the_permits_that_the_node_gives_and_writers_need_none() {
    ReaderPermits permits = new ReaderPermits("the server", 1);
    KvEngine engine = engine();
    engine.limitReaders(permits);
    try (KvStore store = engine.open(new StorePlace(directory.resolve("store"), "ks", "t"));
        KvStore other = engine.open(new StorePlace(directory.resolve("other"), "ks2", "t"))) {
      store.write(batch(1));

      permits.reading(
          () -> {
            for (KvStore each : List.of(store, other)) {
              assertThatThrownBy(() -> number(each, 1)).isInstanceOf(StoreBusyException.class);
            }
            store.check();
            store.write(batch(2));
            store.settle();
            try (KvSnapshot snapshot = store.writersSnapshot();
                KvCursor cursor = snapshot.scan(KvRange.all())) {
              assertThat(cursor.next()).isTrue();
            }
            return store.stats();
          });

      try (KvSnapshot snapshot = store.snapshot();
          KvCursor cursor = snapshot.scan(KvRange.all())) {
        assertThat(cursor.next()).isTrue();
        assertThat(number(store, 1)).as("beside a scan that stays open").isEqualTo(2);
      }
    }
  }

  @Test
  void a_write_fails_when_its_time_is_over() {
    try (KvStore store = open("retry_ms", "500")) {
      server.kill();

      assertThatThrownBy(() -> store.write(batch(1)))
          .isInstanceOf(StoreAwayException.class)
          .hasMessageContaining("127.0.0.1:" + server.port());
      assertThatThrownBy(store::settle).isInstanceOf(StoreAwayException.class);
    }
  }

  /** The server goes on with a transaction whose client has given up. */
  @Test
  void settling_waits_for_a_transaction_that_is_under_way() throws Exception {
    try (KvStore store = open()) {
      KvBatch first = batch(1).put(new byte[] {0}, bytes("state"));
      store.write(first);
      try (Connection other = server.connect();
          Statement statement = other.createStatement()) {
        other.setAutoCommit(false);
        String lateWrite = "UPDATE " + table() + " SET v = 'late' WHERE k = x'00'";
        assertThat(statement.executeUpdate(lateWrite)).isEqualTo(1);
        CompletableFuture<Void> settling = CompletableFuture.runAsync(store::settle);
        assertThatThrownBy(() -> settling.get(500, TimeUnit.MILLISECONDS))
            .isInstanceOf(TimeoutException.class);

        other.commit();

        settling.get(30, TimeUnit.SECONDS);
      }
    }
  }

  /** Found by its id: tables of other tests can be as young, to the second. */
  private String table() {
    return SqlNames.of("ks", "t", StoreId.find(directory.resolve("store")).orElseThrow())
        .quotedTable();
  }

  @Test
  void a_store_is_not_opened_while_the_server_is_down() {
    server.kill();
    long start = System.nanoTime();

    assertThatThrownBy(this::open)
        .isInstanceOf(StoreAwayException.class)
        .hasMessageContaining("SQL server 127.0.0.1:" + server.port());

    assertThat(millisSince(start)).isLessThan(LONGEST_MILLIS);
  }

  @Test
  void writes_wait_while_the_server_s_disk_is_full() throws Exception {
    int writes = 80;
    int valueBytes = 1 << 19;
    AtomicInteger acknowledged = new AtomicInteger();
    try (SmallDisk disk = SmallDisk.mount(Path.of("target/sql-disk-" + System.nanoTime()), 512);
        TestServer small = TestServer.start(disk.directory());
        KvStore store =
            new SqlProvider()
                .engine(patient(small.options()))
                .open(new StorePlace(directory.resolve("store"), "ks", "t"))) {
      disk.resize((int) (disk.usedBytes() >> 20) + 16);
      CompletableFuture<Void> writer =
          CompletableFuture.runAsync(
              () -> {
                for (int number = 0; number < writes; number++) {
                  store.write(
                      new KvBatch().put(bytes("key" + number), bytes("1".repeat(valueBytes))));
                  acknowledged.incrementAndGet();
                }
              });
      AtomicInteger before = new AtomicInteger(-1);
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .pollInterval(Duration.ofSeconds(2))
          .until(
              () -> {
                int now = acknowledged.get();
                return before.getAndSet(now) == now && now > 0;
              });
      assertThat(acknowledged.get()).isBetween(1, writes - 1);
      assertThat(writer).isNotDone();

      disk.resize(512);

      writer.get(60, TimeUnit.SECONDS);
      for (int number = 0; number < writes; number++) {
        try (KvSnapshot snapshot = store.snapshot()) {
          assertThat(snapshot.get(bytes("key" + number))).hasSize(valueBytes);
        }
      }
    }
  }

  /** The usual ten seconds may pass before there is room again. */
  private static Map<String, String> patient(Map<String, String> options) {
    options.put("retry_ms", "60000");
    return options;
  }

  @Test
  void a_wrong_password_is_named() {
    Map<String, String> options = server.options();
    options.remove("password_file");
    options.put("password", "wrong-secret");
    KvEngine engine = new SqlProvider().engine(options);

    assertThatThrownBy(() -> engine.open(new StorePlace(directory.resolve("s"), "ks", "t")))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("Access denied")
        .hasMessageNotContaining("wrong-secret");
  }

  @Test
  void a_server_that_may_lose_commits_is_refused_unless_that_is_accepted() {
    server.sql("SET GLOBAL innodb_flush_log_at_trx_commit = 2");

    assertThatThrownBy(this::open)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("innodb_flush_log_at_trx_commit = 2, needed: 1");
    open("durable", "false").close();
  }

  @Test
  void a_server_that_refuses_large_values_is_refused() {
    server.sql("SET GLOBAL max_allowed_packet = 16777216");

    assertThatThrownBy(this::open)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("max_allowed_packet = 16777216, needed: at least 67108864");
  }

  private static long millisSince(long start) {
    return Duration.ofNanos(System.nanoTime() - start).toMillis();
  }

  /** A machine that lost its power says nothing; its transaction has locks until then. */
  @Test
  void the_server_soon_ends_a_session_of_which_it_hears_no_more() {
    SqlOptions options = SqlOptions.take(server.options());
    try (SqlServer connections = new SqlServer(options, () -> true, new ReaderPermits("", 1))) {
      int seconds =
          connections.write(
              "ask",
              connection -> {
                try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT @@SESSION.wait_timeout")) {
                  rows.next();
                  return rows.getInt(1);
                }
              });

      assertThat(seconds).isLessThanOrEqualTo(60);
    }
  }
}
