package io.counterpart.cache.coded.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class WaitMessagesTest {
  private final WaitMessages messages = new WaitMessages();

  @Test
  void servers_out_of_reach_are_named_once() {
    assertThat(messages.next("items stay", List.of("a:1", "b:2")))
        .contains("items stay; not usable now: a:1, b:2");
    assertThat(messages.next("items stay", List.of("a:1", "b:2"))).isEmpty();
    assertThat(messages.next("items stay", List.of("b:2")))
        .contains("items stay; not usable now: b:2");
  }

  @Test
  void the_next_wait_for_the_same_servers_is_told_again() {
    messages.next("items stay", List.of("a:1"));
    messages.end();

    assertThat(messages.next("items stay", List.of("a:1"))).isPresent();
  }

  @Test
  void a_wait_without_such_servers_is_told_too() {
    assertThat(messages.next("items stay", List.of())).contains("items stay");
  }
}
