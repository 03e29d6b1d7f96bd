package io.counterpart.cli.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class PredictCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void says_the_share_with_its_bounds() {
    assertThat(run("--r=1", "--w=1", "--t=10ms", "--model=lnkd-disk")).isZero();

    assertThat(out.toString())
        .contains("N=3 R=1 W=1, 10ms after the write, delays of lnkd-disk: 7.")
        .contains("at 95 % confidence, from 1,000,000 trials");
  }

  @Test
  void says_that_overlapping_quorums_are_fresh() {
    assertThat(run("--r=2", "--w=2", "--trials=1000")).isZero();

    assertThat(out.toString()).contains(": 0.000 % of reads are stale", "R + W > N");
  }

  @Test
  void takes_measured_delays(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("delays");
    Files.writeString(file, "write 1 100\nack 1\nread 1\n\nresponse 1\n");

    assertThat(run("--n=2", "--r=1", "--w=1", "--t=0us", "--model=" + file, "--json")).isZero();

    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertThat(json.get("stale").asDouble()).isCloseTo(0.25, within(0.01));
    assertThat(json.get("staleLow").asDouble()).isLessThan(json.get("stale").asDouble());
    assertThat(json.get("staleHigh").asDouble()).isGreaterThan(json.get("stale").asDouble());
  }

  @Test
  void refuses_bad_input_with_the_legal_range(@TempDir Path directory) throws Exception {
    refused("r is 4, legal: 1 to 3", "--r=4", "--w=1");
    refused("w is 0, legal: 1 to 3", "--r=1", "--w=0");
    refused("n is 101, legal: 1 to 100", "--n=101", "--r=1", "--w=1");
    refused("--t is '10', legal: a time such as 10ms", "--r=1", "--w=1", "--t=10");
    refused("trials is 0, legal: 1 to 50000000", "--r=1", "--w=1", "--trials=0");
    refused("--model is 'none', legal: one of [lnkd-ssd", "--r=1", "--w=1", "--model=none");
    Path file = directory.resolve("delays");
    Files.writeString(file, "write 1\nack 1\nread 1\n");
    refused("has no line 'response'", "--r=1", "--w=1", "--model=" + file);
    Files.writeString(file, "write fast\n");
    refused("legal: delays in ms", "--r=1", "--w=1", "--model=" + file);
    Files.writeString(file, "writes 1\n");
    refused("has the line 'writes 1'", "--r=1", "--w=1", "--model=" + file);
    Files.writeString(file, "write -1\n");
    refused("each 0 ms and above", "--r=1", "--w=1", "--model=" + file);
  }

  private void refused(String message, String... options) {
    err.getBuffer().setLength(0);
    assertThat(run(options)).isEqualTo(2);
    assertThat(err.toString()).contains(message);
  }

  private int run(String... options) {
    return new CommandLine(new PredictCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(options);
  }
}
