package io.counterpart.cache.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.backend.ConnectionSecurity;
import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.control.CodedReport;
import io.counterpart.cache.protocol.MemcachedProcess;
import io.counterpart.cache.proxy.Access;
import io.counterpart.cache.proxy.MemoryLimits;
import io.counterpart.cache.service.peer.PeerOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A proxy with a code as a whole, on real memcached servers. */
@Timeout(120)
class CodedServiceTest extends CodedServiceFixture {
  @Test
  void objects_outlive_a_server_and_the_proxy_and_metrics_tell_of_it() throws Exception {
    try (CacheService service = CacheService.start(options())) {
      store(service);
      servers.get(0).close();
      readAll(service);

      CodedReport coded = report().coded();
      assertThat(coded.objects()).isEqualTo(OBJECTS);
      assertThat(coded.degradedReads()).isPositive();
      assertThat(coded.ringsUp()).isEqualTo(2);
      assertThat(coded.indexBytes()).isPositive();
      assertThat(coded.logBytes()).isPositive();
      String metrics = metrics(service);
      assertThat(metrics)
          .contains(
              "counterpart_cache_rings{state=\"up\"} 2.0",
              "counterpart_cache_rings{state=\"down\"} 1.0",
              "counterpart_cache_servers{state=\"up\"} 3.0",
              "counterpart_cache_servers{state=\"down\"} 1.0",
              "counterpart_cache_server_up{server=\"%s\"} 0.0".formatted(address(0)),
              "counterpart_cache_objects " + (double) OBJECTS,
              "counterpart_cache_lost_objects_total 0.0",
              "counterpart_cache_emptied_stripes_total 0.0",
              "counterpart_cache_emptied_stripes_objects_total 0.0",
              "counterpart_cache_reaped_objects_total 0.0",
              "counterpart_cache_degraded_reads_total{result=\"failed\"} 0.0",
              "counterpart_cache_stripes_left{work=\"move\"} 0.0")
          // it may have been reached once more while it ended
          .containsPattern(
              "counterpart_cache_server_losses_total\\{server=\"%s\"} [1-9]".formatted(address(0)))
          .containsPattern("counterpart_cache_degraded_reads_total\\{result=\"decoded\"} [1-9]")
          .containsPattern("counterpart_cache_stripes\\{state=\"open\"} [1-9]")
          .containsPattern("counterpart_cache_slots [1-9]")
          .containsPattern("counterpart_cache_journal_bytes [1-9]")
          .containsPattern("counterpart_cache_index_bytes [1-9]")
          .containsPattern("counterpart_cache_metadata_log_bytes [1-9]");
    }

    try (CacheService next = CacheService.start(options())) {
      readAll(next);
      assertThat(report().coded().objects()).isEqualTo(OBJECTS);
      servers.set(0, MemcachedProcess.start(servers.get(0).port(), "-I", "2m", "-M", "-m", "64"));
      await()
          .atMost(Duration.ofSeconds(40))
          .until(() -> report().coded().ringsUp() == 3 && restored(report()));
      assertThat(report().coded().restoredObjects()).isPositive();
      servers.get(1).close();
      readAll(next);
    }
  }

  @Test
  void metadata_of_another_code_or_scheme_are_refused() throws Exception {
    CacheService.start(options()).close();
    ServiceOptions other =
        options(new SchemeOptions(Scheme.ECHASH, new CodeShape(4, 2), metadata()));

    assertThatThrownBy(() -> CacheService.start(other))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(
            "%s has the metadata of a tier with scheme echash (3,2), not echash (4,2)"
                .formatted(metadata()));
    assertThatThrownBy(() -> TierMetadata.check(metadata(), SchemeOptions.VANILLA))
        .hasMessageContaining("scheme echash (3,2), not vanilla");
  }

  /** The number of shards decides where every key is. */
  @Test
  void metadata_of_another_number_of_shards_are_refused() throws Exception {
    SchemeOptions one = new SchemeOptions(Scheme.ECHASH, CODE, metadata());
    Path sharded = directory.resolve("sharded");
    Path single = directory.resolve("single");
    TierMetadata.claim(sharded, one.sharded(2));
    TierMetadata.claim(single, one.sharded(1));
    assertThat(sharded.resolve("scheme")).hasContent("echash (3,2) shards 2 records 2");
    assertThat(single.resolve("scheme")).hasContent("echash (3,2) records 2");

    TierMetadata.claim(sharded, one.sharded(2));
    TierMetadata.claim(single, one);

    assertThatThrownBy(() -> TierMetadata.claim(sharded, one))
        .hasMessageContaining(
            "%s has the metadata of a tier with scheme echash (3,2) shards 2, not echash (3,2):"
                .formatted(sharded))
        .hasMessageContaining("go on with that one");
    assertThatThrownBy(() -> TierMetadata.claim(sharded, one.sharded(3)))
        .hasMessageContaining("scheme echash (3,2) shards 2, not echash (3,2) shards 3:");
    assertThatThrownBy(() -> TierMetadata.claim(single, one.sharded(2)))
        .hasMessageContaining("scheme echash (3,2), not echash (3,2) shards 2:");
    Files.writeString(single.resolve("scheme"), "echash (3,2)\n");
    assertThatThrownBy(() -> TierMetadata.check(single, one))
        .hasMessageContaining("scheme echash (3,2) of another version, not echash (3,2):");
  }

  @Test
  void metadata_of_a_scheme_of_earlier_versions_are_refused() throws Exception {
    Files.createDirectories(metadata());
    Files.writeString(metadata().resolve("scheme"), "ccmemcached (3,2) records 2\n");

    assertThatThrownBy(() -> CacheService.start(options()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(
            "%s has the metadata of a tier with scheme ccmemcached (3,2), not echash (3,2)"
                .formatted(metadata()))
        .hasMessageContaining("this version has no such scheme; delete the directory");
  }

  @Test
  void a_second_proxy_forwards_to_the_first_and_takes_over_from_it() throws Exception {
    CacheService first = CacheService.start(options());
    try (first;
        CacheService second = CacheService.start(options("control-2"))) {
      store(second);
      readAll(first);
      assertThat(metrics(first))
          .contains("counterpart_cache_owner 1.0", "counterpart_cache_objects " + (double) OBJECTS);
      assertThat(metrics(second))
          .contains(
              "counterpart_cache_owner 0.0",
              "counterpart_cache_forwarded_total{result=\"answered\"} " + (double) OBJECTS)
          .doesNotContain("counterpart_cache_objects");

      grow();
      ask("control-2", "add " + address(4));
      assertThat(report().servers()).hasSize(5);
      assertThat(report("control-2").servers()).isEqualTo(report().servers());
      assertThatThrownBy(() -> ask("control-2", "add " + address(4)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("server %s to add, legal: once".formatted(address(4)));

      first.close();
      // at once; again if it takes longer than requests wait for an owner
      await().pollDelay(Duration.ZERO).untilAsserted(() -> readAll(second));
      // it serves a moment before it tells so
      await()
          .pollDelay(Duration.ZERO)
          .untilAsserted(() -> assertThat(metrics(second)).contains("counterpart_cache_owner 1.0"));
      assertThat(report("control-2").coded().objects()).isEqualTo(OBJECTS);
    }
    try (CacheService again = CacheService.start(options())) {
      assertThat(again.ended()).isNotDone();
      readAll(again);
    }
  }

  @Test
  void bad_options_are_refused_with_value_and_what_is_legal() {
    assertThatThrownBy(
            () -> options(new SchemeOptions(Scheme.ECHASH, new CodeShape(5, 3), metadata())))
        .hasMessage("4 servers, legal with scheme echash (5,3): 5 or more");
    assertThatThrownBy(() -> new SchemeOptions(Scheme.ECHASH, CODE, null))
        .hasMessage("scheme echash without a code or a directory for metadata, legal: with both");
    assertThatThrownBy(() -> new SchemeOptions(Scheme.VANILLA, CODE, null))
        .hasMessage("scheme vanilla with a code or a directory for metadata, legal: without");
    assertThat(Scheme.ECHASH.evicts()).isFalse();
    assertThat(Scheme.parse("echash")).isEqualTo(Scheme.ECHASH);
  }

  @Test
  void shards_are_refused_where_they_are_illegal() {
    SchemeOptions scheme = new SchemeOptions(Scheme.ECHASH, CODE, metadata());
    assertThat(scheme).hasToString("echash (3,2)");
    assertThat(scheme.sharded(16)).hasToString("echash (3,2) shards 16");
    assertThat(scheme.sharded(4).minServers()).isEqualTo(12);
    assertThat(scheme.sharded(4).adopting().evicting().shards()).isEqualTo(4);
    for (int illegal : new int[] {0, 17}) {
      assertThatThrownBy(() -> scheme.sharded(illegal))
          .hasMessage("%d shards, legal with scheme echash: 1 to 16", illegal);
    }
    assertThatThrownBy(() -> SchemeOptions.VANILLA.sharded(2))
        .hasMessage("2 shards, legal with scheme vanilla: 1 to 1");
  }

  @Test
  void several_shards_need_servers_and_memory_for_each_and_ports_to_reach_peers() {
    long leastBytes = 4 * MemoryLimits.MIN_TOTAL_BYTES;
    ServiceOptions legal = twoShards(6, leastBytes);

    assertThat(legal.memoryOfBudget()).isEqualTo(legal.memory().divided(4));
    assertThat(options().memoryOfBudget()).as("of one shard").isEqualTo(options().memory());
    assertThat(legal.with(peers(65_532, 65_534)).scheme().peers()).isNotNull();
    assertThatThrownBy(() -> twoShards(5, leastBytes))
        .hasMessage("5 servers, legal with scheme echash (3,2) shards 2: 6 or more");
    assertThatThrownBy(() -> twoShards(6, leastBytes - 1))
        .hasMessage("67108863 bytes for requests, legal in 4 parts: 67108864 and above");
    assertThatThrownBy(() -> legal.with(peers(1001, 1000)))
        .hasMessage(
            "peers 127.0.0.1:1000 and 127.0.0.1:1001 with 2 shards, legal on one host: that many"
                + " ports apart");
    assertThatThrownBy(() -> legal.with(peers(65_535)))
        .hasMessage(
            "peer 127.0.0.1:65535 with 2 shards, which take as many ports, legal: up to port"
                + " 65534");
    assertThatThrownBy(() -> twoShards(6, leastBytes, 1001).with(peers(1000)))
        .hasMessageContaining("peer 127.0.0.1:1000 with 2 shards takes ports 1000 to 1001, legal:");
    assertThat(twoShards(6, leastBytes, 1002).with(peers(1000)).scheme().shards()).isEqualTo(2);
  }

  private static PeerOptions peers(int... ports) {
    List<ServerAddress> all =
        IntStream.of(ports).mapToObj(port -> new ServerAddress("127.0.0.1", port)).toList();
    return new PeerOptions(all.get(0), all, 1, Access.OPEN, ConnectionSecurity.NONE);
  }

  private ServiceOptions twoShards(int servers, long memoryBytes) {
    return twoShards(servers, memoryBytes, 0);
  }

  private ServiceOptions twoShards(int servers, long memoryBytes, int port) {
    return new ServiceOptions(
        new SchemeOptions(Scheme.ECHASH, CODE, metadata()).sharded(2),
        IntStream.rangeClosed(1, servers).mapToObj(i -> new ServerAddress("a", i)).toList(),
        null,
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
        Access.OPEN,
        MemoryLimits.ofTotal(memoryBytes),
        null,
        null);
  }
}
