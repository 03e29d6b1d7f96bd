package io.counterpart.engine.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.engine.KvBatch;
import io.counterpart.engine.KvEngine;
import io.counterpart.engine.KvRange;
import io.counterpart.engine.KvSnapshot;
import io.counterpart.engine.KvStore;
import io.counterpart.engine.KvStoreProvider;
import io.counterpart.engine.StoreException;
import io.counterpart.engine.StorePlace;
import io.counterpart.engine.conformance.DurableStoreConformance;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Stores on a real server. */
class RedisStoreTest extends DurableStoreConformance {
  private static TestServer server;

  @BeforeAll
  static void startServer() throws Exception {
    TestServer.requireInstalled();
    server = TestServer.start(Path.of("target/redis-store-" + System.nanoTime()));
  }

  @AfterAll
  static void stopServer() throws Exception {
    if (server != null) {
      server.close();
    }
  }

  @Override
  protected KvStoreProvider provider() {
    return new RedisProvider();
  }

  @Override
  protected Map<String, String> options() {
    return Map.of("url", server.url());
  }

  @Test
  void is_found_by_its_name() {
    assertThat(KvStoreProvider.named("redis", getClass().getClassLoader()))
        .isInstanceOf(RedisProvider.class);
  }

  @Test
  void stores_of_one_table_in_two_directories_share_nothing() {
    put("a", "1");
    try (KvStore other = engine().open(place("other"));
        KvSnapshot snapshot = other.snapshot()) {
      assertThat(keys(snapshot, KvRange.all())).isEmpty();
      other.truncate();
    }

    engine().drop(place("other"));

    assertThat(get("a")).isEqualTo("1");
  }

  @Test
  void a_dropped_store_leaves_nothing_on_the_server() throws Exception {
    KvEngine engine = engine();
    StorePlace place = new StorePlace(directory.resolve("gone"), "ks_of_its_own", "gone_table");
    try (KvStore gone = engine.open(place)) {
      gone.write(new KvBatch().put(bytes("a"), bytes("1")));
    }
    String select = "SELECT " + databaseOf("ks_of_its_own");
    assertThat(
            server.command(
                "EVAL \"redis.call('"
                    + select.replace(" ", "','")
                    + "')"
                    + " return #redis.call('KEYS','gone_table_*')\" 0"))
        .isEqualTo(":2");

    engine.drop(place);

    assertThat(
            server.command(
                "EVAL \"redis.call('"
                    + select.replace(" ", "','")
                    + "')"
                    + " return #redis.call('KEYS','gone_table_*')\" 0"))
        .isEqualTo(":0");
    assertThat(place.directory()).doesNotExist();
  }

  private static String databaseOf(String keyspace) throws Exception {
    return server
        .command(
            "EVAL \"return tonumber(redis.call('HGET','counterpart:keyspaces','%s'))\" 0"
                .formatted(keyspace))
        .substring(1);
  }

  @Test
  void a_large_batch_of_small_entries_is_one_write() {
    KvBatch batch = new KvBatch();
    for (int i = 0; i < 100_000; i++) {
      batch.put(bytes("key%07d".formatted(i)), bytes("a value of some forty bytes, more or less"));
    }
    store.write(batch);
    KvBatch deletes = new KvBatch();
    for (int i = 0; i < 99_000; i++) {
      deletes.delete(bytes("key%07d".formatted(i)));
    }
    store.write(deletes);

    assertThat(store.stats().entries()).isEqualTo(1000);
    assertThat(store.stats().hitRatio()).as("all of it is in memory").isEqualTo(1);
    assertThat(keys(KvRange.all())).hasSize(1000).startsWith("key0099000");
  }

  /** A page ends before it is too large, and goes on where it ended. */
  @Test
  void scans_large_values_in_short_pages() {
    for (int i = 0; i < 10; i++) {
      store.write(new KvBatch().put(bytes("key" + i), new byte[700_000]));
    }

    assertThat(keys(KvRange.all())).hasSize(10);
    assertThat(keys(KvRange.all().reverse())).hasSize(10).startsWith("key9");
  }

  @Test
  void stores_share_connections_and_the_last_one_closes_them() {
    RedisEngine engine = (RedisEngine) engine();
    KvStore first = engine.open(place("first"));
    KvStore second = engine.open(place("second"));
    assertThat(engine.openDatabases()).isEqualTo(1);
    first.close();
    second.write(new KvBatch().put(bytes("a"), bytes("1")));
    assertThat(engine.openDatabases()).isEqualTo(1);

    second.close();

    assertThat(engine.openDatabases()).isZero();
  }

  @Test
  void a_process_whose_store_another_one_has_opened_writes_no_more() {
    put("a", "1");
    try (KvStore thief = engine().open(place("store"))) {
      thief.write(new KvBatch().put(bytes("a"), bytes("2")));

      assertThatThrownBy(() -> put("a", "3"))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("another process")
          .hasMessageContaining(server.url());
    }
    assertThat(get("a")).isEqualTo("2");
  }

  @Test
  void a_store_that_its_server_has_lost_is_not_an_empty_one() throws Exception {
    TestServer emptied = TestServer.start(directory.resolve("emptied"));
    try (emptied) {
      KvEngine engine = provider().engine(new java.util.HashMap<>(Map.of("url", emptied.url())));
      try (KvStore lost = engine.open(place("lost"))) {
        lost.write(new KvBatch().put(bytes("a"), bytes("1")));
        emptied.command("FLUSHALL");

        try (KvSnapshot snapshot = lost.snapshot()) {
          assertThatThrownBy(() -> snapshot.get(bytes("a"))).hasMessageContaining("no more");
          assertThatThrownBy(() -> keys(snapshot, KvRange.all())).hasMessageContaining("no more");
        }
        assertThatThrownBy(() -> lost.write(new KvBatch().put(bytes("a"), bytes("2"))))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("no more")
            .hasMessageContaining(place("lost").directory().toString());
      }
      assertThatThrownBy(() -> engine.open(place("lost"))).hasMessageContaining("no more");
      engine.drop(place("lost"));
      engine.open(place("lost")).close();
    }
  }
}
