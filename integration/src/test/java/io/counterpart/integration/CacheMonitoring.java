package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.counterpart.cluster.Installation;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What operators watch the memory tier by, against what a proxy tells. */
final class CacheMonitoring {
  private static final String PREFIX = "counterpart_cache_";
  private static final Pattern SELECTOR = Pattern.compile(PREFIX + "\\w+(\\{[^}]*\\})?");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");
  private static final Pattern BY = Pattern.compile(" by \\((\\w+)\\)");
  private static final Pattern DOCUMENTED = Pattern.compile("`(\\w+)(\\{[^}`]*\\})?`");

  private CacheMonitoring() {}

  /** Prometheus' text of a proxy. */
  static String metrics(String url) throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString())
        .body();
  }

  /** Every selector and label of the Grafana dashboard finds something in the metrics. */
  static void check_the_dashboard(String metrics) throws IOException {
    JsonNode dashboard =
        new ObjectMapper().readTree(document("docs/grafana/memory-tier.json").toFile());
    List<String> expressions = dashboard.findValuesAsText("expr");
    assertThat(expressions).hasSizeGreaterThan(40);
    List<String> lines = metrics.lines().filter(line -> !line.startsWith("#")).toList();
    for (String expression : expressions) {
      for (MatchResult selector : all(SELECTOR, expression)) {
        assertThat(lines).as(expression).anyMatch(line -> isSelected(line, selector.group()));
      }
      for (MatchResult by : all(BY, expression)) {
        String name = name(all(SELECTOR, expression).get(0).group());
        assertThat(lines)
            .as(expression)
            .anyMatch(line -> name(line).equals(name) && line.contains(by.group(1) + "=\""));
      }
    }
    Set<Integer> ids = new HashSet<>();
    dashboard.get("panels").forEach(panel -> ids.add(panel.get("id").asInt()));
    assertThat(ids).as("ids of panels").hasSize(dashboard.get("panels").size());
  }

  /** The manual names every metric, and none that is not there. */
  static void check_the_manual(String metrics) throws IOException {
    Set<String> told =
        metrics
            .lines()
            .filter(line -> line.startsWith(PREFIX))
            .map(CacheMonitoring::name)
            .map(name -> name.substring(PREFIX.length()))
            .collect(Collectors.toCollection(TreeSet::new));
    String manual = Files.readString(document("docs/MEMORY-TIER.md"));
    Set<String> documented = new TreeSet<>();
    manual
        .substring(manual.indexOf("\n## Metrics"))
        .lines()
        .filter(line -> line.startsWith("| `"))
        .map(line -> line.substring(0, line.indexOf('|', 1)))
        .forEach(cell -> all(DOCUMENTED, cell).forEach(found -> documented.add(found.group(1))));

    assertThat(documented).isEqualTo(told);
  }

  private static boolean isSelected(String line, String selector) {
    return name(line).equals(name(selector))
        && all(LABEL, selector).stream()
            .filter(label -> !label.group(2).startsWith("$")) // a variable of the dashboard
            .allMatch(label -> line.contains(label.group()));
  }

  /** The name that a line or a selector begins with. */
  private static String name(String text) {
    return text.split("[{ ]", 2)[0];
  }

  private static List<MatchResult> all(Pattern pattern, String text) {
    List<MatchResult> found = new ArrayList<>();
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      found.add(matcher.toMatchResult());
    }
    return found;
  }

  private static Path document(String name) {
    return Installation.locate().root().resolve(name);
  }
}
