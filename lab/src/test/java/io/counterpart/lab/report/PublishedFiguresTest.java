package io.counterpart.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.lab.bundle.StoredRun;
import io.counterpart.lab.bundle.UnreadableRunException;
import io.counterpart.lab.result.LabFigure;
import io.counterpart.lab.result.LabResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The figures in the documents are those of the result file. */
class PublishedFiguresTest {
  private static final Path DOCS = Path.of("../docs");

  @Test
  void papers_shows_the_measured_tables() throws IOException, UnreadableRunException {
    String papers = Files.readString(DOCS.resolve("PAPERS.md"));
    LabResult result = result();

    assertThat(papers)
        .contains(new DocumentTables(true).figures(List.of(result)))
        .contains(ArmTable.markdown(result));
    assertThat(result.clean()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "dec.compaction_vs_lcs, bytes compacted ÷ LCS",
    "dec.compaction_vs_ucs_t4, bytes compacted ÷ UCS T4",
    "dec.cpu_vs_lcs, CPU of a load ÷ LCS",
    "dec.recovery_vs_lcs, recovery time of a wiped node ÷ LCS"
  })
  void readme_shows_the_measured_figures(String id, String words)
      throws IOException, UnreadableRunException {
    LabFigure figure =
        result().figures().stream().filter(each -> each.id().equals(id)).findFirst().orElseThrow();

    assertThat(readme())
        .contains(
            row(words, figure.asked().replace("<= ", "≤ "), figure.measured(), figure.reached()));
  }

  @ParameterizedTest
  @MethodSource("papers")
  void papers_shows_the_tables_of_the_lab(String paper) throws IOException, UnreadableRunException {
    String papers = Files.readString(DOCS.resolve("PAPERS.md"));
    List<LabResult> runs = labRuns(paper);
    DocumentTables tables = new DocumentTables(true);

    assertThat(papers).contains(tables.figures(runs));
    for (LabResult run : runs) {
      assertThat(papers)
          .contains(tables.phases(run))
          .contains(tables.latencies(run))
          .contains(tables.requests(run))
          .contains(tables.costs(run))
          .contains(tables.breakdown(run))
          .contains(tables.curves(run));
      assertThat(run.clean()).as(run.experiment()).isTrue();
    }
  }

  @Test
  void every_paper_with_experiments_has_published_ones() throws IOException {
    assertThat(papers()).contains("depart", "formats", "crs", "mycassandra", "echash");
  }

  /** What the names of published results begin with, up to a hyphen: a paper's experiments. */
  private static List<String> papers() throws IOException {
    try (Stream<Path> files = Files.list(DOCS.resolve("results/lab"))) {
      return files
          .map(file -> file.getFileName().toString().split("[-.]", 2)[0])
          .distinct()
          .sorted()
          .toList();
    }
  }

  @Test
  void readme_shows_a_figure_of_the_lab() throws IOException, UnreadableRunException {
    LabFigure figure =
        labRuns("depart-").stream()
            .flatMap(run -> run.figures().stream())
            .filter(each -> each.id().equals("exp1.scans_vs_lcs"))
            .findFirst()
            .orElseThrow();

    assertThat(readme())
        .contains(
            row(
                "scans at ONE ÷ LCS, disk-bound, primary first",
                "≥ 2.00",
                figure.measured(),
                figure.reached()));
  }

  private static String row(String words, String asked, double measured, boolean reached) {
    return String.format(
        Locale.ROOT, "| %s | %s | %.2f | %s |", words, asked, measured, reached ? "yes" : "**no**");
  }

  private static String readme() throws IOException {
    return Files.readString(DOCS.resolve("../README.md"));
  }

  @Test
  void published_results_are_plain_and_small() throws IOException {
    try (Stream<Path> files = Files.walk(DOCS.resolve("results"))) {
      assertThat(files.filter(Files::isRegularFile))
          .allSatisfy(
              file -> {
                assertThat(file.getFileName().toString()).endsWith(".json");
                assertThat(Files.size(file)).isLessThan(300_000);
              });
    }
  }

  /** Of the experiments on a paper, in the order of their file names, as a shell lists them. */
  private static List<LabResult> labRuns(String paper) throws IOException, UnreadableRunException {
    List<LabResult> runs = new ArrayList<>();
    try (Stream<Path> files = Files.list(DOCS.resolve("results/lab"))) {
      for (Path file : files.sorted().toList()) {
        if (file.getFileName().toString().startsWith(paper)) {
          runs.add(StoredRun.read(file));
        }
      }
    }
    return runs;
  }

  private static LabResult result() throws UnreadableRunException {
    return StoredRun.read(DOCS.resolve("results/decoupling.json"));
  }
}
