package io.counterpart.cache.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.protocol.MemcachedProcess;
import io.counterpart.cache.proxy.Access;
import java.io.IOException;
import java.util.List;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How long objects live, with a code and without one: as long as on a memcached beside both. */
@Timeout(120)
class TimesLikeMemcachedTest extends CodedServiceFixture {
  private static String answers(int port, String... lines) {
    String requests = String.join("\r\n", lines) + "\r\n";
    return new String(MemcachedProcess.answers(port, requests.getBytes(ISO_8859_1)), ISO_8859_1);
  }

  /** Runs a check of each; its argument is a port. */
  private void onEach(IntConsumer check) throws IOException {
    try (MemcachedProcess memcached = MemcachedProcess.start();
        MemcachedProcess server = MemcachedProcess.start();
        CacheService uncoded = CacheService.start(Services.options(Access.OPEN, server));
        CacheService coded = CacheService.start(options())) {
      List.of(memcached.port(), uncoded.address().getPort(), coded.address().getPort())
          .forEach(check::accept);
    }
  }

  @Test
  void of_two_exptimes_for_a_new_number_the_later_one_counts() throws IOException {
    onEach(
        port -> {
          answers(port, "ma a N0 T60", "ma b T60 N0", "ma c N30 T900", "ma d T900 N30");

          assertThat(answers(port, "mg a t")).containsPattern("HD t(60|5\\d)");
          assertThat(answers(port, "mg b t")).startsWith("HD t-1");
          assertThat(answers(port, "mg c t")).containsPattern("HD t(900|8\\d\\d)");
          assertThat(answers(port, "mg d t")).containsPattern("HD t(30|[12]?\\d)\\b");
        });
  }

  @Test
  void a_number_is_told_with_the_time_that_it_has_got() throws IOException {
    onEach(
        port ->
            assertThat(answers(port, "set a 0 0 2", "10", "ma a T60 t"))
                .containsPattern("HD t(60|5\\d)"));
  }

  @Test
  void a_value_of_an_older_version_lives_no_longer_than_the_one_before_it() throws IOException {
    onEach(
        port -> {
          String found = answers(port, "set a 0 0 1", "1", "gets a").split("\r\n")[1];
          String version = found.split(" ")[4];

          assertThat(answers(port, "md a I T30", "mg a")).isEqualTo("HD\r\nHD X W\r\n");
          assertThat(answers(port, "ms a 1 C" + version + " I T900", "2", "ms a 1 C0 I", "3"))
              .isEqualTo("HD\r\nEX\r\n");
          assertThat(answers(port, "mg a t v")).containsPattern("VA 1 t(30|[12]?\\d) Z X\r\n2\r\n");
        });
  }
}
