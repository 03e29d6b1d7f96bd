package io.counterpart.cassandra.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cassandra.format.CopyFormat;
import io.counterpart.core.runs.MergeAll;
import io.counterpart.core.runs.RunPolicy;
import io.counterpart.core.runs.Tiered;
import java.util.Map;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecoupledOptionsTest {

  @BeforeAll
  static void configure() {
    DatabaseDescriptor.clientInitialization();
  }

  @Test
  void defaults_are_the_papers_s_and_split() {
    DecoupledOptions options = DecoupledOptions.parse(Map.of());

    assertThat(options.mode()).isEqualTo(Mode.DECOUPLED);
    assertThat(options.runPolicy()).isEqualTo(new Tiered(20));
    assertThat(options.split().minFiles()).isEqualTo(20);
  }

  @Test
  void strips_the_thresholds_that_cassandra_injects() {
    DecoupledOptions options =
        DecoupledOptions.parse(Map.of("min_threshold", "4", "max_threshold", "32"));

    assertThat(options.engineOptions()).isEmpty();
  }

  @Test
  void passes_engine_options_through() {
    DecoupledOptions options =
        DecoupledOptions.parse(
            Map.of("primary", "ucs", "primary.scaling_parameters", "L10", "enabled", "true"));

    assertThat(options.engineOptions())
        .containsEntry("scaling_parameters", "L10")
        .containsEntry("enabled", "true");
  }

  @Test
  void redundant_copies_have_the_tables_format_unless_told() {
    assertThat(DecoupledOptions.parse(Map.of()).redundantFormat()).isEqualTo(CopyFormat.TABLE);

    CopyFormat format =
        DecoupledOptions.parse(
                Map.of(
                    "redundant_compression", "ZstdCompressor:5",
                    "redundant_chunk_length", "64KiB",
                    "redundant_bloom_filter_fp_chance", "0.1"))
            .redundantFormat();

    assertThat(format)
        .isEqualTo(
            new CopyFormat(
                new CopyFormat.Compressor("ZstdCompressor", Map.of("compression_level", "5")),
                64 << 10,
                0.1));
  }

  @ParameterizedTest(name = "{0}={1}")
  @CsvSource({
    "redundant_compression, NoSuchCompressor",
    "redundant_compression, ZstdCompressor:99",
    "redundant_compression, ZstdCompressor:much",
    "redundant_compression, ZstdCompressor:",
    "redundant_compression, LZ4Compressor:9",
    "redundant_chunk_length, 5KiB",
    "redundant_chunk_length, 512",
    "redundant_chunk_length, 2MiB",
    "redundant_chunk_length, large",
    "redundant_bloom_filter_fp_chance, 0",
    "redundant_bloom_filter_fp_chance, 1",
    "redundant_bloom_filter_fp_chance, 0.00001",
    "redundant_bloom_filter_fp_chance, often",
  })
  void refuses_a_format_that_cassandra_cannot_write(String option, String value) {
    assertThatThrownBy(() -> DecoupledOptions.parse(Map.of(option, value)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("'" + option + "' is '" + value + "', legal: ");
  }

  @Test
  void takes_sizes_with_and_without_a_unit() {
    assertThat(DecoupledOptions.parse(Map.of("min_run_size", "0")).minRunBytes()).isZero();
    assertThat(DecoupledOptions.parse(Map.of("min_run_size", "4096")).minRunBytes())
        .isEqualTo(4096);
    assertThat(DecoupledOptions.parse(Map.of("min_run_size", "4KiB")).minRunBytes())
        .isEqualTo(4096);
  }

  @Test
  void reads_runs_and_policy() {
    assertThat(DecoupledOptions.parse(Map.of("runs", "unlimited")).runPolicy().maxRuns())
        .isEqualTo(RunPolicy.UNLIMITED);
    assertThat(DecoupledOptions.parse(Map.of("runs", "3", "run_policy", "merge_all")).runPolicy())
        .isEqualTo(new MergeAll(3));
  }

  @ParameterizedTest
  @CsvSource({
    "mode, fast, decoupled",
    "primary, btree, ucs",
    "runs, 0, from 1 to 1000000",
    "runs, many, unlimited",
    "run_policy, none, merge_all",
    "adaptive_runs, 40-2, 1 ≤ least ≤ most",
    "adaptive_runs, yes, 2-40",
    "split, later, background",
    "split_segments, 0, from 1 to 1024",
    "max_segments, 5, from 20 to 4096",
    "split_idle, -1, from 1",
    "primary_batch, 1000, from 1 to 256",
    "min_run_size, tiny, 8MiB",
    "max_range_groups, 0, from 1",
    "sstable_size, 1KiB, from 1",
    "run, 20, one of",
    "primary.fanout, 3, an option of UCS",
  })
  void names_option_value_and_legal_range(String option, String value, String legal) {
    assertThatThrownBy(() -> DecoupledOptions.parse(Map.of(option, value)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("'" + option + "'")
        .hasMessageContaining("'" + value + "'")
        .hasMessageContaining(legal);
  }

  @Test
  void rejects_an_option_given_twice() {
    assertThatThrownBy(() -> DecoupledOptions.parse(Map.of("runs", "3", "RUNS", "4")))
        .hasMessageContaining("given twice");
    assertThatThrownBy(
            () ->
                DecoupledOptions.parse(
                    Map.of("tombstone_threshold", "0.1", "primary.tombstone_threshold", "0.2")))
        .hasMessageContaining("given twice");
  }
}
