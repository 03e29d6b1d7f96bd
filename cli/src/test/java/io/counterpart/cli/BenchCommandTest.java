package io.counterpart.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
  void prints_the_tables_of_a_result_file(@TempDir Path directory) throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("r.json"),
            """
            {"figures": [{"id": "dec.x", "measured": 0.25, "low": 0.2, "high": 0.3,
              "paper": "0.48", "reach": "<= 0.33", "reached": true, "note": ""}],
             "arms": {"lcs": {"bytesCompacted": 2000000}}, "lost": 0, "wrong": 0,
             "config": {}, "unread": 0, "rounds": [], "seconds": 1}
            """);

    assertThat(run("table", file.toString(), "--markdown")).isZero();
    assertThat(out.toString()).contains("| dec.x | <= 0.33 | 0.48 | 0.250 |").contains("| lcs |");
  }

  @Test
  void says_what_is_no_result_file(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("r.json"), "not json");

    assertThat(run("table", directory.resolve("absent").toString())).isEqualTo(2);
    assertThat(err.toString()).contains("does not exist");
    assertThat(run("table", file.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("is no result");
  }

  private int run(String... arguments) {
    return new CommandLine(new BenchCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
