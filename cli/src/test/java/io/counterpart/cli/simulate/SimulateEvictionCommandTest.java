package io.counterpart.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class SimulateEvictionCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void prints_each_trace_at_each_memory_and_the_same_for_the_same_seed() throws Exception {
    assertThat(run("--traces", "zipf,twitter_52", "--memory", "10,25", "--json"))
        .as(err.toString())
        .isZero();
    String first = out.toString();
    out.getBuffer().setLength(0);
    run("--traces", "zipf,twitter_52", "--memory", "10,25", "--json");

    assertThat(out).hasToString(first);
    JsonNode json = new ObjectMapper().readTree(first);
    assertThat(json.at("/config/objects").asInt()).isEqualTo(20_000);
    assertThat(json.get("results")).hasSize(4);
    assertThat(json.at("/results/0/trace").asText()).isEqualTo("ZIPF");
    assertThat(json.at("/results/1/memoryShare").asDouble()).isEqualTo(0.25);
    assertThat(json.at("/results/0/sieveHitShare").asDouble()).isBetween(0.5, 0.9);
    assertThat(json.at("/results/0/stripesHitShare").asDouble()).isBetween(0.5, 0.9);
  }

  @Test
  void prints_a_table() {
    assertThat(run("--traces", "zipf_scans")).isZero();

    assertThat(out.toString()).contains("SIEVE hits %", "zipf_scans ").doesNotContain("twitter");
  }

  @Test
  void bad_values_exit_with_2_and_name_the_legal_range() {
    refused("objects is 9999, legal: 10000 to 100000000", "--objects", "9999");
    refused("requests is 1, legal: 2 and above", "--requests", "1");
    refused("memory is 0.0 of the data, legal: above 0 to 1", "--memory", "10,0");
    refused("legal: ", "--code", "3,3");
    refused("TWITTER_52", "--traces", "twitter_53");
  }

  private void refused(String message, String... args) {
    err.getBuffer().setLength(0);
    assertThat(run(args)).as(String.join(" ", args)).isEqualTo(2);
    assertThat(err.toString()).containsIgnoringCase(message);
    assertThat(out.toString()).isEmpty();
  }

  private int run(String... args) {
    List<String> all = new ArrayList<>(List.of("eviction", "--objects", "20K"));
    all.addAll(List.of("--requests", "60K"));
    all.addAll(List.of(args));
    return new CommandLine(new SimulateCommand())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOverwrittenOptionsAllowed(true)
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(all.toArray(String[]::new));
  }
}
