package io.counterpart.cli.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.counterpart.cli.console.PreconditionException;
import io.counterpart.lab.bundle.BundleWriter;
import io.counterpart.lab.bundle.ResultFolder;
import io.counterpart.lab.experiment.CustomExperiment;
import io.counterpart.lab.plan.LabPlan;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.LatencySummary;
import io.counterpart.lab.result.NodeCost;
import io.counterpart.lab.tier.TierPlan;
import io.counterpart.lab.workload.ClientShape;
import io.counterpart.lab.workload.value.ValueKind;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class LabCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void lists_every_experiment_with_its_place_in_the_paper() {
    assertThat(run("list")).isZero();
    assertThat(out.toString()).contains("depart-exp1").contains("Figures 10 and 11");
    assertThat(out.toString()).contains("echash-exp1").contains("Experiment 1, Figure 11");
    assertThat(out.toString()).contains("crs-fig6").contains("CRS, Figure 6");
  }

  @Test
  void refuses_what_it_does_not_know_before_anything_starts() {
    assertThat(run("run", "depart-exp99")).isEqualTo(2);
    assertThat(err.toString())
        .contains("experiment 'depart-exp99': must be one of depart-motivation");
    assertThat(run("run", "depart-exp1", "--scale", "huge")).isEqualTo(2);
    assertThat(err.toString()).contains("scale 'huge': must be smoke, small or full");
    assertThat(run("run")).isEqualTo(2);
  }

  @Test
  void refuses_loads_and_arms_out_of_range_before_anything_starts() {
    refused("arm 'lsc': depart-exp1 has lcs, lcs+pf", "run", "depart-exp1", "--arms", "lcs,lsc");
    refused("value size 7: must be a multiple of 8", "run", "depart-exp1", "--value-size", "7");
    refused("zipfian constant 1.5: must be", "custom", "--zipfian", "1.5");
    refused("workload 'rd': must be one of read", "custom", "--mix", "rd");
    refused("arm 'lsc': must be one of", "custom", "--arms", "lsc");
    refused("must be a map as in CQL", "custom", "--arm", "x=lcs", "--arms", "x");
    refused("cache fraction 11.0: must be 0.01 to 10", "custom", "--cache", "11");
  }

  @Test
  void refuses_for_the_memory_tier_what_only_clusters_have() {
    refused("arm 'lcs': echash-exp1 has vanilla", "run", "echash-exp1", "--arms", "lcs");
    refused(
        "value kind xml: must be one of [random, json, text]",
        "run",
        "depart-exp1",
        "--value-kind=xml");
    refused("--value-size: experiments on Cassandra", "run", "echash-exp1", "--value-size=64");
    refused("--live: experiments with arms have it; crs-fig5", "run", "crs-fig5", "--live=0");
    refused("--contact-points: exp", "run", "echash-exp1", "--contact-points=127.0.0.1");
    refused("scale 'huge': must be smoke", "run", "echash-exp1", "--scale", "huge");
  }

  @Test
  void refuses_for_stale_reads_what_only_experiments_with_arms_have() {
    refused("--arms: experiments with arms have it; crs-fig5", "run", "crs-fig5", "--arms", "lcs");
    refused("--rate: experiments with arms", "run", "crs-fig6", "--rate=100");
    refused("--contact-points: exp", "run", "crs-overhead", "--contact-points=127.0.0.1");
    refused("scale 'huge': must be smoke", "run", "crs-fig5", "--scale", "huge");
  }

  @Test
  void a_kept_run_tells_how_it_was_made() {
    CustomExperiment custom =
        new CustomExperiment(
            List.of("ycsb_a"),
            List.of("mine+pf"),
            Map.of("mine", Map.of("class", "UnifiedCompactionStrategy")),
            2,
            3,
            "ALL",
            "ONE",
            5_000,
            100,
            1,
            2,
            0.5,
            300);
    ClientShape client = new ClientShape(30, 64, 0.7, 9, 500, ValueKind.JSON);
    LabPlan plan = KeptPlan.of(custom, 42, client, Map.of("concurrent_reads", "8"));
    Map<String, Object> config = new LinkedHashMap<>(plan.origin());
    config.put("seed", 42);
    config.put("keyBytes", 30);
    config.put("valueBytes", 64);
    config.put("valueKind", "json");
    config.put("zipfianTheta", 0.7);
    config.put("threads", 9);
    config.put("operationsPerSecond", 500);

    assertThat(KeptPlan.of(result("custom", "custom", config))).isEqualTo(plan);
  }

  @Test
  void refuses_places_that_cannot_be_written_before_anything_starts(@TempDir Path directory)
      throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    assertThat(run("run", "depart-exp1", "--out", file.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("--out '" + file + "': is no directory");
    assertThat(run("run", "depart-exp1", "--bundle", directory.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("--bundle '" + directory + "': is a directory");
    assertThat(run("run", "depart-exp1", "--bundle", file + "/x.zip")).isEqualTo(2);
    assertThat(err.toString()).contains("--bundle '" + file + "/x.zip': cannot be written");
  }

  @Test
  void compares_a_bundle_with_its_folder(@TempDir Path directory) throws IOException {
    LabResult result = result("depart-exp1", "smoke", Map.of("seed", 1));
    ResultFolder.write(directory.resolve("a"), result);
    Path bundle = directory.resolve("a.zip");
    BundleWriter.write(directory.resolve("a"), result, bundle);

    assertThat(run("compare", bundle.toString(), directory.resolve("a").toString())).isZero();
    assertThat(out.toString())
        .contains("Configuration: no differences", "read lcs", "no difference");
    out.getBuffer().setLength(0);
    assertThat(run("compare", "--json", bundle.toString(), bundle.toString())).isZero();
    assertThat(new ObjectMapper().readTree(out.toString()).at("/arms/0/verdict").asText())
        .isEqualTo("no difference");
  }

  @Test
  void compare_and_replay_refuse_what_is_no_run(@TempDir Path directory) throws IOException {
    ResultFolder.write(directory.resolve("a"), result("depart-exp1", "smoke", Map.of("seed", 1)));
    ResultFolder.write(directory.resolve("b"), result("depart-exp2", "smoke", Map.of()));
    ResultFolder.write(directory.resolve("c"), result("depart-exp99", "smoke", Map.of("seed", 1)));
    ResultFolder.write(directory.resolve("d"), result("depart-exp1", "it", Map.of("seed", 1)));
    ResultFolder.write(
        directory.resolve("e"),
        result("depart-exp1", "smoke", Map.of("seed", 1, "arms", List.of("lcs", "gone"))));
    ResultFolder.write(
        directory.resolve("f"),
        result("echash-exp1", "smoke", Map.of("seed", 3, "arms", List.of("vanilla", "lcs"))));
    ResultFolder.write(directory.resolve("h"), result("echash-exp4", "smoke", Map.of()));
    ResultFolder.write(directory.resolve("i"), result("echash-exp4", "smoke", Map.of("seed", 3)));
    String a = directory.resolve("a").toString();

    assertThat(run("compare", a)).isEqualTo(2);
    refused("different experiments: A is depart-exp1", "compare", a, directory + "/b");
    refused("none: does not exist", "compare", a, directory + "/none");
    refused("none: does not exist", "replay", directory + "/none");
    refused("figures.json: JSON, but no result of lab run", "replay", a + "/figures.json");
    refused("its config has no seed", "replay", directory + "/b");
    refused("experiment 'depart-exp99': must be one of", "replay", directory + "/c");
    refused("scale 'it': must be smoke, small or full", "replay", directory + "/d");
    refused("arm 'gone': depart-exp1 has lcs, lcs+pf", "replay", directory + "/e");
    refused("arm 'lcs': echash-exp1 has vanilla, ccmem", "replay", directory + "/f");
    refused("its config has no seed", "replay", directory + "/h");
    refused("would write over", "replay", directory + "/i", "--out", directory + "/i");
    refused(
        "--contact-points: experiments on Cassandra",
        "replay",
        directory + "/i",
        "--contact-points=127.0.0.1");
    ResultFolder.write(directory.resolve("g"), result("crs-fig5", "smoke", Map.of("seed", 4)));
    refused("lab run crs-fig5 --scale smoke --seed 4 does the same", "replay", directory + "/g");
    refused("would write over the run that is replayed", "replay", a, "--out", a);
    refused("would write over", "replay", a + "/result.json", "--out", a);
  }

  @Test
  void publish_refuses_two_runs_that_would_be_one_file(@TempDir Path directory) throws IOException {
    ResultFolder.write(directory.resolve("a"), result("depart-exp1", "small", Map.of("seed", 1)));
    ResultFolder.write(directory.resolve("b"), result("depart-exp1", "small", Map.of("seed", 2)));
    Path into = directory.resolve("into");

    refused(
        "two runs of depart-exp1", "publish", directory + "/a", directory + "/b", "--into=" + into);
    assertThat(into).doesNotExist();
  }

  @Test
  void a_kept_run_of_the_memory_tier_has_its_plan() {
    Map<String, Object> config = Map.of("seed", 3, "arms", List.of("ccmemcached", "echash"));

    TierPlan plan = KeptPlan.ofTier(result("echash-exp4", "smoke", config)).orElseThrow();

    assertThat(plan.seed()).isEqualTo(3);
    assertThat(plan.scale()).isEqualTo("smoke");
    assertThat(plan.experiment().armNames()).containsExactly("ccmemcached", "echash");
    assertThat(KeptPlan.ofTier(result("depart-exp1", "smoke", config))).isEmpty();
    TierPlan whole =
        KeptPlan.ofTier(result("echash-exp4", "small", Map.of("seed", 4))).orElseThrow();
    assertThat(whole.experiment().armNames()).contains("echash+chunk", "echash+fragment");
  }

  private void refused(String message, String... arguments) {
    err.getBuffer().setLength(0);
    assertThat(run(arguments)).as(message).isEqualTo(2);
    assertThat(err.toString()).contains(message);
  }

  private static LabResult result(String experiment, String scale, Map<String, Object> config) {
    Histogram micros = new Histogram(3);
    micros.recordValue(100);
    BlockResult block =
        new BlockResult(
            "lcs",
            "read",
            0,
            10,
            0,
            1,
            Map.of("read", LatencySummary.of(micros)),
            new NodeCost(1, 0, 0, 0, 0, 1, 0, Map.of(), 0));
    return new LabResult(
        LabResult.SCHEMA,
        experiment,
        "",
        "",
        scale,
        config,
        List.of(block),
        List.of(),
        List.of(),
        1,
        0,
        0,
        0,
        1);
  }

  @Test
  void makes_a_report_of_a_run(@TempDir Path directory) throws IOException {
    Path elsewhere = directory.resolve("page.html");
    ResultFolder.write(directory, result("depart-exp1", "small", Map.of()));

    assertThat(run("report", directory.toString())).isZero();
    assertThat(directory.resolve("report.html")).content().contains("<title>depart-exp1");
    assertThat(run("report", directory + "/result.json", "--out", elsewhere.toString())).isZero();
    assertThat(elsewhere).exists();
    assertThat(out.toString()).contains(elsewhere.toString());
  }

  @Test
  void report_refuses_what_is_no_run(@TempDir Path directory) throws IOException {
    refused("it has no result.json", "report", directory.toString());
    Files.writeString(directory.resolve("result.json"), "{\"schema\": 99, \"experiment\": \"x\"}");
    refused("result of schema 99", "report", directory.toString());
    assertThat(directory.resolve("report.html")).doesNotExist();
    assertThat(run("report")).isEqualTo(2);
  }

  @Test
  void refuses_a_port_that_there_is_not_or_that_is_taken() throws IOException {
    assertThat(run("run", "depart-exp1", "--live", "65536")).isEqualTo(2);
    assertThat(err.toString()).contains("--live").contains("'65536': must be from 0 to 65535");
    assertThat(run("run", "depart-exp1", "--live", "0", "--no-live")).isEqualTo(2);

    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      int port = taken.getLocalPort();
      assertThatThrownBy(() -> new LiveOptions().open(port, new PrintWriter(err)))
          .isInstanceOf(PreconditionException.class)
          .hasMessageContaining("port " + port + " of 127.0.0.1");
    }
  }

  private int run(String... arguments) {
    return new CommandLine(new LabCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
