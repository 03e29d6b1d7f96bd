package io.counterpart.cassandra.consistency.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.cassandra.service.ClientWarn;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UnwarnedTest {

  @AfterEach
  void forget_warnings() {
    ClientWarn.instance.resetWarnings();
  }

  @Test
  void a_warning_of_ours_reaches_no_client_and_those_of_the_request_stay() {
    ClientWarn.instance.captureWarnings();
    ClientWarn.instance.warn("of the request");

    assertThat(Unwarned.call(() -> warned("twice"))).isEqualTo("twice");
    assertThatThrownBy(
            () ->
                Unwarned.call(
                    () -> {
                      throw new IllegalStateException("planted");
                    }))
        .hasMessage("planted");

    ClientWarn.instance.warn("of the request, later");
    assertThat(ClientWarn.instance.getWarnings())
        .containsExactly("of the request", "of the request, later");
  }

  private static String warned(String text) {
    ClientWarn.instance.warn(text);
    return text;
  }
}
