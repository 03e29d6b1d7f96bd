package io.counterpart.cli.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.ResultJson;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
  }

  @Test
  void refuses_what_it_does_not_know_before_anything_starts() {
    assertThat(run("run", "depart-exp99")).isEqualTo(2);
    assertThat(err.toString()).contains("experiment 'depart-exp99': must be one of depart-exp1");
    assertThat(run("run", "depart-exp1", "--scale", "huge")).isEqualTo(2);
    assertThat(err.toString()).contains("scale 'huge': must be smoke, small or full");
    assertThat(run("run")).isEqualTo(2);
  }

  @Test
  void makes_a_report_of_a_result(@TempDir Path directory) throws IOException {
    Path elsewhere = directory.resolve("page.html");
    new ResultJson()
        .write(
            directory.resolve("result.json"),
            new LabResult(
                1, "x", "", "t", "small", Map.of(), List.of(), List.of(), List.of(), 1, 0, 0, 0,
                9));

    assertThat(run("report", directory.toString())).isZero();
    assertThat(directory.resolve("report.html")).content().contains("<title>x · t</title>");
    assertThat(run("report", directory.toString(), "--out", elsewhere.toString())).isZero();
    assertThat(elsewhere).exists();
    assertThat(out.toString()).contains(elsewhere.toString());
  }

  @Test
  void report_refuses_what_is_no_result(@TempDir Path directory) throws IOException {
    assertThat(run("report", directory.toString())).isEqualTo(2);
    assertThat(err.toString()).contains(directory.resolve("result.json") + ": no such file");
    Files.writeString(directory.resolve("result.json"), "{\"schema\": 99}");
    assertThat(run("report", directory.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("has schema 99; this version reads schema 1");
    assertThat(directory.resolve("report.html")).doesNotExist();
    assertThat(run("report")).isEqualTo(2);
  }

  private int run(String... arguments) {
    return new CommandLine(new LabCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
