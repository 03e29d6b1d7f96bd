package io.counterpart.cache.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.protocol.MemcachedProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commands on a tier with a code, which get the same answers as on a memcached beside it. */
@Timeout(120)
class LikeMemcachedTest extends CodedServiceFixture {
  private static final Pattern COUNTED =
      Pattern.compile(
          "cmd_(get|set|flush|touch|meta)|(get|delete|incr|decr|cas|touch)_(hits|misses)|cas_badval"
              + "|curr_items|bytes_read|evictions|store_(too_large|no_memory)");

  private static final int COUNTED_NAMES = 23;

  private MemcachedProcess memcached;
  private CacheService service;

  @BeforeEach
  void startBoth() throws IOException {
    memcached = MemcachedProcess.start();
    service = CacheService.start(options());
  }

  @AfterEach
  void stopBoth() {
    service.close();
    memcached.close();
  }

  private static String bytes(String... lines) {
    return String.join("\r\n", lines) + "\r\n";
  }

  private String ofTier(String requests) {
    return new String(
        MemcachedProcess.answers(service.address().getPort(), requests.getBytes(ISO_8859_1)),
        ISO_8859_1);
  }

  private String ofMemcached(String requests) {
    return new String(memcached.answers(requests.getBytes(ISO_8859_1)), ISO_8859_1);
  }

  /** The common answer of both. */
  private String both(String... lines) {
    String requests = bytes(lines);
    String expected = ofMemcached(requests);
    assertThat(ofTier(requests)).as(requests).isEqualTo(expected);
    return expected;
  }

  @Test
  void the_effects_of_a_read_come_in_the_clients_order() {
    both("set a 0 10 1", "1");
    assertThat(both("mg a T100 R30")).isEqualTo(bytes("HD"));
    assertThat(ofTier(bytes("mg a t T1000"))).containsPattern("HD t(100|9\\d)");
    assertThat(both("mg a R2592001")).isEqualTo(bytes("HD"));
    assertThat(both("mg n t N30")).isEqualTo(bytes("HD t-1 W"));
    both("mg m N30 T900");
    assertThat(ofTier(bytes("mg m t"))).containsPattern("HD t(900|89\\d)");
    assertThat(ofMemcached(bytes("mg m t"))).containsPattern("HD t(900|89\\d)");
  }

  @Test
  void each_flush_in_a_pipeline_forgets_what_came_before_it_and_nothing_else() {
    assertThat(
            both(
                "set a 0 0 1",
                "1",
                "flush_all",
                "set a 0 0 1",
                "2",
                "flush_all",
                "get a",
                "set a 0 0 1",
                "3",
                "get a",
                "flush_all",
                "flush_all",
                "add a 0 0 1",
                "4",
                "get a"))
        .isEqualTo(
            bytes(
                "STORED",
                "OK",
                "STORED",
                "OK",
                "END",
                "STORED",
                "VALUE a 0 1",
                "3",
                "END",
                "OK",
                "OK",
                "STORED",
                "VALUE a 0 1",
                "4",
                "END"));
  }

  @Test
  void a_flush_at_a_date_comes_then() {
    both("set a 0 0 1", "1", "flush_all " + (System.currentTimeMillis() / 1000 + 10), "get a");
    assertThat(ofTier(bytes("get a"))).startsWith("VALUE");
    await().atMost(Duration.ofSeconds(40)).until(() -> ofTier(bytes("get a")).equals(bytes("END")));
    await()
        .atMost(Duration.ofSeconds(40))
        .until(() -> ofMemcached(bytes("get a")).equals(bytes("END")));
  }

  @Test
  void a_flush_replaces_one_that_is_yet_to_come() {
    both("flush_all 3", "flush_all", "set a 0 0 1", "1", "get a");
    both("flush_all 2592001", "get a");
    await()
        .during(Duration.ofSeconds(4))
        .atMost(Duration.ofSeconds(40))
        .until(() -> both("get a").startsWith("VALUE"));
    assertThat(both("flush_all 1", "get a")).isEqualTo(bytes("OK", "END"));
  }

  @Test
  void a_touched_object_keeps_its_version() {
    for (int port : List.of(service.address().getPort(), memcached.port())) {
      ask(port, "set a 0 0 1", "1");
      String version = version(port);

      assertThat(ask(port, "touch a 60", "gat 90 a", "gats 30 a", "mg a T50", "mg a t"))
          .contains("TOUCHED", "VALUE a 0 1 " + version)
          .containsPattern("HD t(4\\d|50)");
      assertThat(version(port)).isEqualTo(version);
      assertThat(ask(port, "mg a R60", "mg a c")).isEqualTo(bytes("HD W", "HD c" + version + " Z"));
      assertThat(ask(port, "cas a 0 0 1 " + version, "2")).isEqualTo(bytes("STORED"));
      assertThat(version(port)).isNotEqualTo(version);
    }
  }

  /** Also for touches and writes in one pipeline, which the tier combines. */
  @Test
  void a_version_changes_with_the_value_and_only_then() {
    for (int port : List.of(service.address().getPort(), memcached.port())) {
      String[] told =
          ask(port, "ms a 1 c", "1", "touch a 9", "mg a c", "ms a 1 c", "2", "touch a 8", "mg a c")
              .split("\r\n");

      assertThat(told[2]).isEqualTo(told[0]);
      assertThat(told[5]).isEqualTo(told[3]).isNotEqualTo(told[0]);
      assertThat(version(port)).isEqualTo(told[5].substring("HD c".length()));
    }
  }

  @Test
  void a_value_that_is_declared_old_has_another_version() {
    for (int port : List.of(service.address().getPort(), memcached.port())) {
      ask(port, "set a 0 0 1", "1");
      String version = version(port);
      ask(port, "md a I T30");
      assertThat(version(port)).isNotEqualTo(version);
    }
  }

  private static String ask(int port, String... lines) {
    return new String(
        MemcachedProcess.answers(port, bytes(lines).getBytes(ISO_8859_1)), ISO_8859_1);
  }

  private static String version(int port) {
    return ask(port, "gets a").split("\r\n")[0].split(" ")[4];
  }

  @Test
  void commands_for_memory_of_slabs_are_refused_alike() {
    both(
        "cache_memlimit",
        "cache_memlimit x",
        "cache_memlimit 7",
        "lru",
        "slabs",
        "lru_crawler",
        "stats cachedump",
        "stats cachedump 1",
        "stats cachedump x y",
        "stats cachedump 64 0",
        "stats cachedump 1 0",
        "slabs reassign 1 2",
        "slabs reassign 1 x",
        "slabs reassign 1",
        "slabs automove",
        "slabs automove invalid",
        "slabs automove 9",
        "slabs automove ratio",
        "slabs automove 0",
        "stats sizes",
        "stats nothing");
    assertThat(ofTier(bytes("cache_memlimit 100")))
        .isEqualTo(bytes("MEMLIMIT_ADJUST_FAILED out of bounds or unable to adjust"));
  }

  @Test
  void commands_for_the_lru_crawler_are_refused_as_by_a_memcached_without_one() throws Exception {
    int port = MemcachedProcess.freePort();
    try (MemcachedProcess without =
        MemcachedProcess.start(port, "-o", "no_lru_crawler,no_lru_maintainer")) {
      String[] refused = {
        "lru_crawler crawl all",
        "lru_crawler crawl 1",
        "lru_crawler metadump all",
        "lru_crawler mgdump all",
        "lru_crawler crawl",
        "lru_crawler metadump",
        "lru_crawler bogus",
        "lru mode flat",
        "lru temp_ttl 5",
        "lru tune 1"
      };
      assertThat(ofTier(bytes(refused)))
          .isEqualTo(ask(without.port(), refused))
          .contains("CLIENT_ERROR lru crawler disabled");
    }
  }

  @Test
  void details_are_counted_by_prefix() {
    both("stats detail dump", "stats detail on", "set foo:123 0 0 6", "fooval");
    both("stats detail dump", "get foo:123 foo:124 bar", "gat 0 foo:123", "stats detail dump");
    both("delete foo:125", "stats detail dump", "stats reset", "stats detail dump");
    both("get foo:123", "stats detail dump", "stats detail off", "get foo:123 foo:124");
    assertThat(both("stats detail dump"))
        .isEqualTo(bytes("PREFIX foo get 1 hit 1 set 0 del 0", "END"));
  }

  @Test
  void numbers_are_read_alike() {
    for (String value :
        List.of(
            "7", " 7", "\n7", "+7", "7 x", "7\0x", "\t7\n", "7x", "\0", "\0 7", "x", "+", " ")) {
      both("set n 0 0 " + value.length(), value, "incr n 8", "decr n 1", "get n");
    }
  }

  @Test
  void commands_are_counted_alike() {
    both("set a 0 0 1", "1", "add a 0 0 1", "2", "get a b", "get a", "gat 0 a c", "touch a 0");
    both("touch b 0", "incr a 1", "decr a 1", "incr b 1", "decr b 1", "delete a", "delete a");
    both("set s 0 0 1", "x", "incr s 1", "cas s 0 0 1 1", "y", "cas none 0 0 1 1", "y", "mg s v");
    both("mg none v", "mg s T0 v", "ms m 1", "1", "ma m", "ma none", "md m", "md m", "mn");
    both("append s 0 0 1", "z", "prepend none 0 0 1", "z");
    assertCountedAlike();

    both("stats reset", "get s", "delete none");
    assertCountedAlike();
  }

  /** Asks again where the tier's servers were late, and both, since what they read is counted. */
  private void assertCountedAlike() {
    await()
        .untilAsserted(
            () -> {
              String tier = ofTier("stats\r\n");
              String expected = ofMemcached("stats\r\n");
              assertThat(counts(tier)).isEqualTo(counts(expected));
            });
  }

  /** The counts of commands and of objects. */
  private static Map<String, String> counts(String answer) {
    Map<String, String> counts = new TreeMap<>();
    answer
        .lines()
        .map(line -> line.split(" "))
        .filter(words -> words.length == 3 && COUNTED.matcher(words[1]).matches())
        .forEach(words -> counts.put(words[1], words[2]));
    assertThat(counts).hasSize(COUNTED_NAMES);
    return counts;
  }

  @Test
  void a_client_that_is_not_told_of_a_stale_value_does_not_get_to_compute_it() {
    both("set a 0 0 1", "1", "md a I T30");

    assertThat(both("touch a 60", "gat 60 a", "get a", "mg a v", "mg a v"))
        .isEqualTo(
            bytes(
                "TOUCHED",
                "VALUE a 0 1",
                "1",
                "END",
                "VALUE a 0 1",
                "1",
                "END",
                "VA 1 X W",
                "1",
                "VA 1 Z X",
                "1"));
  }
}
