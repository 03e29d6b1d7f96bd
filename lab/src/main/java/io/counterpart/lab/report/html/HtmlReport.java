package io.counterpart.lab.report.html;

import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.ResultJson;
import io.counterpart.lab.result.WholeFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The report of a run: one HTML file with its data, style and script, readable offline. Stateless.
 */
public final class HtmlReport {
  private static final Pattern PLACE = Pattern.compile("\\{\\{(\\w+)}}");
  private static final List<String> STYLES = List.of("uplot/uPlot.min.css", "report.css");
  private static final List<String> SCRIPTS =
      List.of(
          "uplot/uPlot.iife.min.js",
          "elements.js",
          "bars.js",
          "lines.js",
          "parts.js",
          "series.js",
          "ring.js",
          "page.js");

  private HtmlReport() {}

  /** The whole page. */
  public static String render(LabResult result) {
    return fill(
        resource("report.html"),
        Map.of(
            "title", escapeText(result.experiment() + " · " + result.title()),
            "style", together(STYLES),
            "data", escapeScript(new ResultJson().render(ReportData.of(result))),
            "script", together(SCRIPTS)));
  }

  /**
   * Writes the page in one step: a reader never sees half a file.
   *
   * @throws IOException if the file's directory cannot be written to
   */
  public static void write(Path file, LabResult result) throws IOException {
    if (Files.isDirectory(file)) {
      throw new IOException("not a file: " + file);
    }
    byte[] page = render(result).getBytes(StandardCharsets.UTF_8);
    WholeFile.write(file, out -> out.write(page));
  }

  // in one pass: what is filled in may itself look like a place
  private static String fill(String template, Map<String, String> values) {
    return PLACE
        .matcher(template)
        .replaceAll(
            place ->
                Matcher.quoteReplacement(
                    Objects.requireNonNull(values.get(place.group(1)), place.group(1))));
  }

  private static String together(List<String> names) {
    return names.stream().map(HtmlReport::resource).collect(Collectors.joining("\n"));
  }

  // no "</script", no "<!--": nothing in the data can end its element
  private static String escapeScript(String json) {
    return json.replace("<", "\\u003c");
  }

  private static String escapeText(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;");
  }

  private static String resource(String name) {
    try (InputStream stream = HtmlReport.class.getResourceAsStream(name)) {
      return new String(
          Objects.requireNonNull(stream, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + name, e);
    }
  }
}
