package io.counterpart.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContactPointTest {

  @ParameterizedTest
  @CsvSource({
    "node-1.example.org, node-1.example.org, 9042",
    "10.0.0.1:9142, 10.0.0.1, 9142",
    "[fe80::1], fe80::1, 9042",
    "[::1]:1, ::1, 1"
  })
  void reads_names_and_addresses_with_and_without_a_port(String text, String host, int port) {
    assertThat(ContactPoint.parse(text)).isEqualTo(new ContactPoint(host, port));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "::1", "host:", "host:x", "[::1"})
  void refuses_what_is_no_address(String text) {
    assertThatThrownBy(() -> ContactPoint.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("contact point '%s': must be HOST, HOST:PORT or [IPv6]:PORT".formatted(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"host:0", "host:65536", "host:99999999999"})
  void refuses_a_port_that_there_is_not(String text) {
    assertThatThrownBy(() -> ContactPoint.parse(text))
        .hasMessage("contact point '%s': the port must be 1 to 65535".formatted(text));
  }

  @Test
  void prints_as_it_is_read() {
    assertThat(new ContactPoint("::1", 9042)).hasToString("[::1]:9042");
  }
}
