package io.counterpart.integration;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Debian's chromium without a window; records a page's errors and requests. */
final class Browser implements AutoCloseable {
  private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
  private static final int LIMIT_MILLIS = 90_000;

  private final Playwright playwright;
  private final com.microsoft.playwright.Browser browser;
  private final List<String> complaints = new CopyOnWriteArrayList<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();

  /**
   * @param scratch directory that Playwright unpacks its driver into
   */
  Browser(Path scratch) throws IOException {
    if (!Files.isExecutable(CHROMIUM)) {
      throw new IllegalStateException(
          CHROMIUM + " is not there: scripts/bootstrap --test installs it");
    }
    // it renders in software, beside classes that start clusters
    PlaywrightAssertions.setDefaultAssertionTimeout(LIMIT_MILLIS);
    Files.createDirectories(scratch);
    System.setProperty("playwright.driver.tmpdir", scratch.toAbsolutePath().toString());
    playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(CHROMIUM)
                    .setTimeout(LIMIT_MILLIS)
                    // a test run by root has no sandbox; the page is ours
                    .setArgs(List.of("--no-sandbox")));
  }

  /** A new page of a width, in a scheme. */
  Page page(int width, ColorScheme scheme) {
    Page page =
        browser.newPage(
            new com.microsoft.playwright.Browser.NewPageOptions()
                .setViewportSize(width, 900)
                .setColorScheme(scheme));
    page.setDefaultTimeout(LIMIT_MILLIS);
    page.onConsoleMessage(
        message -> {
          if (message.type().equals("error") || message.type().equals("warning")) {
            complaints.add(message.text());
          }
        });
    page.onPageError(complaints::add);
    page.onRequest(request -> requests.add(request.url()));
    return page;
  }

  /** Errors and warnings of all pages. */
  List<String> complaints() {
    return complaints;
  }

  /** Addresses that all pages asked for. */
  List<String> requests() {
    return requests;
  }

  /** Closes every page, for one that lost its run asks for ever, and starts both lists afresh. */
  void forget() {
    browser.contexts().forEach(BrowserContext::close);
    complaints.clear();
    requests.clear();
  }

  @Override
  public void close() {
    browser.close();
    playwright.close();
  }
}
