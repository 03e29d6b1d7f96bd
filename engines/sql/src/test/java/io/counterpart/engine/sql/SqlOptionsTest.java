package io.counterpart.engine.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlOptionsTest {
  private static final String URL = "jdbc:mariadb://db.example:3306/";

  private static Map<String, String> options(String... more) {
    Map<String, String> options = new HashMap<>(Map.of("url", URL));
    for (int i = 0; i < more.length; i += 2) {
      options.put(more[i], more[i + 1]);
    }
    return options;
  }

  @Test
  void takes_what_it_knows_and_leaves_the_rest() {
    Map<String, String> options = options("user", "u", "connections", "3", "speed", "high");

    SqlOptions taken = SqlOptions.take(options);

    assertThat(options).containsOnlyKeys("speed");
    assertThat(taken.connections()).isEqualTo(3);
    assertThat(taken.timeoutMillis()).isEqualTo(10_000);
    assertThat(taken.retryMillis()).isEqualTo(10_000);
    assertThat(taken.durable()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "connections, 0, 1 to 256",
    "connections, many, 1 to 256",
    "timeout_ms, 10, 500 to 600000",
    "retry_ms, -1, 0 to 86400000",
    "durable, yes, true or false",
    "password_file, relative, an absolute path",
    "url, jdbc:mysql://db.example/, jdbc:mariadb://host:port/"
  })
  void refuses_what_is_illegal_with_what_is_legal(String name, String value, String legal) {
    assertThatThrownBy(() -> SqlOptions.take(options(name, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("'" + name + "'", "'" + value + "'", legal);
  }

  @Test
  void refuses_two_passwords_and_no_url() {
    assertThatThrownBy(
            () -> SqlOptions.take(options("password", "p", "password_file", "/etc/password")))
        .hasMessageContaining("exclude each other");
    assertThatThrownBy(() -> SqlOptions.take(new HashMap<>()))
        .hasMessageContaining("'url' is missing");
  }

  @Test
  void tells_no_password() {
    SqlOptions options =
        SqlOptions.take(options("url", URL + "?password=secret", "password", "secret"));

    assertThat(options.toString()).isEqualTo("SQL server db.example:3306/");
  }
}
