package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.servererrors.InvalidConfigurationInQueryException;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bad options are refused at DDL with option, value and legal range; nothing is changed. */
@OnCluster(Shape.THREE_NODES)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OptionsIT {
  private static final String CLASS =
      "'class': 'io.counterpart.cassandra.compaction.DecoupledCompactionStrategy', ";

  @BeforeAll
  void create(TestCluster cluster) {
    cluster.createKeyspace("options", "{'class': 'SimpleStrategy', 'replication_factor': 2}");
    cluster.execute("CREATE TABLE options.t (id int PRIMARY KEY, v text)");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          'no_such_option': '7'                 | no_such_option             | 7         | one of [
          'runs': '0'                           | runs                       | 0         | 1 to 1000000 or 'unlimited'
          'runs': 'many'                        | runs                       | many      | 1 to 1000000 or 'unlimited'
          'run_policy': 'best'                  | run_policy                 | best      | tiered, merge_all
          'adaptive_runs': '3'                  | adaptive_runs              | 3         | least-most
          'adaptive_runs': '5-2'                | adaptive_runs              | 5-2       | least-most
          'min_threshold': '4'                  | min_threshold              | min_threshold | not understood
          'mode': 'coupled'                     | mode                       | coupled   | [decoupled, mlsm, uniform]
          'primary': 'stcs'                     | primary                    | stcs      | [ucs, lcs, engine]
          'split': 'never'                      | split                      | never     | [flush, background, auto]
          'split_segments': '0'                 | split_segments             | 0         | 1 to 1024
          'split_segments': '1025'              | split_segments             | 1025      | 1 to 1024
          'max_segments': '3'                   | max_segments               | 3         | 20 to 4096
          'split_idle': '0'                     | split_idle                 | 0         | 1 to 2592000
          'primary_batch': '257'                | primary_batch              | 257       | 1 to 256
          'max_primary_batch': '2'              | max_primary_batch          | 2         | 12 to 1024
          'min_run_size': '-1'                  | min_run_size               | -1        | a size such as 8MiB
          'min_run_size': 'big'                 | min_run_size               | big       | a size such as 8MiB
          'max_range_groups': '0'               | max_range_groups           | 0         | 1 to 100000
          'sstable_size': '1KiB'                | sstable_size               | 1KiB      | from 1.000MiB
          'runs': '3', 'RUNS': '4'              | runs                       | RUNS      | once
          'primary.scaling_parameters': 'T4', 'PRIMARY.scaling_parameters': 'T8' | scaling_parameters | twice | once
          'primary.scaling_parameters': 'Q'     | scaling_parameters         | Q         | primary.
          'primary.no_such_option': '1'         | primary.no_such_option     | 1         | an option of UCS
          'primary': 'lcs', 'primary.scaling_parameters': 'T4' | primary.scaling_parameters | T4 | an option of LCS
          'primary': 'lcs', 'primary.sstable_size_in_mb': '0' | sstable_size_in_mb | 0 | primary.
          'tombstone_threshold': '-1'           | tombstone_threshold        | -1        | tombstone_threshold
          """)
  void refuses_a_bad_option(
      String options, String option, String value, String legal, TestCluster cluster) {
    String before = compaction(cluster, "t");

    for (String ddl :
        new String[] {
          "ALTER TABLE options.t WITH compaction = {%s}",
          "CREATE TABLE options.refused (id int PRIMARY KEY) WITH compaction = {%s}"
        }) {
      assertThatThrownBy(() -> cluster.execute(ddl.formatted(CLASS + options)))
          .isInstanceOf(InvalidConfigurationInQueryException.class)
          .hasMessageContaining(option)
          .hasMessageContaining(value)
          .hasMessageContaining(legal);
    }

    assertThat(compaction(cluster, "t")).isEqualTo(before);
    assertThat(
            cluster.query(
                cluster.node(1),
                DefaultConsistencyLevel.ONE,
                "SELECT * FROM system_schema.tables WHERE keyspace_name = 'options' AND"
                    + " table_name = 'refused'"))
        .isEmpty();
  }

  @Test
  void takes_good_options_on_every_node(TestCluster cluster) {
    cluster.execute(
        "CREATE TABLE options.good (id int PRIMARY KEY) WITH compaction = "
            + TestCluster.decoupled(
                Map.of("runs", "UNLIMITED", "mode", "MLSM", "primary.scaling_parameters", "L10")));

    cluster
        .live()
        .forEach(
            node ->
                assertThat(cluster.state(node, "options", "good").mode())
                    .isEqualToIgnoringCase("mlsm"));
    assertThat(compaction(cluster, "good")).contains("L10");
  }

  private static String compaction(TestCluster cluster, String table) {
    return cluster
        .query(
            cluster.node(1),
            DefaultConsistencyLevel.ONE,
            "SELECT compaction FROM system_schema.tables WHERE keyspace_name = 'options' AND"
                + " table_name = '%s'".formatted(table))
        .get(0)
        .getFormattedContents();
  }
}
