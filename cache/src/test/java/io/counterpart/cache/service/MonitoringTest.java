package io.counterpart.cache.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.protocol.MemcachedProcess;
import io.counterpart.cache.proxy.Access;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The statistics that monitoring tools read, for the whole tier. */
@Timeout(120)
class MonitoringTest extends CodedServiceFixture {
  private static final int COLLECTD_BUFFER_BYTES = 4096;

  /** Fields of Datadog's check, collectd's plugin and memcached_exporter. */
  private static final String[] READ =
      """
      pid uptime time version libevent pointer_size rusage_user rusage_system
      curr_items total_items bytes limit_maxbytes evictions reclaimed
      curr_connections total_connections max_connections connection_structures threads
      cmd_get cmd_set cmd_flush cmd_touch get_hits get_misses delete_hits delete_misses
      incr_hits incr_misses decr_hits decr_misses cas_hits cas_misses cas_badval
      touch_hits touch_misses bytes_read bytes_written listen_disabled_num accepting_conns
      conn_yields rejected_connections store_too_large store_no_memory direct_reclaims
      lru_crawler_starts crawler_reclaimed crawler_items_checked
      moves_to_cold moves_to_warm moves_within_lru unexpected_napi_ids round_robin_fallback
      """
          .strip()
          .split("\\s+");

  @Test
  void every_name_is_there_in_one_buffer() throws Exception {
    try (CacheService service = CacheService.start(options())) {
      // an answer lacks what servers are late with
      await()
          .untilAsserted(
              () -> {
                String answer = ask(service.address().getPort(), "stats");
                assertThat(answer)
                    .hasSizeLessThan(COLLECTD_BUFFER_BYTES * 3 / 4)
                    .endsWith("END\r\n");
                assertThat(read(answer)).containsKeys(READ);
                assertThat(read(answer).get("rusage_user")).matches("\\d+\\.\\d{6}");
              });
      await()
          .untilAsserted(
              () ->
                  assertThat(read(ask(service.address().getPort(), "stats settings")))
                      .containsEntry("tcpport", Integer.toString(service.address().getPort()))
                      .containsEntry("inter", "127.0.0.1")
                      .containsEntry("item_size_max", "1048576")
                      .containsEntry("verbosity", "0")
                      .containsEntry("num_threads", "1")
                      .containsEntry("maxbytes", Long.toString(4L * 64 << 20))
                      .containsKeys(
                          "maxconns", "cas_enabled", "flush_enabled", "auth_enabled_ascii"));
      assertThat(ask(service.address().getPort(), "stats conns"))
          .containsPattern("STAT 0:addr tcp:127.0.0.1:\\d+\r\n")
          .contains("STAT 0:listen_addr tcp:127.0.0.1:" + service.address().getPort());
    }
  }

  @Test
  void figures_are_those_of_all_servers_whichever_proxy_is_asked() throws Exception {
    try (CacheService owner = CacheService.start(options());
        CacheService follower = CacheService.start(options("control-2"))) {
      store(owner);
      MemcachedProcess.answers(
          owner.address().getPort(), "delete k0\r\ndelete k1\r\n".getBytes(ISO_8859_1));

      for (CacheService asked : new CacheService[] {owner, follower}) {
        await().untilAsserted(() -> checkFigures(asked));
      }
      assertThat(read(ask(owner.address().getPort(), "stats")))
          .containsEntry("cmd_set", Integer.toString(OBJECTS))
          .containsEntry("total_items", Integer.toString(OBJECTS))
          .containsEntry("delete_hits", "2");
    }
  }

  @Test
  void slab_classes_are_the_sums_of_those_of_all_servers() throws Exception {
    try (CacheService owner = CacheService.start(options());
        CacheService follower = CacheService.start(options("control-2"))) {
      store(owner);

      for (CacheService asked : new CacheService[] {owner, follower}) {
        await().untilAsserted(() -> checkSlabs(asked));
      }
    }
  }

  private void checkSlabs(CacheService asked) {
    Map<String, String> slabs = read(ask(asked.address().getPort(), "stats slabs"));
    Map<String, String> items = read(ask(asked.address().getPort(), "stats items"));

    assertThat(slabs)
        .containsEntry("total_malloced", Long.toString(sum("stats slabs", "total_malloced")));
    long[] classes = {0};
    slabs.forEach(
        (name, value) -> {
          if (name.endsWith(":chunk_size")) {
            classes[0]++;
            String slabClass = name.substring(0, name.indexOf(':'));
            // an exporter takes a class without these for an error
            assertThat(slabs)
                .containsKeys(slabClass + ":cmd_set", slabClass + ":cas_hits")
                .containsKeys(slabClass + ":cas_badval", slabClass + ":chunks_per_page");
            String used = slabClass + ":used_chunks";
            assertThat(slabs).containsEntry(used, Long.toString(sum("stats slabs", used)));
            String number = "items:" + slabClass + ":number";
            assertThat(items.getOrDefault(number, "0"))
                .isEqualTo(Long.toString(sum("stats items", number)));
            assertThat(Long.parseLong(value)).isBetween(96L, 1L << 20);
          }
        });
    assertThat(slabs).containsEntry("active_slabs", Long.toString(classes[0]));
    assertThat(classes[0]).isPositive();
  }

  @Test
  void of_a_tier_without_a_code_objects_are_the_servers_items() throws Exception {
    ServiceOptions vanilla =
        Services.options(Access.OPEN, servers.get(0), servers.get(1), servers.get(2));
    try (CacheService service = CacheService.start(vanilla)) {
      store(service);

      await()
          .untilAsserted(
              () ->
                  assertThat(read(ask(service.address().getPort(), "stats")))
                      .containsKeys(READ)
                      .containsEntry("curr_items", Integer.toString(OBJECTS))
                      .containsEntry("limit_maxbytes", Long.toString(3L * 64 << 20)));

      servers.get(2).close();
      await()
          .untilAsserted(
              () ->
                  assertThat(read(ask(service.address().getPort(), "stats")))
                      .containsEntry("servers", "2")
                      .containsEntry("limit_maxbytes", Long.toString(2L * 64 << 20)));

      servers.get(0).close();
      servers.get(1).close();
      await()
          .untilAsserted(
              () ->
                  assertThat(read(ask(service.address().getPort(), "stats")))
                      .containsKeys("cmd_get", "get_hits")
                      .doesNotContainKeys("servers", "limit_maxbytes", "bytes", "curr_items"));
    }
  }

  /** Compares figures; background work may run between two looks at the servers. */
  private void checkFigures(CacheService asked) {
    Map<String, String> told = read(ask(asked.address().getPort(), "stats"));

    assertThat(told)
        .containsEntry("curr_items", Integer.toString(OBJECTS - 2))
        .containsEntry("limit_maxbytes", Long.toString(4L * 64 << 20))
        .containsEntry("bytes", Long.toString(sum("stats", "bytes")))
        .containsEntry("evictions", "0")
        .containsEntry("servers", "4");
    assertThat(Long.parseLong(told.get("bytes"))).isPositive();
  }

  /** A sum over all servers. */
  private long sum(String command, String name) {
    long[] sum = {0};
    BiConsumer<String, String> add =
        (found, value) -> sum[0] += found.equals(name) ? Long.parseLong(value) : 0;
    servers.forEach(server -> read(ask(server.port(), command)).forEach(add));
    return sum[0];
  }

  private static String ask(int port, String command) {
    return new String(
        MemcachedProcess.answers(port, (command + "\r\n").getBytes(ISO_8859_1)), ISO_8859_1);
  }

  private static Map<String, String> read(String answer) {
    Map<String, String> read = new LinkedHashMap<>();
    answer
        .lines()
        .filter(line -> line.startsWith("STAT "))
        .map(line -> line.split(" ", 3))
        .forEach(words -> assertThat(read.put(words[1], words[2])).as(words[1]).isNull());
    return read;
  }
}
