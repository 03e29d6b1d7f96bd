package io.counterpart.cassandra.engine.flush;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TableQuietTest {
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final KeyspaceSpills keyspace = new KeyspaceSpills();
  private final TableQuiet table = new TableQuiet(keyspace);
  private final TableQuiet other = new TableQuiet(keyspace);

  @Test
  void after_an_absorption_that_failed_the_table_rests_and_others_go_on() throws Exception {
    Thread.sleep(PAUSE.toMillis());

    table.failed();

    Duration own = table.time();
    assertThat(other.time()).isGreaterThanOrEqualTo(own.plus(PAUSE));
  }

  @Test
  void all_tables_rest_after_a_spill() throws Exception {
    table.failed();
    keyspace.begin();
    Thread.sleep(PAUSE.toMillis());
    keyspace.end();

    Duration quiet = table.time();

    // asked later, and not longer quiet than that
    assertThat(other.time()).isBetween(quiet, keyspace.quiet());
  }
}
