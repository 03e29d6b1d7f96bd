package io.counterpart.cli.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class TokensCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void prints_settings_and_the_balance() {
    assertThat(run("--nodes=10.0.0.1,10.0.0.2,10.0.0.3,10.0.0.4", "--tokens=1")).isZero();

    assertThat(out.toString())
        .contains("# 10.0.0.1:7000, dc1 rack1", "num_tokens: 1")
        .containsPattern("initial_token: -9223372036854775807\\R")
        .containsPattern("now +4 +4 +4 +1.00 +1.00 +0.0")
        .containsPattern("one joins +5 +5 +[0-4] .*")
        .containsPattern("one leaves +3 +1 +[01] .* 25.0");
  }

  @Test
  void prints_json() throws Exception {
    assertThat(run("--nodes=a:1,b:1,c:1", "--racks=x,y,z", "--rf=2", "--json")).isZero();

    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertThat(json.get("nodes")).hasSize(3);
    assertThat(json.at("/nodes/0/tokens")).hasSize(16);
    assertThat(json.at("/balance/now/replicaSets").asInt()).isEqualTo(3);
    assertThat(json.at("/balance/now/keptReplicaSets").asInt()).isEqualTo(3);
    assertThat(json.at("/balance/one leaves/movedCopies").asDouble()).isBetween(0.3, 0.4);
    assertThat(json.at("/balance/now/shares/a:1/copies").asDouble()).isBetween(0.66, 0.67);
  }

  @Test
  void takes_addresses_with_and_without_a_port() {
    assertThat(run("--nodes=node-1,10.0.0.1:7001,fd00::1,[fd00::2]:7001,[fd00::3]")).isZero();

    assertThat(out.toString())
        .contains("# node-1:7000", "# 10.0.0.1:7001", "# [fd00::1]:7000", "# [fd00::2]:7001")
        .contains("# [fd00::3]:7000");
  }

  @Test
  void refuses_bad_input_with_the_legal_range() {
    refused("--nodes has 'a:b:'", "--nodes=a:b:");
    refused("two nodes have one address", "--nodes=a,a");
    refused("--nodes is '5', legal: the address of each node", "--nodes=5", "--rf=3");
    refused("--rf is 4, legal: 1 to 3 (the nodes)", "--nodes=a,b,c", "--rf=4");
    refused("--rf is 0, legal: 1 to 3 (the nodes)", "--nodes=a,b,c", "--rf=0");
    refused("tokens is 257, legal: 1 to 256", "--nodes=a,b,c", "--tokens=257");
    refused("--racks names 2 racks, legal: one for each of the 3", "--nodes=a,b,c", "--racks=x,y");
    refused("--dc-number is '2', legal: I/N", "--nodes=a,b,c", "--dc-number=2");
    refused("datacenter 3 of 2", "--nodes=a,b,c", "--dc-number=3/2");
  }

  private void refused(String message, String... options) {
    err.getBuffer().setLength(0);
    assertThat(run(options)).isEqualTo(2);
    assertThat(err.toString()).contains(message);
  }

  private int run(String... options) {
    return new CommandLine(new TokensCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(options);
  }
}
