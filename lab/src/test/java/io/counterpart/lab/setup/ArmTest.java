package io.counterpart.lab.setup;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArmTest {
  @ParameterizedTest
  @CsvSource({"100, 1KiB", "3000, 15KiB", "200000, 1000KiB", "10000000, 4096KiB"})
  void runs_of_a_decoupled_table_are_as_small_as_the_table(int rows, String size) {
    Arm arm = Arm.known(Arm.DECOUPLED_T4).forRows(rows);

    assertThat(arm.name()).isEqualTo(Arm.DECOUPLED_T4);
    assertThat(arm.compaction()).containsEntry("min_run_size", size);
    assertThat(arm.compaction().keySet())
        .containsExactlyElementsOf(Arm.known(Arm.DECOUPLED_T4).compaction().keySet());
  }

  /** 200,000 rows of 1 KiB at RF 3 are 123 MB on each of five nodes with 48 groups. */
  @Test
  void a_table_of_the_small_scale_is_divided() {
    String size = Arm.known(Arm.DECOUPLED_T4).forRows(200_000).compaction().get("min_run_size");

    long threshold = Long.parseLong(size.replace("KiB", "")) * 1024 * 48;

    assertThat(threshold).isLessThan(123_000_000 / 2);
  }

  @Test
  void a_table_on_an_engine_differs_from_stock_in_its_memtable_alone() {
    Arm stock = Arm.known(Arm.UCS_T4);
    Arm engine = Arm.known(Arm.LMDB);

    assertThat(engine.cql()).isEqualTo(stock.cql() + " AND memtable = 'lmdb'");
    assertThat(engine.needsPlugin()).isTrue();
    assertThat(stock.needsPlugin()).isFalse();
    assertThat(stock.engine()).isEmpty();
  }

  @Test
  void a_table_whose_writes_reach_its_engine_at_once_has_the_same_engine() {
    Arm direct = Arm.known("sql_direct");

    assertThat(direct.cql()).endsWith(" AND memtable = 'sql_direct'");
    assertThat(direct.engines()).containsExactly("sql");
    assertThat(direct.isHeterogeneous()).isFalse();
  }

  @Test
  void a_table_of_several_engines_and_one_with_cached_rows_differ_from_stock_in_that_alone() {
    String stock = Arm.known(Arm.UCS_T4).cql();

    assertThat(Arm.known(Arm.HETEROGENEOUS).cql()).isEqualTo(stock + " AND memtable = 'engine'");
    assertThat(Arm.known(Arm.HETEROGENEOUS).engines()).containsExactly("lmdb", "memory");
    assertThat(Arm.known(Arm.UCS_T4_ROWS).cql())
        .isEqualTo(stock + " AND caching = {'keys': 'ALL', 'rows_per_partition': 'ALL'}");
    assertThat(Arm.known(Arm.UCS_T4_ROWS).engines()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"lcs", "ucs_t4", "mlsm", "decoupled_s20"})
  void arms_without_a_least_size_of_runs_stay_as_they_are(String name) {
    assertThat(Arm.known(name).forRows(3000)).isEqualTo(Arm.known(name));
  }
}
