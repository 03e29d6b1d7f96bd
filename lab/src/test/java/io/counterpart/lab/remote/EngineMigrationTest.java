package io.counterpart.lab.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.lab.setup.RunRefusedException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EngineMigrationTest {
  private static final EngineMigration.Store ABSORBED = store("lmdb", "absorbing: routine", 5, 0);

  @Test
  void a_node_whose_store_does_not_answer_has_not_left_it() {
    assertThat(isDone("lsm", store("redis", "bypassing: r:6379 does not answer", 0, 0))).isFalse();
    assertThat(isDone("lsm", store("redis", "failing: no such key", 0, 0))).isFalse();
    assertThat(
            EngineMigration.progress(
                    "n1", "lsm", List.of(store("redis", "failing: no such key", 0, 0)))
                .state())
        .startsWith("failing");
  }

  @Test
  void a_node_is_done_when_the_store_of_its_engine_has_all() {
    assertThat(isDone("lmdb", ABSORBED)).isTrue();
    assertThat(isDone("lmdb", store("lmdb", "absorbing: routine", 0, 0))).as("empty").isTrue();
    assertThat(isDone("lmdb")).as("not there yet").isFalse();
    assertThat(isDone("lmdb", store("lmdb", "absorbing: routine", 5, 1))).isFalse();
    assertThat(isDone("lmdb", store("lmdb", "bypassing: the server", 5, 0))).isFalse();
    assertThat(isDone("lmdb", store("lmdb", "cold, reads fail here", 5, 0))).isFalse();
  }

  @Test
  void a_node_that_is_still_on_the_engine_of_before_is_not_done() {
    assertThat(isDone("memory", ABSORBED)).isFalse();
    assertThat(isDone("memory", ABSORBED, store("memory", "absorbing: routine", 0, 0))).isFalse();
  }

  @Test
  void a_node_whose_engine_is_lsm_is_done_when_its_stores_are_empty() {
    assertThat(isDone("lsm")).as("never on an engine").isTrue();
    assertThat(isDone("lsm", store("lmdb", "spilling: it leaves", 0, 3))).isTrue();
    assertThat(isDone("lsm", store("lmdb", "cold, reads fail here", 0, 0))).isFalse();

    EngineMigration.Progress spilling = EngineMigration.progress("n1", "lsm", List.of(ABSORBED));
    assertThat(spilling.isDone()).isFalse();
    assertThat(spilling.bytesLeft()).isEqualTo(ABSORBED.usedBytes());
  }

  private static boolean isDone(String engine, EngineMigration.Store... stores) {
    return EngineMigration.progress("n1", engine, List.of(stores)).isDone();
  }

  private static EngineMigration.Store store(
      String engine, String state, long partitions, int sstables) {
    return new EngineMigration.Store(engine, state, partitions, 70, sstables, 90, "waits");
  }

  @Test
  void a_table_with_an_index_or_view_is_refused_before_it_goes_to_an_engine() {
    table("app", "free").requireFree("lmdb");
    assertThatThrownBy(() -> table("app", "indexed").requireFree("lmdb"))
        .isInstanceOf(RunRefusedException.class)
        .hasMessageContaining("app.indexed has the index by_v")
        .hasMessageContaining("drop it before");
    assertThatThrownBy(() -> table("app", "viewed").requireFree("memory"))
        .isInstanceOf(RunRefusedException.class)
        .hasMessageContaining("app.viewed has the materialized view seen")
        .hasMessageContaining("'memory'");
  }

  @Test
  void what_is_no_table_on_disk_of_a_user_s_is_refused_with_what_is_legal() {
    table("app", "free").require();
    table("app", "indexed").require();
    assertUnknown("apq", "free", "there is no keyspace apq with tables on disk, legal: app, more");
    assertUnknown("app", "fre", "no table app.fre, legal in app: free, indexed, viewed");
    assertUnknown("more", "free", "no table more.free, legal in more: none");
    assertUnknown("app", "seen", "app.seen is a materialized view");
    assertUnknown("app", "seen", "legal: a table, as app.viewed");
    for (String system : List.of("system_auth", "system_schema", "system_views")) {
      assertUnknown(system, "roles", "is Cassandra's own, and such tables stay on sstables");
      assertUnknown(system, "roles", "legal: one of keyspace app, more");
    }
  }

  @Test
  void of_many_names_the_first_ones_are_told() {
    Set<String> many =
        IntStream.range(0, 1_000).mapToObj("t%03d"::formatted).collect(Collectors.toSet());
    MigratedTable unknown = new MigratedTable("app", "x", Set.of("app"), many, Map.of(), Set.of());

    assertThatThrownBy(unknown::require)
        .hasMessageEndingWith("t000, t001, t002, t003, t004, t005, t006, t007, t008, t009, …");
  }

  private static void assertUnknown(String keyspace, String table, String message) {
    assertThatThrownBy(() -> table(keyspace, table).require())
        .isInstanceOf(RunRefusedException.class)
        .hasMessageContaining(message);
  }

  private static MigratedTable table(String keyspace, String table) {
    boolean isApp = keyspace.equals("app");
    return new MigratedTable(
        keyspace,
        table,
        Set.of("system", "system_auth", "system_schema", "app", "more"),
        isApp ? Set.of("free", "indexed", "viewed") : Set.of(),
        isApp ? Map.of("seen", "viewed") : Map.of(),
        table.equals("indexed") ? Set.of("by_v") : Set.of());
  }
}
