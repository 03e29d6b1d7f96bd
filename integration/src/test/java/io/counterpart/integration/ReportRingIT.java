package io.counterpart.integration;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import io.counterpart.lab.report.html.HtmlReport;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.RingSummary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The ring in a report, in a real browser; no cluster. */
class ReportRingIT {
  private static final Path TARGET = Path.of("target/report-ring-it").toAbsolutePath();

  @Test
  void draws_every_arc_and_says_how_even_the_shares_are() throws IOException {
    Path file = TARGET.resolve("report.html");
    HtmlReport.write(file, result(RingSummary.of(SyntheticRun.ring(7))));

    try (Browser browser = new Browser(TARGET)) {
      Page page = browser.page(1200, ColorScheme.LIGHT);
      page.navigate(file.toUri().toString());

      assertThat(page.locator("figure path")).hasCount(SyntheticRun.ARCS * SyntheticRun.REPLICAS);
      assertThat(page.locator("h2", new Page.LocatorOptions().setHasText("Ring"))).isVisible();
      assertThat(page.locator("table").filter(withText("replica sets"))).containsText("5");
      // its section is the only place of the arcs
      assertThat(page.locator("table").filter(withText("ring.arcs"))).hasCount(0);
      page.screenshot(
          new Page.ScreenshotOptions()
              .setFullPage(true)
              .setPath(TARGET.resolve("report-ring.png")));
      assertThat(browser.complaints()).isEmpty();
    }
  }

  private static com.microsoft.playwright.Locator.FilterOptions withText(String text) {
    return new com.microsoft.playwright.Locator.FilterOptions().setHasText(text);
  }

  private static LabResult result(RingSummary ring) {
    return new LabResult(
        LabResult.SCHEMA,
        "x",
        "",
        "A run with a ring",
        "small",
        Map.of(RingSummary.KEY, ring, "seed", 7),
        List.of(),
        List.of(),
        List.of(),
        1,
        0,
        0,
        0,
        1);
  }
}
