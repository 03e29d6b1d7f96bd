package io.counterpart.cache.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.protocol.MemcachedProcess;
import io.counterpart.cache.proxy.Access;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Stale objects on a tier without a code, compared with a memcached beside it. */
@Timeout(120)
class UncodedLikeMemcachedTest {
  @Test
  void a_client_that_is_not_told_of_a_stale_value_does_not_get_to_compute_it() throws Exception {
    try (MemcachedProcess memcached = MemcachedProcess.start();
        MemcachedProcess server = MemcachedProcess.start();
        CacheService service = CacheService.start(Services.options(Access.OPEN, server))) {
      String requests =
          String.join(
              "\r\n",
              "set a 7 0 1",
              "1",
              "gets a",
              "md a I T30",
              "touch a 60",
              "gats 60 a",
              "get a none",
              "gats 60 none",
              "touch none 60",
              "touch a -1",
              "get a",
              "ms b 1",
              "2",
              "md b I",
              "touch b 0",
              "gat 0 b",
              "gets b",
              "mg b v t",
              "mg b v c",
              "");

      String expected = answers(memcached.port(), requests);
      assertThat(answers(service.address().getPort(), requests)).isEqualTo(expected);
      assertThat(expected).contains("VA 1 t-1 X W\r\n2\r\n").doesNotContain("ERROR");
    }
  }

  private static String answers(int port, String requests) {
    return new String(MemcachedProcess.answers(port, requests.getBytes(ISO_8859_1)), ISO_8859_1);
  }
}
