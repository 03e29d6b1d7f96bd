package io.counterpart.cache.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.protocol.MemcachedProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ownership of servers, with directories standing in for machines. */
@Timeout(120)
class OwnershipTest extends CodedServiceFixture {
  private static final String MARK_KEY =
      Base64.getEncoder().encodeToString(new byte[] {0, 0x1f, 'c', 'M', 0});
  private static final Pattern MARK = Pattern.compile("tier=(\\S+) epoch=(\\d+) ");

  @Test
  void an_empty_directory_takes_no_servers_of_a_tier() throws Exception {
    try (CacheService first = CacheService.start(options())) {
      store(first);
      String owner = tier(0);

      assertThatThrownBy(() -> CacheService.start(other("empty", false)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("belongs to tier " + owner)
          .hasMessageContaining("--adopt-empty");
      readAll(first);
    }

    assertThatThrownBy(() -> CacheService.start(other("another", false)))
        .hasMessageContaining("127.0.0.1:");
    try (CacheService again = CacheService.start(options())) {
      readAll(again);
      assertThat(report().coded().lostObjects()).isZero();
    }
  }

  @Test
  void who_insists_gets_the_servers_empty_and_the_owner_ends() throws Exception {
    try (CacheService first = CacheService.start(options())) {
      store(first);
      String owner = tier(0);

      try (CacheService second = CacheService.start(other("empty", true))) {
        String adopter = tier(0);
        assertThat(adopter).isNotEqualTo(owner);
        assertThatThrownBy(() -> first.ended().get(40, TimeUnit.SECONDS))
            .isInstanceOf(ExecutionException.class)
            .hasMessageContaining("tier " + adopter)
            .hasMessageContaining("tier " + owner);
        assertThat(ask(second, "get k1\r\n")).isEqualTo("END\r\n");
        store(second);
        readAll(second);
      }
    }
  }

  @Test
  void a_copy_of_the_metadata_overtakes_the_owner_who_ends() throws Exception {
    try (CacheService first = CacheService.start(options())) {
      store(first);
      copy(metadata(), directory.resolve("copy"));

      try (CacheService second = CacheService.start(other("copy", false))) {
        assertThatThrownBy(() -> first.ended().get(40, TimeUnit.SECONDS))
            .hasMessageContaining("another machine serves the tier");
        assertThat(refusedOrGone(first)).isTrue();
        readAll(second);
        assertThat(report("control-copy").coded().lostObjects()).isZero();
      }
      assertThatThrownBy(() -> CacheService.start(options()))
          .as("the metadata that were overtaken")
          .hasMessageContaining("an old copy");
    }
  }

  @Test
  void an_old_copy_is_refused_however_often_it_starts() throws Exception {
    try (CacheService first = CacheService.start(options())) {
      store(first);
    }
    copy(metadata(), directory.resolve("copy"));
    try (CacheService second = CacheService.start(other("copy", false))) {
      assertThat(ask(second, "set k1 0 0 3\r\nnew\r\n")).isEqualTo("STORED\r\n");
    }

    for (int start = 1; start <= 3; start++) {
      assertThatThrownBy(() -> CacheService.start(options()))
          .as("start %d", start)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("an old copy");
    }

    try (CacheService second = CacheService.start(other("copy", false))) {
      assertThat(ask(second, "get k1\r\n")).contains("\r\nnew\r\n");
    }
  }

  @Test
  void a_server_of_another_tier_is_not_added_and_keeps_its_mark() throws Exception {
    grow();
    String foreign =
        "counterpart tier=%s epoch=3 site=00000000000000aa whole".formatted(UUID.randomUUID());
    mark(4, foreign);
    try (CacheService service = CacheService.start(options())) {
      store(service);

      refused(IllegalStateException.class, "belongs to tier", "add " + address(4));

      assertThat(answer(4)).contains(foreign);
      readAll(service);
      answer(4, "md " + MARK_KEY + " b\r\n");
      ask("add " + address(4));
      readAll(service);
      ask("remove " + address(4));
      await("a server that was let go has no mark") // nobody waits for its farewell
          .atMost(Duration.ofSeconds(40))
          .untilAsserted(() -> assertThat(answer(4)).doesNotContain("tier="));
    }
  }

  private ServiceOptions other(String name, boolean adopts) {
    SchemeOptions scheme = new SchemeOptions(Scheme.ECHASH, CODE, directory.resolve(name));
    return options(adopts ? scheme.adopting() : scheme, "control-" + name);
  }

  private static String ask(CacheService service, String request) {
    return new String(
        MemcachedProcess.answers(service.address().getPort(), request.getBytes(ISO_8859_1)),
        ISO_8859_1);
  }

  private static boolean refusedOrGone(CacheService service) {
    String answer = ask(service, "set k1 0 0 1\r\nx\r\n");
    return answer.isEmpty() || answer.startsWith("SERVER_ERROR");
  }

  /** Id of the tier that a server's mark names. */
  private String tier(int server) {
    String mark = answer(server);
    Matcher parts = MARK.matcher(mark);
    assertThat(parts.find()).as(mark).isTrue();
    return parts.group(1);
  }

  private String answer(int server) {
    return answer(server, "mg " + MARK_KEY + " b v\r\n");
  }

  private String answer(int server, String request) {
    return new String(servers.get(server).answers(request.getBytes(ISO_8859_1)), ISO_8859_1);
  }

  private void mark(int server, String text) {
    assertThat(answer(server, "ms %s %d b\r\n%s\r\n".formatted(MARK_KEY, text.length(), text)))
        .startsWith("HD");
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.sorted().toList()) {
        Path copied = to.resolve(from.relativize(file).toString());
        if (!file.toString().endsWith(".map")) {
          Files.copy(file, copied);
        }
      }
    }
  }
}
