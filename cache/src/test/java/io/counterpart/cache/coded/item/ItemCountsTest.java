package io.counterpart.cache.coded.item;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.protocol.MemcachedProcess;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The item counts of a real server. */
@Timeout(120)
class ItemCountsTest {
  @Test
  void a_server_that_was_just_started_is_unused() throws Exception {
    try (MemcachedProcess memcached = MemcachedProcess.start()) {
      assertThat(isUnused(memcached)).isTrue();
    }
  }

  @Test
  void a_server_that_had_an_item_is_used() throws Exception {
    try (MemcachedProcess memcached = MemcachedProcess.start()) {
      answer(memcached, "ms mark 2\r\nab\r\nmd mark\r\n");

      assertThat(isUnused(memcached)).isFalse();
    }
  }

  @Test
  void a_server_that_has_items_is_used_though_its_counters_begin_anew() throws Exception {
    try (MemcachedProcess memcached = MemcachedProcess.start()) {
      answer(memcached, "ms item 2\r\nab\r\nstats reset\r\n");

      assertThat(isUnused(memcached)).isFalse();
    }
  }

  @Test
  void one_that_tells_nothing_may_be_used() {
    assertThat(ItemCounts.isUnused(Map.of())).isFalse();
    assertThat(ItemCounts.isUnused(Map.of("curr_items", "0", "uptime", "3"))).isFalse();
  }

  private static boolean isUnused(MemcachedProcess memcached) {
    return ItemCounts.isUnused(
        answer(memcached, "stats\r\n")
            .lines()
            .filter(line -> line.startsWith("STAT "))
            .map(line -> line.split(" ", 3))
            .filter(words -> words.length == 3)
            .collect(Collectors.toMap(words -> words[1], words -> words[2])));
  }

  private static String answer(MemcachedProcess memcached, String request) {
    return new String(memcached.answers(request.getBytes(ISO_8859_1)), ISO_8859_1);
  }
}
