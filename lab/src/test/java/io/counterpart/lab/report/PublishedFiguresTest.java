package io.counterpart.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.lab.bundle.StoredRun;
import io.counterpart.lab.bundle.UnreadableRunException;
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
import org.junit.jupiter.params.provider.ValueSource;

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
    "dec.compaction_vs_lcs, compact %.2f times the bytes",
    "dec.cpu_vs_lcs, load with %.2f times the CPU",
    "dec.writes_vs_lcs, and %.1f times as fast",
    "dec.recovery_vs_lcs, recover a wiped node in %.2f times the time",
    "dec.compaction_vs_ucs_t4, %.2f times the bytes",
    "dec.sstable_files, %.1f times the files"
  })
  void readme_quotes_the_measured_figures(String id, String claim)
      throws IOException, UnreadableRunException {
    // line breaks are the editor's
    String readme = Files.readString(DOCS.resolve("../README.md")).replaceAll("\\s+", " ");
    double measured =
        result().figures().stream()
            .filter(figure -> figure.id().equals(id))
            .findFirst()
            .orElseThrow()
            .measured();

    assertThat(readme).contains(String.format(Locale.ROOT, claim, measured));
  }

  @ParameterizedTest
  @ValueSource(strings = {"depart-", "echash-"})
  void papers_shows_the_tables_of_the_lab(String paper) throws IOException, UnreadableRunException {
    String papers = Files.readString(DOCS.resolve("PAPERS.md"));
    List<LabResult> runs = labRuns(paper);
    DocumentTables tables = new DocumentTables(true);

    assertThat(runs).isNotEmpty();
    assertThat(papers).contains(tables.figures(runs));
    for (LabResult run : runs) {
      assertThat(papers).contains(tables.phases(run));
      assertThat(run.clean()).as(run.experiment()).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "exp1.reads_vs_lcs, answer %.1f times the reads at ONE",
    "exp1.scans_vs_lcs, %.1f times the scans",
    "exp1.updates_vs_lcs, %.1f times the updates"
  })
  void readme_quotes_the_figures_of_the_lab(String id, String claim)
      throws IOException, UnreadableRunException {
    String readme = Files.readString(DOCS.resolve("../README.md")).replaceAll("\\s+", " ");
    double measured =
        labRuns("depart-").stream()
            .flatMap(run -> run.figures().stream())
            .filter(figure -> figure.id().equals(id))
            .findFirst()
            .orElseThrow()
            .measured();

    assertThat(readme).contains(String.format(Locale.ROOT, claim, measured));
  }

  @Test
  void published_results_are_plain_and_small() throws IOException {
    try (Stream<Path> files = Files.walk(DOCS.resolve("results"))) {
      assertThat(files.filter(Files::isRegularFile))
          .allSatisfy(
              file -> {
                assertThat(file.getFileName().toString()).endsWith(".json");
                assertThat(Files.size(file)).isLessThan(200_000);
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
