package io.counterpart.lab.report.html;

import static io.counterpart.lab.report.html.SyntheticResult.block;
import static io.counterpart.lab.report.html.SyntheticResult.figure;
import static io.counterpart.lab.report.html.SyntheticResult.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.RingArc;
import io.counterpart.lab.result.RingSummary;
import io.counterpart.lab.result.Sample;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HtmlReportTest {
  private static final Pattern DATA =
      Pattern.compile(
          "<script type=\"application/json\" id=\"data\">(.*?)</script>", Pattern.DOTALL);

  @Test
  void names_no_address_and_forbids_the_browser_to_load_anything() {
    String page = HtmlReport.render(SyntheticResult.whole());

    // the namespace of SVG, and the comment that names the library: neither is ever loaded
    assertThat(Pattern.compile("(?:https?:)?//[\\w.-]+\\.\\w+[^\\s\"'`]*").matcher(page).results())
        .extracting(MatchResult::group)
        .containsOnly("http://www.w3.org/2000/svg", "https://github.com/leeoniya/uPlot");
    assertThat(page).doesNotContain("@import", "url(//", "<link", "src=", "fetch(", "XMLHttp");
    assertThat(page).contains("content=\"default-src 'none';");
  }

  @Test
  void data_cannot_end_its_element() throws IOException {
    String evil = "</script><script>alert(1)</script><!-- {{style}} $1 \\";
    LabResult result = SyntheticResult.whole();
    result.config().put("note", evil);

    String page = HtmlReport.render(result);

    assertThat(page).doesNotContain("alert(1)</script>");
    assertThat(json(page).get("config").get("note").asText()).isEqualTo(evil);
  }

  @Test
  void has_the_ring_of_the_run_where_it_is_known() throws IOException {
    LabResult result = SyntheticResult.whole();
    assertThat(json(HtmlReport.render(result)).at("/config/ring").isMissingNode()).isTrue();
    result
        .config()
        .put(RingSummary.KEY, RingSummary.of(List.of(new RingArc(0, 0, List.of("a", "b")))));

    String page = HtmlReport.render(result);

    assertThat(json(page).at("/config/ring/replicaSets").asInt()).isEqualTo(1);
    assertThat(json(page).at("/config/ring/arcs/0/replicas/1").asText()).isEqualTo("b");
    assertThat(page).contains("function drawRing(");
  }

  @Test
  void title_is_text() {
    LabResult result = result(List.of(), List.of(), List.of());
    LabResult odd =
        new LabResult(
            1,
            "x",
            "",
            "a < b & c",
            "small",
            result.config(),
            List.of(),
            List.of(),
            List.of(),
            0,
            0,
            0,
            0,
            0);

    assertThat(HtmlReport.render(odd)).contains("<title>x · a &lt; b &amp; c</title>");
  }

  @Test
  void little_data_is_a_page_too() throws IOException {
    JsonNode nothing = json(HtmlReport.render(result(List.of(), List.of(), List.of())));
    assertThat(nothing.get("arms")).isEmpty();
    assertThat(nothing.get("amplification").isNull()).isTrue();

    JsonNode single =
        json(HtmlReport.render(result(List.of(block("a", "read", 0, 10)), List.of(), List.of())));
    assertThat(single.get("throughput")).hasSize(1);
    assertThat(single.get("timeline").get("seconds")).isEmpty();

    // figures and samples of arms that have no block
    JsonNode strangers =
        json(
            HtmlReport.render(
                result(
                    List.of(block("a", "read", 0, 10)),
                    List.of(new Sample(1, "b", "read", 1, 0, 0, 0, Map.of())),
                    List.of(figure(2, 1, true, "")))));
    assertThat(strangers.get("arms")).hasSize(2);
    assertThat(strangers.get("throughput").get(0).get("bars")).hasSize(1);
  }

  @Test
  void writes_in_one_step_and_refuses_a_directory(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("deep/report.html");

    HtmlReport.write(file, SyntheticResult.whole());

    assertThat(file).content().startsWith("<!DOCTYPE html>").endsWith("</html>\n");
    try (var files = Files.list(file.getParent())) {
      assertThat(files).containsExactly(file);
    }
    assertThatThrownBy(() -> HtmlReport.write(directory, SyntheticResult.whole()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not a file: " + directory);
  }

  @Test
  void library_is_the_published_one_unchanged() throws Exception {
    // uPlot 1.6.32 as published, dist/uPlot.iife.min.js
    assertThat(sha256("uplot/uPlot.iife.min.js"))
        .isEqualTo("19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f");
    assertThat(sha256("uplot/uPlot.min.css"))
        .isEqualTo("df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04");
  }

  private static JsonNode json(String page) throws IOException {
    var found = DATA.matcher(page);
    assertThat(found.find()).isTrue();
    return new ObjectMapper().readTree(found.group(1));
  }

  private static String sha256(String resource) throws Exception {
    try (InputStream stream = HtmlReport.class.getResourceAsStream(resource)) {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(stream.readAllBytes()));
    }
  }
}
