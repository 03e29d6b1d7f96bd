package io.counterpart.lab.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.lab.setup.RunRefusedException;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemtableSettingsTest {
  private static final String CLASS = "io.counterpart.cassandra.engine.EngineMemtable";

  /** As a node with engines shows them, in no order. */
  private static final String TEXT =
      "{trie=TrieMemtable, default=trie+, fast="
          + CLASS
          + "{engine=memory, memory=1GiB, mode=buffered}, direct=fast+{mode=direct}, usual="
          + CLASS
          + ", sql="
          + CLASS
          + "{engine=sql, url=jdbc:mariadb://a,b:3306/?sslMode=verify-full}, lsm="
          + CLASS
          + "{engine=lsm}, engine="
          + CLASS
          + "{engine=lsm}, late=fast+{absorb_sstables_after=never}, loop=loop+}";

  private static final String JSON =
      "{\"lmdb\":{\"class_name\":\""
          + CLASS
          + "\",\"parameters\":{\"engine\":\"lmdb\"},\"inherits\":null},\"direct\":{\"class_name\":null,"
          + "\"parameters\":{\"mode\":\"direct\"},\"inherits\":\"lmdb\"},\"default\":{\"class_name\":"
          + "\"TrieMemtable\",\"parameters\":null,\"inherits\":null}}";

  private final MemtableSettings settings = MemtableSettings.of(TEXT);

  @Test
  void a_configuration_is_known_by_its_name_alone() {
    assertThat(settings.configurations())
        .containsOnlyKeys(
            "trie", "default", "fast", "direct", "usual", "sql", "lsm", "engine", "late", "loop");
    // parameters, and parts of names
    for (String other : List.of("memory", "mode", "url", "las", "ast", "")) {
      assertThat(settings.knows(other)).as(other).isFalse();
    }
    assertThat(MemtableSettings.of("").knows("lmdb")).isFalse();
    assertThat(MemtableSettings.of("{}").knows("lmdb")).isFalse();
  }

  @Test
  void its_engine_is_its_own_or_inherited() {
    assertThat(settings.engine("fast")).contains("memory");
    assertThat(settings.engine("direct")).contains("memory");
    assertThat(settings.engine("usual")).as("without parameters").contains("lmdb");
    assertThat(settings.engine("sql")).contains("sql");
    assertThat(settings.engine("engine")).contains("lsm");
    for (String stock : List.of("default", "trie", "none", "loop")) {
      assertThat(settings.engine(stock)).as(stock).isEmpty();
    }
  }

  @Test
  void a_store_is_in_the_heap_alone_where_it_or_what_it_inherits_says_so() {
    MemtableSettings shown =
        MemtableSettings.of(
            "{heap="
                + CLASS
                + "{engine=memory, volatile=true}, late=heap+{absorb_sstables_after=5m}, kept="
                + CLASS
                + "{engine=memory, volatile=false}}");

    assertThat(shown.isVolatile("heap")).isTrue();
    assertThat(shown.isVolatile("late")).isTrue();
    assertThat(shown.isVolatile("kept")).isFalse();
    assertThat(settings.isVolatile("fast")).isFalse();
    assertThat(settings.isVolatile("none")).isFalse();
  }

  @Test
  void nodes_may_show_json() {
    MemtableSettings shown = MemtableSettings.of(JSON);

    assertThat(shown.engine("lmdb")).contains("lmdb");
    assertThat(shown.engine("direct")).contains("lmdb");
    assertThat(shown.knows("default")).isTrue();
    assertThat(shown.engine("default")).isEmpty();
    assertThat(shown.knows("mode")).isFalse();
  }

  @Test
  void a_configuration_that_no_table_can_be_moved_to_is_refused_with_those_that_are_legal() {
    assertThat(settings.requireEngine("n1", "direct")).isEqualTo("memory");
    assertThat(settings.requireEngine("n1", "engine")).isEqualTo("lsm");
    assertRefused("nonsense", "n1 has no memtable configuration 'nonsense', legal: one of [direct");
    for (String stock : List.of("default", "trie")) {
      assertRefused(stock, "'" + stock + "' of n1 is no storage engine");
      assertRefused(stock, "Use 'lsm' to leave an engine, legal: one of [direct, engine, fast");
    }
    assertRefused(
        "late", "absorb_sstables_after of memtable configuration 'late' of n1 is 'never'");
    assertThatThrownBy(() -> MemtableSettings.of("{trie=TrieMemtable}").requireEngine("n1", "trie"))
        .hasMessageContaining("legal: one of class EngineMemtable, of which there is none");
  }

  private void assertRefused(String name, String message) {
    assertThatThrownBy(() -> settings.requireEngine("n1", name))
        .isInstanceOf(RunRefusedException.class)
        .hasMessageContaining(message);
  }
}
