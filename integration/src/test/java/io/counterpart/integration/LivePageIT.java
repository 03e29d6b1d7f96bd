package io.counterpart.integration;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import io.counterpart.lab.live.LivePage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The live page in a real browser; no cluster. */
class LivePageIT {
  private static final Path TARGET = Path.of("target/live-it");
  private static final String CHART = "#%s canvas";
  private static final String PIXELS_OF_SERIES =
      """
      canvas => {
        const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
        let colored = 0;
        for (let i = 0; i < pixels.length; i += 4) {
          const [r, g, b, a] = pixels.subarray(i, i + 4);
          // axes and grid are nearly grey
          if (a > 100 && Math.max(r, g, b) - Math.min(r, g, b) > 60) colored++;
        }
        return colored;
      }
      """;

  private static Browser browser;

  @BeforeAll
  static void start() throws IOException {
    browser = new Browser(TARGET);
  }

  @BeforeEach
  void forget() {
    browser.forget();
  }

  @AfterAll
  static void stop() {
    browser.close();
  }

  @Test
  void shows_a_run_from_its_start_to_its_end() throws IOException {
    Page page = browser.page(1200, ColorScheme.LIGHT);
    try (LivePage live = LivePage.open(0)) {
      SyntheticRun run = new SyntheticRun(live);
      run.start();
      run.round("load");
      page.navigate(live.address().toString());

      assertThat(page.locator("#state")).hasText("live");
      assertThat(page.locator("#title")).hasText(run.experiment().title());
      assertThat(page.locator("#blocks tr")).hasCount(run.blocks());
      for (String chart :
          new String[] {"operationsPerSecond", "pendingCompactions", "memtableBytes"}) {
        assertDrawn(page, chart);
      }
      assertThat(page.locator("#arms span")).hasCount(run.experiment().armNames().size());
      assertThat(page.locator("#step-left")).hasText(Pattern.compile("19,500 of 20,000, .* left"));
      assertThat(page.locator("#log")).containsText("starting 5 Cassandra nodes");

      run.round("ycsb_a");
      assertThat(page.locator("#blocks tr")).hasCount(run.blocks());
      assertThat(page.locator("#blocks tr").first()).containsText("ycsb_a");
      assertThat(page.locator("#blocks tr").first()).containsText("0.84 / 5.2 read");
      shoot(page, "1200-light");

      run.finish(0);
    }
    assertThat(page.locator("#state")).hasText("finished");
    assertThat(page.locator("#outcome"))
        .hasText("finished: 24,000 values checked, 0 lost, 0 wrong, 0 unread; 5 min 12 s");
    shoot(page, "1200-light-finished");
    assertQuiet();
  }

  @Test
  void marks_where_a_chosen_node_is_primary_and_where_redundant() throws IOException {
    Page page = browser.page(1200, ColorScheme.DARK);
    try (LivePage live = LivePage.open(0)) {
      SyntheticRun run = new SyntheticRun(live);
      run.start();
      run.round("ycsb_a");
      page.navigate(live.address().toString());
      Locator arcs = page.locator("#ring path");
      assertThat(arcs).hasCount(SyntheticRun.ARCS * SyntheticRun.REPLICAS);
      assertThat(page.locator("#ring path.primary")).hasCount(SyntheticRun.ARCS);
      assertThat(page.locator("#ring path.mine")).hasCount(0);
      assertThat(page.locator("#ring-balance"))
          .hasText(
              Pattern.compile(
                  "5 replica sets of 5 nodes; most ÷ mean: led \\d\\.\\d\\d, copies \\d\\.\\d\\d"));

      page.locator("button.node").nth(1).click();

      int each = SyntheticRun.ARCS / SyntheticRun.NODES;
      assertThat(page.locator("#ring path.mine.primary")).hasCount(each);
      assertThat(page.locator("#ring path.mine.redundant"))
          .hasCount(each * (SyntheticRun.REPLICAS - 1));
      assertThat(page.locator("#ring-text"))
          .hasText(Pattern.compile("127\\.0\\.0\\.2: primary for .* %.*, redundant for .* %"));
      shoot(page, "1200-dark");

      page.locator("button.node").nth(1).click();
      assertThat(page.locator("#ring path.mine")).hasCount(0);

      page.locator("#ring path.primary").first().click();
      assertThat(page.locator("button.node[aria-pressed=true]")).hasCount(1);
      run.finish(0);
    }
    assertQuiet();
  }

  @Test
  void shows_the_measures_and_the_servers_of_the_memory_tier() throws IOException {
    Page page = browser.page(1200, ColorScheme.LIGHT);
    try (LivePage live = LivePage.open(0)) {
      SyntheticTierRun run = new SyntheticTierRun(live);
      run.start();
      run.requests();
      page.navigate(live.address().toString());

      assertThat(page.locator("#blocks tr")).hasCount(SyntheticTierRun.ARMS.size());
      assertThat(page.locator("#blocks tr").first()).containsText("0.24 / 0.91 read");
      for (String chart :
          new String[] {
            "operationsPerSecond",
            "p99Micros",
            "hitRatio",
            "serverBytes",
            "journalBytes",
            "openStripes"
          }) {
        assertDrawn(page, chart);
      }
      assertThat(page.locator(".chart")).hasCount(6);
      assertThat(page.locator("#ring-card")).isHidden();
      int squares = SyntheticTierRun.SERVERS + SyntheticTierRun.SPARES;
      assertThat(page.locator("#servers i.server"))
          .hasCount(SyntheticTierRun.ARMS.size() * squares);
      assertThat(page.locator(".arm-servers").nth(2)).containsText("echash 45 servers up");
      assertThat(page.locator(".arm-servers").nth(2).locator(".ring-line"))
          .hasCount(SyntheticTierRun.RINGS + 1);

      run.repair();

      assertDrawn(page, "restoredBytesPerSecond");
      assertDrawn(page, "stripesToRestore");
      assertThat(page.locator(".arm-servers").nth(2)).containsText("44 of 45 servers up");
      assertThat(page.locator("#servers i.server.restoring")).hasCount(1);
      assertThat(page.locator("#blocks tr").first().locator("td.tier")).hasText("32");
      page.locator("#operationsPerSecond .u-over").hover();
      assertThat(page.locator("#readout")).containsText("throughput ");
      shoot(page, "1200-tier");
      Page narrow = browser.page(400, ColorScheme.DARK);
      narrow.navigate(live.address().toString());
      assertDrawn(narrow, "operationsPerSecond");
      assertThat((Integer) narrow.evaluate("document.documentElement.scrollWidth")).isLessThan(401);
      shoot(narrow, "400-tier");
    }
    assertQuiet();
  }

  @Test
  void is_readable_on_a_narrow_screen_and_says_when_a_run_broke_off() throws IOException {
    Page page = browser.page(400, ColorScheme.LIGHT);
    Page dark = browser.page(400, ColorScheme.DARK);
    try (LivePage live = LivePage.open(0)) {
      SyntheticRun run = new SyntheticRun(live);
      run.start();
      run.round("ycsb_a");
      page.navigate(live.address().toString());
      dark.navigate(live.address().toString());
      assertDrawn(page, "operationsPerSecond");
      assertDrawn(dark, "operationsPerSecond");

      assertThat((Integer) page.evaluate("document.documentElement.scrollWidth")).isLessThan(401);
      shoot(page, "400-light");
      shoot(dark, "400-dark");
    }
    assertThat(page.locator("#outcome")).containsText("The run broke off");
    assertQuiet();
  }

  @Test
  void finds_the_run_again_after_the_connection_was_lost() throws IOException {
    Page page = browser.page(1200, ColorScheme.LIGHT);
    try (LivePage live = LivePage.open(0);
        Tunnel tunnel = new Tunnel(live.address().getPort())) {
      SyntheticRun run = new SyntheticRun(live);
      run.start();
      run.round("ycsb_a");
      page.navigate(tunnel.address());
      assertThat(page.locator("#blocks tr")).hasCount(run.blocks());

      tunnel.block();
      assertThat(page.locator("#state")).hasText("connection lost, trying again");
      run.round("ycsb_b");
      tunnel.unblock();

      assertThat(page.locator("#state")).hasText("live");
      assertThat(page.locator("#blocks tr")).hasCount(run.blocks());
      run.finish(0);
    }
    // the browser itself complains of the lost connection
    assertThat(browser.complaints()).allMatch(complaint -> complaint.contains("net::ERR_"));
  }

  private static void assertDrawn(Page page, String chart) {
    Locator canvas = page.locator(CHART.formatted(chart));
    assertThat(canvas).isVisible();
    page.waitForCondition(() -> (Integer) canvas.evaluate(PIXELS_OF_SERIES) > 100);
  }

  private static void assertQuiet() {
    assertThat(browser.complaints()).isEmpty();
    assertThat(browser.requests())
        .isNotEmpty()
        .allMatch(url -> url.startsWith("http://127.0.0.1:") || url.startsWith("data:"));
  }

  private static void shoot(Page page, String name) {
    page.screenshot(
        new Page.ScreenshotOptions()
            .setFullPage(true)
            .setPath(TARGET.resolve("live-" + name + ".png")));
  }
}
