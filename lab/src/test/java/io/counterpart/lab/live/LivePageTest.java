package io.counterpart.lab.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.LatencySummary;
import io.counterpart.lab.result.NodeCost;
import io.counterpart.lab.result.Sample;
import io.counterpart.lab.result.SampledMeasure;
import io.counterpart.lab.run.ArmServers;
import io.counterpart.lab.run.RunOutline;
import io.counterpart.lab.setup.Progress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LivePageTest {
  private static final Duration STUCK = Duration.ofSeconds(3);
  private LivePage page;

  @BeforeEach
  void open() throws IOException {
    page = LivePage.open(0, STUCK);
  }

  @AfterEach
  void close() {
    page.close();
  }

  @Test
  void tells_a_late_reader_the_history_first_and_then_what_comes() throws IOException {
    page.sampled(sample(1));
    page.sampled(sample(2));

    try (Reader reader = Reader.get(page, "/events")) {
      assertThat(reader.status()).isEqualTo(200);
      List<String> history = reader.events(3, "hello", "sample");
      page.sampled(sample(3));
      List<String> live = reader.events(1, "sample");

      assertThat(history.get(0)).startsWith("hello");
      assertThat(history.get(1)).contains("\"second\":1.0");
      assertThat(history.get(2)).contains("\"second\":2.0");
      assertThat(live.get(0)).contains("\"second\":3.0");
    }
  }

  @Test
  void shows_steps_and_lines_and_passes_them_on() throws IOException {
    List<String> passed = new ArrayList<>();
    Progress progress = page.with(recording(passed));

    progress.say("starting");
    progress.step("lcs load 1", 100).accept(40);

    assertThat(passed).containsExactly("starting", "lcs load 1 of 100", "40");
    try (Reader reader = Reader.get(page, "/events")) {
      List<String> events = reader.events(3, "line", "step", "progress");
      assertThat(events.get(0)).contains("\"value\":\"starting\"");
      assertThat(events.get(1)).contains("\"label\":\"lcs load 1\",\"total\":100");
      assertThat(events.get(2)).contains("\"value\":40");
    }
  }

  @Test
  void says_how_far_a_new_step_is_even_if_as_far_as_the_one_before() throws IOException {
    Progress progress = page.with(Progress.silent());
    progress.step("lcs load 1", 100).accept(100);

    try (Reader reader = Reader.get(page, "/events")) {
      reader.events(1, "progress");
      progress.step("lcs load 2", 100).accept(100);

      reader.events(1, "step");
      String far = "";
      while (!far.contains("\"value\":100")) {
        far = reader.events(1, "progress").get(0);
      }
    }
  }

  @Test
  void sends_percentiles_of_a_block_but_not_the_histogram() throws IOException {
    page.measured(block());

    try (Reader reader = Reader.get(page, "/events")) {
      assertThat(reader.events(1, "block").get(0))
          .contains("\"p99Micros\":900")
          .doesNotContain("histogram");
    }
  }

  @Test
  void says_what_a_run_on_the_memory_tier_measures_and_that_it_has_no_ring() throws IOException {
    page.started(
        new RunOutline(
            "echash-exp1", "p", "t", List.of("echash"), 7, SampledMeasure.OF_TIERS, null));
    page.sampled(Sample.ofTier(1, "echash", "read", 900, Map.of(SampledMeasure.P99_MICROS, 250.0)));

    try (Reader reader = Reader.get(page, "/events")) {
      List<String> events = reader.events(2, "started", "sample");
      assertThat(events.get(0))
          .contains("\"name\":\"p99Micros\",\"title\":\"Latency\",\"unit\":\"ms, 99th percentile\"")
          .contains("\"arms\":[\"echash\"],\"blocks\":7", "\"ring\":null");
      assertThat(events.get(1)).contains("\"measures\":{\"p99Micros\":250.0}");
    }
  }

  @Test
  void tells_of_the_servers_of_an_arm_when_they_have_changed() throws IOException {
    page.served(servers("echash", "up"));
    page.served(servers("ccmemcached", "up"));
    page.served(servers("echash", "up"));
    page.served(servers("echash", "restoring"));
    page.sampled(sample(1));

    try (Reader reader = Reader.get(page, "/events")) {
      List<String> events = reader.events(4, "servers", "sample");
      assertThat(events.get(0)).contains("\"arm\":\"echash\"", "\"ring\":2,\"state\":\"up\"");
      assertThat(events.get(1)).contains("\"arm\":\"ccmemcached\"");
      assertThat(events.get(2)).contains("\"arm\":\"echash\"", "\"state\":\"restoring\"");
      assertThat(events.get(3)).startsWith("sample");
    }
  }

  private static ArmServers servers(String arm, String state) {
    return new ArmServers(arm, List.of(new ArmServers.Server("127.0.0.1:20000", 2, state)));
  }

  @Test
  void a_stuck_reader_holds_nothing_up_and_is_dropped() throws Exception {
    String large = "x".repeat(10_000);
    Progress progress = page.with(Progress.silent());
    try (Reader stuck = Reader.get(page, "/events")) {
      await().atMost(Duration.ofSeconds(40)).until(() -> page.readers() == 1);

      long start = System.nanoTime();
      for (int i = 0; i < 2000; i++) {
        progress.say(large);
        page.sampled(sample(i));
      }
      Duration took = Duration.ofNanos(System.nanoTime() - start);

      // held up, it would wait until the reader is dropped, which takes longer
      assertThat(took).isLessThan(Duration.ofSeconds(5));
      try (Reader other = Reader.get(page, "/events")) {
        assertThat(other.events(2000, "sample")).hasSize(2000);
      }
      // one that left is noticed at the second sign of life, five seconds after the first
      await().atMost(Duration.ofSeconds(40)).until(() -> page.readers() == 0);
      assertThatThrownBy(() -> stuck.events(2000, "sample")).isInstanceOf(IOException.class);
    }
  }

  @Test
  void ends_the_stream_when_the_run_is_over() throws IOException {
    page.finished(
        new LabResult(
            1, "e", "p", "t", "smoke", Map.of(), List.of(), List.of(), List.of(), 5, 0, 0, 0, 9));

    try (Reader reader = Reader.get(page, "/events")) {
      assertThat(reader.events(1, "finished").get(0)).contains("\"checked\":5,\"lost\":0");
      page.close();
      assertThat(reader.rest()).contains("event: end");
    }
  }

  @Test
  void serves_the_page_and_all_that_it_names() throws IOException {
    String html = body("/");

    List<String> named = new ArrayList<>(matches(html, "(?:src|href)=\"(/[^\"]+)\""));
    matches(body("/page.js"), "from \"\\.(/[^\"]+)\"").forEach(named::add);
    assertThat(named).contains("/page.js", "/ring.js", "/servers.js", "/uPlot.iife.min.js");
    for (String path : named) {
      assertThat(body(path)).as(path).isNotBlank();
    }
    assertThat(html).doesNotContain("http://").doesNotContain("https://");
  }

  @Test
  void refuses_other_hosts_other_paths_and_all_but_reading() throws IOException {
    int port = page.address().getPort();

    assertThat(status("GET /", "Host: evil.example:" + port)).isEqualTo(403);
    assertThat(status("GET /events", "Host: evil.example")).isEqualTo(403);
    assertThat(status("GET /", "Host: 127.0.0.1.evil.example")).isEqualTo(403);
    assertThat(status("GET /", "Accept: */*")).isEqualTo(403);
    assertThat(status("GET /", "Host: localhost:9000")).isEqualTo(200);
    assertThat(status("POST /", "Host: localhost", "Content-Length: 0")).isEqualTo(405);
    assertThat(status("GET /page.html", "Host: localhost")).isEqualTo(404);
    assertThat(status("GET /../LivePage.class", "Host: localhost")).isEqualTo(404);
    assertThat(status("GET /events/", "Host: localhost")).isEqualTo(404);
  }

  @Test
  void lets_no_other_page_read_it() throws IOException {
    try (Reader reader = Reader.get(page, "/")) {
      assertThat(reader.rest())
          .containsIgnoringCase("Content-Security-Policy: default-src 'none'")
          .doesNotContainIgnoringCase("Access-Control-Allow");
    }
  }

  @Test
  void listens_on_loopback_only() throws IOException {
    int port = page.address().getPort();

    assertThat(page.address().getHost()).isEqualTo("127.0.0.1");
    // another address of this machine, even one of loopback, finds nobody
    List<InetAddress> others = new ArrayList<>(List.of(InetAddress.getByName("127.0.0.2")));
    NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(address -> !address.isLoopbackAddress())
        .forEach(others::add);
    for (InetAddress other : others) {
      try (Socket socket = new Socket()) {
        assertThatThrownBy(() -> socket.connect(new InetSocketAddress(other, port), 2000))
            .as(other.toString())
            .isInstanceOf(IOException.class);
      }
    }
  }

  @Test
  void takes_a_few_readers_and_tells_others_to_come_later() throws Exception {
    List<Reader> readers = new ArrayList<>();
    for (int i = 0; i < EventStream.READERS; i++) {
      readers.add(Reader.get(page, "/events"));
    }
    await().atMost(Duration.ofSeconds(40)).until(() -> page.readers() == EventStream.READERS);

    assertThat(status("GET /events", "Host: localhost")).isEqualTo(503);

    for (Reader reader : readers) {
      reader.close();
    }
  }

  @Test
  void closing_ends_every_thread() throws Exception {
    try (Reader stuck = Reader.get(page, "/events")) {
      stuck.events(1, "hello");

      page.close();

      await().atMost(Duration.ofSeconds(40)).until(() -> threads().isEmpty());
    }
  }

  @Test
  void refuses_a_port_that_is_none_or_taken() {
    assertThatThrownBy(() -> LivePage.open(65_536))
        .hasMessage("port 65536: must be from 0 to 65535");
    assertThatThrownBy(() -> LivePage.open(page.address().getPort()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("port " + page.address().getPort() + " of 127.0.0.1");
  }

  private int status(String start, String... headers) throws IOException {
    try (Reader reader = Reader.send(page, start, headers)) {
      return reader.status();
    }
  }

  private String body(String path) throws IOException {
    try (Reader reader = Reader.get(page, path)) {
      assertThat(reader.status()).as(path).isEqualTo(200);
      return reader.rest();
    }
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("live-page-") || name.startsWith("HTTP-Dispatcher"))
        .toList();
  }

  private static List<String> matches(String text, String regex) {
    return Pattern.compile(regex)
        .matcher(text)
        .results()
        .map((MatchResult m) -> m.group(1))
        .toList();
  }

  private static Sample sample(int second) {
    return new Sample(second, "lcs", "load", 1000, 2, 3, 4, Map.of());
  }

  private static BlockResult block() {
    Histogram micros = new Histogram(3);
    micros.recordValue(900);
    return new BlockResult(
        "lcs",
        "read",
        0,
        1,
        0,
        1,
        Map.of("read", LatencySummary.of(micros)),
        new NodeCost(1, 0, 0, 0, 0, 1, 0, Map.of(), 1));
  }

  private static Progress recording(List<String> passed) {
    return new Progress() {
      @Override
      public void say(String line) {
        passed.add(line);
      }

      @Override
      public LongConsumer step(String label, long total) {
        passed.add(label + " of " + total);
        return done -> passed.add(String.valueOf(done));
      }
    };
  }
}
