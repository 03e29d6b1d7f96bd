package io.counterpart.engine.sql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SqlNamesTest {
  private static final String ID = "0123456789abcdef";

  @Test
  void names_a_table_after_keyspace_table_and_store() {
    SqlNames names = SqlNames.of("ks", "users", ID);

    assertThat(names.quotedTable()).isEqualTo("`ks`.`users_" + ID + "`");
  }

  @Test
  void shortens_a_name_that_the_server_would_refuse() {
    SqlNames names = SqlNames.of("k".repeat(48), "t".repeat(48), ID);

    assertThat(names.table()).isEqualTo("t".repeat(47) + "_" + ID).hasSize(64);
    assertThat(names.database()).hasSize(48);
  }

  @Test
  void leaves_the_databases_of_the_server_alone() {
    assertThat(SqlNames.of("mysql", "t", ID).database()).isEqualTo("mysql_keyspace");
    assertThat(SqlNames.of("Sys", "t", ID).database()).isEqualTo("Sys_keyspace");
  }

  @Test
  void quotes_what_would_end_a_name() {
    assertThat(new SqlNames("a`b", "c").quotedTable()).isEqualTo("`a``b`.`c`");
  }
}
