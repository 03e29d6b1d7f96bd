package io.counterpart.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.lab.result.BenchResult;
import io.counterpart.lab.result.ResultJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The figures in the documents are those of the result file. */
class PublishedFiguresTest {
  private static final Path DOCS = Path.of("../docs");

  @Test
  void papers_shows_the_measured_tables() throws IOException {
    String papers = Files.readString(DOCS.resolve("PAPERS.md"));
    BenchResult result = result();

    assertThat(papers)
        .contains(FigureTable.markdown(result.figures()))
        .contains(ArmTable.markdown(result.arms()));
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
  void readme_quotes_the_measured_figures(String id, String claim) throws IOException {
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

  private static BenchResult result() throws IOException {
    return new ResultJson().read(DOCS.resolve("results/decoupling.json"), BenchResult.class);
  }
}
