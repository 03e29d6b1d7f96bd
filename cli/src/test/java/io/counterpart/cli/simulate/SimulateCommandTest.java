package io.counterpart.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class SimulateCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void prints_every_layout_as_json() throws Exception {
    int exit = run("--keys", "600M", "--rf", "3", "--runs", "20", "--json");

    assertThat(exit).as(err.toString()).isZero();
    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertThat(json.at("/config/keys").asLong()).isEqualTo(600_000_000L);
    assertThat(StreamSupport.stream(json.get("results").spliterator(), false))
        .extracting(row -> row.get("layout").asText())
        .containsExactly(
            "uniform lcs", "uniform ucs_t4", "uniform ucs_l10", "mlsm lcs", "decoupled lcs S=20");
    JsonNode decoupled = json.at("/results/4");
    assertThat(decoupled.get("bytesCompacted").asLong())
        .isCloseTo(
            decoupled.get("bytesCompactedTree").asLong()
                + decoupled.get("bytesCompactedSplit").asLong()
                + decoupled.get("bytesCompactedMerge").asLong(),
            org.assertj.core.data.Offset.offset(2L));
    assertThat(decoupled.get("compactedVersusUniform").asDouble()).isBetween(0.2, 0.6);
  }

  @Test
  void sweep_has_the_rows_of_table_1_and_figure_2() throws Exception {
    int exit = run("--sweep", "--keys", "300M", "--json");

    assertThat(exit).as(err.toString()).isZero();
    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertThat(StreamSupport.stream(json.get("table1").spliterator(), false))
        .extracting(row -> row.get("layout").asText())
        .containsExactly(
            "decoupled lcs S=1",
            "decoupled lcs S=10",
            "decoupled lcs S=20",
            "decoupled lcs S=unlimited",
            "uniform lcs");
    assertThat(json.get("figure2")).hasSize(9);
    assertThat(json.at("/figure2/2/versusNoReplication").asDouble()).isGreaterThan(3);
  }

  @Test
  void plugin_preset_is_the_plugins_defaults_and_single_options_still_win() throws Exception {
    run("--keys", "10M", "--preset", "plugin", "--policy", "merge_all", "--json");

    JsonNode config = new ObjectMapper().readTree(out.toString()).get("config");
    assertThat(config.get("primary").asText()).isEqualTo("ucs_t4");
    assertThat(config.get("memtables").asText()).isEqualTo("shared");
    assertThat(config.get("primaryBatch").asInt()).isEqualTo(12);
    assertThat(config.get("policy").asText()).isEqualTo("merge_all");
  }

  @Test
  void table_names_every_layout() {
    assertThat(run("--keys", "1M", "--memtable", "1MiB", "--runs", "unlimited")).isZero();

    assertThat(out.toString()).contains("uniform lcs", "mlsm lcs", "decoupled lcs S=unlimited");
  }

  @Test
  void formats_add_bytes_by_role() throws Exception {
    run(
        "--keys",
        "10M",
        "--preset",
        "plugin",
        "--tokens",
        "16",
        "--table-ratio",
        "0.43",
        "--redundant-ratio",
        "0.29",
        "--redundant-filter-chance",
        "0.1",
        "--json");

    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertThat(json.at("/config/tableRatio").asDouble()).isEqualTo(0.43);
    assertThat(json.at("/config/filterChance").asDouble()).isEqualTo(0.01);
    JsonNode uniform = json.at("/results/1/byRole");
    JsonNode decoupled = json.at("/results/4/byRole");
    assertThat(uniform.get("diskVersusUniform").asDouble()).isBetween(0.99, 1.01);
    assertThat(decoupled.get("diskVersusUniform").asDouble()).isBetween(0.78, 0.95);
    assertThat(decoupled.get("filtersVersusUniform").asDouble()).isBetween(0.66, 0.95);
    assertThat(decoupled.at("/primary/diskBytes").asLong())
        .isBetween(1L, decoupled.at("/redundant/diskBytes").asLong());
  }

  @Test
  void without_formats_nothing_is_said_of_roles() throws Exception {
    run("--keys", "1M", "--json");

    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertThat(json.at("/results/4").has("byRole")).isFalse();
    assertThat(json.get("config").has("tableRatio")).isFalse();
    run("--keys", "1M");
    assertThat(out.toString()).doesNotContain("by role");
  }

  @Test
  void formats_add_a_table_by_role() {
    assertThat(run("--keys", "1M", "--redundant-ratio", "0.5")).isZero();

    assertThat(out.toString()).contains("by role", "red. GiB");
  }

  @Test
  void bad_values_exit_with_2_and_name_the_legal_range() {
    refused("600X", "number with an optional suffix K, M or G", "--keys", "600X");
    refused("keys 0", "legal: 1 to 1000000000000", "--keys", "0");
    refused("rf 6", "legal: 1 to 5", "--rf", "6");
    refused("'0'", "legal: 1 and above, or unlimited", "--runs", "0");
    refused("'many'", "legal: 1 and above, or unlimited", "--runs", "many");
    refused("'1MB'", "legal: a whole number with an optional unit", "--memtable", "1MB");
    refused("compactionRate -1.0", "legal: above 0, or unlimited", "--compaction-rate", "-1");
    refused("--split-segments 0", "legal: 1 to 1024", "--split-segments", "0");
    refused("--primary-batch 9999", "legal: 0 to 1024", "--primary-batch", "9999");
    refused("some", "merge_all", "--policy", "some");
    refused("tableRatio 0.0", "legal: above 0 to 2", "--table-ratio", "0");
    refused("redundantRatio 3.0", "legal: above 0 to 2", "--redundant-ratio", "3");
    refused("filterChance 1.5", "legal: above 0 to 1", "--filter-chance", "1.5");
    refused("redundantFilterChance -1.0", "legal: above 0", "--redundant-filter-chance", "-1");
  }

  private void refused(String value, String legal, String... args) {
    err.getBuffer().setLength(0);
    out.getBuffer().setLength(0);
    assertThat(run(args)).as(String.join(" ", args)).isEqualTo(2);
    assertThat(err.toString()).containsIgnoringCase(value).containsIgnoringCase(legal);
    assertThat(out.toString()).isEmpty();
  }

  private int run(String... args) {
    return new CommandLine(new SimulateCommand())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(args);
  }
}
