package io.counterpart.lab.remote;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EngineMigrationTest {
  @Test
  void a_name_is_one_of_a_node_s_configurations_or_not() {
    String asText = "{trie=TrieMemtable{}, lmdb=InheritingClass{engine=lmdb}, default=trie}";
    String asJson = "{\"lmdb\":{\"class_name\":\"EngineMemtable\"},\"default\":{}}";

    for (String configurations : new String[] {asText, asJson}) {
      assertThat(EngineMigration.isConfigured(configurations, "lmdb")).isTrue();
      assertThat(EngineMigration.isConfigured(configurations, "default")).isTrue();
      assertThat(EngineMigration.isConfigured(configurations, "lm")).isFalse();
      assertThat(EngineMigration.isConfigured(configurations, "mdb")).isFalse();
      assertThat(EngineMigration.isConfigured(configurations, "sql")).isFalse();
    }
    assertThat(EngineMigration.isConfigured("", "lmdb")).isFalse();
  }

  @Test
  void the_engine_of_a_configuration_is_read_and_no_other_one_s() {
    String text =
        "{trie=TrieMemtable, default=trie+, fast=io.counterpart.cassandra.engine.EngineMemtable"
            + "{engine=lmdb, absorb_sstables_after=2s}, lsm=io.counterpart.cassandra.engine"
            + ".EngineMemtable{engine=lsm}}";

    assertThat(EngineMigration.engine(text, "fast")).contains("lmdb");
    assertThat(EngineMigration.engine(text, "lsm")).contains("lsm");
    assertThat(EngineMigration.engine(text, "default")).isEmpty();
    assertThat(EngineMigration.engine(text, "trie")).isEmpty();
    assertThat(EngineMigration.engine("", "fast")).isEmpty();
  }
}
