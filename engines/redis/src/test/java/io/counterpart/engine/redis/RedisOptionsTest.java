package io.counterpart.engine.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisOptionsTest {
  private static final String URL = "redis://127.0.0.1:6380";

  @TempDir Path directory;

  private static RedisOptions take(Map<String, String> options) {
    Map<String, String> all = new HashMap<>(Map.of("url", URL));
    all.putAll(options);
    return RedisOptions.take(all);
  }

  @Test
  void takes_what_it_knows_and_leaves_the_rest() {
    Map<String, String> options =
        new HashMap<>(
            Map.of("url", URL, "connections", "3", "durable", "false", "no_such", "option"));

    RedisOptions taken = RedisOptions.take(options);

    assertThat(options).containsOnlyKeys("no_such");
    assertThat(taken)
        .isEqualTo(new RedisOptions("127.0.0.1", 6380, null, null, 3, 10_000, 10_000, false));
  }

  @Test
  void a_url_without_a_port_has_the_usual_one() {
    assertThat(take(Map.of("url", "redis://[::1]")).toString()).isEqualTo("redis://::1:6379");
  }

  @ParameterizedTest
  @CsvSource({
    "connections, 0, 1..1000",
    "connections, many, 1..1000",
    "timeout_ms, 9, 10..600000",
    "retry_ms, -1, 0..86400000",
    "durable, maybe, 'true, false'",
    "password_file, relative/path, absolute",
    "url, http://127.0.0.1:6379, redis://host:port",
    "url, redis://127.0.0.1:6379/3, redis://host:port",
    "url, 127.0.0.1:6379, redis://host:port",
    "url, redis://, redis://host:port",
  })
  void refuses_a_bad_value_with_what_is_legal(String option, String value, String legal) {
    assertThatThrownBy(() -> take(Map.of(option, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(option)
        .hasMessageContaining(value)
        .hasMessageContaining(legal);
  }

  @Test
  void needs_a_url_and_one_password_at_most() {
    assertThatThrownBy(() -> RedisOptions.take(new HashMap<>())).hasMessageContaining("url");
    assertThatThrownBy(() -> take(Map.of("password", "a", "password_file", "/b")))
        .hasMessageContaining("exclude");
  }

  @Test
  void shows_no_password() throws Exception {
    assertThat(take(Map.of("password", "secret")).toString()).isEqualTo(URL);
    assertThatThrownBy(() -> take(Map.of("url", "redis://me:secret@127.0.0.1:6379")))
        .hasMessageNotContaining("secret");

    Path file = Files.writeString(directory.resolve("password"), "from the file\n");
    assertThat(take(Map.of("password_file", file.toString())).secret()).isEqualTo("from the file");
  }
}
