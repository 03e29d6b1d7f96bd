package io.counterpart.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class SimulateSelectionCommandTest {
  private static final List<String> SMALL = List.of("--seconds", "4", "--keys", "10K");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void prints_every_rule_as_json_and_the_same_for_the_same_seed() throws Exception {
    assertThat(run("--slow-nodes", "1", "--seed", "7", "--json")).as(err.toString()).isZero();
    String first = out.toString();
    out.getBuffer().setLength(0);
    run("--slow-nodes", "1", "--seed", "7", "--json");

    assertThat(out).hasToString(first);
    JsonNode json = new ObjectMapper().readTree(first);
    assertThat(json.at("/config/scenario/trouble/slowNodes").asInt()).isEqualTo(1);
    assertThat(StreamSupport.stream(json.get("results").spliterator(), false))
        .extracting(row -> row.get("rule").asText())
        .containsExactly("nr", "primary-first", "dynamic 1.0", "dynamic 0.1", "c3", "random");
    assertThat(json.at("/results/0/reads").asLong()).isGreaterThan(20_000);
  }

  @Test
  void prints_a_table_of_the_chosen_rules() {
    assertThat(run("--rules", "nr,c3", "--nodes", "50", "--rate", "100")).isZero();

    assertThat(out.toString()).contains("p99.9 ms", "nr ", "c3 ").doesNotContain("random");
  }

  @Test
  void bad_values_exit_with_2_and_name_the_legal_range() {
    refused("nodes is 1001, legal: 3 to 1000", "--nodes", "1001", "--rate", "1");
    refused("nodes is 2000, legal: 3 to 1000", "--nodes", "2000");
    refused("copies is 11, legal: 1 to 10", "--rf", "11");
    refused("slowNodes is 8, legal: 0 to 7", "--slow-nodes", "8");
    refused("coordinators is 9, legal: 1 to 7", "--coordinators", "9");
    refused("cachedShare is 1.5, legal: 0 to 1", "--cached", "1.5");
    refused("tie is PT0S, legal: above 0", "--tie", "0");
    refused("rate is 7000000, legal: 1 to 1000000", "--rate", "1000000");
    refused("PRIMARY_FIRST", "--rules", "nearest");
  }

  private void refused(String message, String... args) {
    err.getBuffer().setLength(0);
    assertThat(run(args)).as(String.join(" ", args)).isEqualTo(2);
    assertThat(err.toString()).containsIgnoringCase(message);
    assertThat(out.toString()).isEmpty();
  }

  private int run(String... args) {
    List<String> all = new ArrayList<>(List.of("selection"));
    all.addAll(SMALL);
    all.addAll(List.of(args));
    return new CommandLine(new SimulateCommand())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOverwrittenOptionsAllowed(true)
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(all.toArray(String[]::new));
  }
}
