package io.counterpart.cache.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.control.CodedReport;
import io.counterpart.cache.protocol.MemcachedProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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

  /** Versions that know only format 1 take the note for another scheme. */
  @Test
  void metadata_of_an_earlier_version_are_noted_as_of_this_one_by_their_owner() throws Exception {
    Path scheme = metadata().resolve("scheme");
    try (CacheService owner = CacheService.start(options())) {
      Files.writeString(scheme, "echash (3,2)\n");
      CacheService.start(options("control-2")).close();
      assertThat(scheme).as("a follower leaves it").hasContent("echash (3,2)");
      store(owner);
    }

    try (CacheService next = CacheService.start(options())) {
      assertThat(scheme).hasContent("echash (3,2) records 2");
      readAll(next);
    }
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
      readAll(second);
      assertThat(metrics(second)).contains("counterpart_cache_owner 1.0");
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
}
