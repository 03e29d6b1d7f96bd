package io.counterpart.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cli.console.ErrorReport;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class BenchCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void refuses_bad_options_before_anything_starts() {
    assertThat(run("decoupling", "--scale", "huge")).isEqualTo(2);
    assertThat(err.toString()).contains("scale 'huge': must be smoke or full");
    assertThat(run("decoupling", "--rounds", "0")).isEqualTo(2);
    assertThat(err.toString()).contains("rounds 0: must be 1 to 9");
    assertThat(run("decoupling", "--arms", "stcs")).isEqualTo(2);
    assertThat(err.toString()).contains("arm 'stcs'");
  }

  @Test
  void a_cluster_that_is_stopped_keeps_its_data(@TempDir Path directory) throws Exception {
    Files.writeString(directory.resolve("cluster.json"), "{}");

    assertThat(run("decoupling", "--home", directory.toString())).isEqualTo(3);

    assertThat(err.toString())
        .contains("--home " + directory + " has a cluster, whose data would be deleted");
    assertThat(directory.resolve("cluster.json")).exists();

    // one of a bench before
    Files.writeString(directory.resolve("throwaway.cluster"), "");
    run("decoupling", "--home", directory.toString());
    assertThat(err.toString()).contains("cluster.json: ");
  }

  @Test
  void prints_the_tables_of_a_result_file(@TempDir Path directory) throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("r.json"),
            """
            {"schema": 1, "experiment": "decoupling", "paper": "", "title": "", "scale": "full",
             "config": {}, "checked": 9, "seconds": 1,
             "figures": [{"id": "dec.x", "measured": 0.25, "low": 0.2, "high": 0.3, "unit": "ratio",
               "arms": ["decoupled", "lcs"], "scale": "full", "reach": 0.33, "reached": true,
               "paper": "0.48", "verdict": "less", "atMost": true}],
             "blocks": [
               {"arm": "lcs", "phase": "load", "operations": 8, "seconds": 2,
                "server": {"bytesCompacted": 2000000}, "counters": {"replicatedBytes": 1000000}},
               {"arm": "lcs", "phase": "drain", "seconds": 1, "server": {}},
               {"arm": "lcs", "phase": "recovery", "seconds": 1, "server": {}}]}
            """);

    assertThat(run("table", file.toString(), "--markdown")).isZero();
    assertThat(out.toString())
        .contains("| dec.x | decoupled ÷ lcs | <= 0.33 | 0.48 | 0.25 | 0.20–0.30 | yes |")
        .contains("| lcs | 0 | 2 | 2.00 |");
  }

  @Test
  void says_what_is_no_result_file(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("r.json"), "not json");

    assertThat(run("table", directory.resolve("absent").toString())).isEqualTo(2);
    assertThat(err.toString()).contains("does not exist");
    assertThat(run("table", file.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("neither a bundle nor a whole result.json");
  }

  private int run(String... arguments) {
    return new CommandLine(new BenchCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .setExecutionExceptionHandler(new ErrorReport())
        .execute(arguments);
  }
}
