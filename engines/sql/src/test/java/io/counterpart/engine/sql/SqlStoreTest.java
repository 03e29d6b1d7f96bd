package io.counterpart.engine.sql;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.engine.KvBatch;
import io.counterpart.engine.KvRange;
import io.counterpart.engine.KvSnapshot;
import io.counterpart.engine.KvStore;
import io.counterpart.engine.KvStoreProvider;
import io.counterpart.engine.ReaderPermits;
import io.counterpart.engine.StoreException;
import io.counterpart.engine.StorePlace;
import io.counterpart.engine.conformance.DurableStoreConformance;
import io.counterpart.engine.server.ServerTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The engine on a real MariaDB server. */
class SqlStoreTest extends DurableStoreConformance {
  @TempDir private static Path home;
  private static TestServer server;

  @BeforeAll
  static void startServer() {
    server = TestServer.start(home);
  }

  @AfterAll
  static void stopServer() {
    if (server != null) {
      server.close();
    }
  }

  @Override
  protected KvStoreProvider provider() {
    return new SqlProvider();
  }

  @Override
  protected Map<String, String> options() {
    return server.options();
  }

  private static List<String> tables(String database) {
    return server.sql("SHOW TABLES FROM `" + database + "`");
  }

  @Test
  void is_found_by_its_name() {
    assertThat(KvStoreProvider.named("sql", getClass().getClassLoader()))
        .isInstanceOf(SqlProvider.class);
  }

  @Test
  void stores_of_the_same_names_in_other_directories_share_nothing() {
    put("a", "1");
    try (KvStore other = engine().open(place("other"));
        KvSnapshot snapshot = other.snapshot()) {
      assertThat(keys(snapshot, KvRange.all())).isEmpty();

      other.write(new KvBatch().put(bytes("a"), bytes("2")));

      assertThat(get("a")).isEqualTo("1");
    }
  }

  @Test
  void tells_what_share_of_pages_the_server_has_in_memory() {
    put("a", "1");
    for (int i = 0; i < 1000; i++) {
      assertThat(get("a")).isEqualTo("1");
    }
    assertThat(store.stats().hitRatio()).isBetween(0.5, 1.0);
  }

  @Test
  void dropping_a_store_drops_its_table() {
    StorePlace place = new StorePlace(directory.resolve("d"), "dropped_ks", "t".repeat(48));
    engine().open(place).close();
    assertThat(tables("dropped_ks")).hasSize(1).allMatch(name -> name.length() == 64);

    engine().drop(place);

    assertThat(tables("dropped_ks")).isEmpty();
    assertThat(place.directory()).doesNotExist();
  }

  @Test
  void keeps_a_keyspace_apart_from_the_databases_of_the_server() {
    StorePlace place = new StorePlace(directory.resolve("m"), "mysql", "user");
    engine().open(place).close();

    assertThat(tables("mysql_keyspace")).hasSize(1);
  }

  @Test
  void a_store_whose_table_is_lost_is_not_taken_for_an_empty_one() {
    StorePlace place = new StorePlace(directory.resolve("l"), "lost_ks", "t");
    engine().open(place).close();
    server.sql("DROP TABLE lost_ks.`" + tables("lost_ks").get(0) + "`");

    assertThatThrownBy(() -> engine().open(place))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("has lost the table lost_ks.t_")
        .hasMessageContaining("127.0.0.1:" + server.port());
    engine().drop(place);
    engine().open(place).close();
  }

  @Test
  void pages_of_large_values_are_short() {
    StorePlace place = new StorePlace(directory.resolve("p"), "pages_ks", "t");
    engine().open(place).close();
    SqlOptions options = SqlOptions.take(options());
    SqlNames names = new SqlNames("pages_ks", tables("pages_ks").get(0));
    try (SqlServer connections = new SqlServer(options, () -> true, new ReaderPermits("", 1))) {
      SqlTable table = new SqlTable(connections, names, 1 << 30, () -> {});
      KvBatch batch = new KvBatch();
      for (int i = 0; i < 40; i++) {
        batch.put(bytes("key%02d".formatted(i)), new byte[i < 20 ? 1 << 20 : 10]);
      }
      table.write(batch);

      ServerTable.Page large = table.page(KvRange.all(), 32);
      ServerTable.Page small = table.page(KvRange.of(bytes("key20"), null), 32);
      ServerTable.Page reversed = table.page(KvRange.all().reverse(), 20);

      assertThat(large.entries()).hasSizeBetween(1, 4);
      assertThat(large.isLast()).isFalse();
      assertThat(small.entries()).hasSize(20);
      assertThat(small.isLast()).isTrue();
      assertThat(reversed.entries()).hasSize(20);
      assertThat(new String(reversed.entries().get(0).key(), ISO_8859_1)).isEqualTo("key39");
      List<byte[]> keys = List.of(bytes("key39"), bytes("absent"), bytes("key00"));
      List<byte[]> values = table.getAll(keys);
      assertThat(values.get(0)).hasSize(10);
      assertThat(values.get(1)).isNull();
      assertThat(values.get(2)).hasSize(1 << 20);
    }
  }

  @Test
  void clears_more_rows_than_one_deletion_takes() {
    for (int i = 0; i < 3; i++) {
      KvBatch batch = new KvBatch();
      for (int row = 0; row < 9_000; row++) {
        batch.put(bytes("key%d_%d".formatted(i, row)), bytes("v"));
      }
      store.write(batch);
    }

    store.write(KvBatch.clearing().put(bytes("state"), bytes("1")));

    assertThat(keys(KvRange.all())).containsExactly("state");
  }

  @Test
  void connections_are_closed_with_the_last_store() {
    store.close();
    Map<String, String> options = options();
    var engine = provider().engine(options);
    KvStore first = engine.open(place("first"));
    KvStore second = engine.open(place("second"));
    first.close();
    second.write(new KvBatch().put(bytes("a"), bytes("1")));
    assertThat(connections()).isPositive();

    second.close();

    Awaitility.await().atMost(Duration.ofSeconds(40)).until(() -> connections() == 0);
    store = engine().open(place("store"));
  }

  /** Of the engine's account, without the one that asks. */
  private static int connections() {
    return Integer.parseInt(
            Objects.requireNonNull(
                server
                    .sql(
                        "SELECT COUNT(*) FROM information_schema.PROCESSLIST"
                            + " WHERE USER = 'counterpart'")
                    .get(0)))
        - 1;
  }
}
