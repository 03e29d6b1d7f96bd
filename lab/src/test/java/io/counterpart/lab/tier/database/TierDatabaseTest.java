package io.counterpart.lab.tier.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class TierDatabaseTest {
  @Test
  void its_node_answers_as_many_reads_at_once_as_a_stock_one() {
    assertThat(TierDatabase.stock(Path.of("home"), Path.of("lib")).settings())
        .containsEntry("native_transport_max_threads", 32)
        .containsEntry("concurrent_reads", 32);
  }
}
