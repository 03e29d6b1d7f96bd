package io.counterpart.cli.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The state of a tier whose proxies answer, while nobody tells of its objects. */
class TierViewTest {
  private static final String NO_OWNER = "no proxy owns the tier now";

  @ParameterizedTest
  @ValueSource(strings = {"waiting", "owner"})
  void a_tier_whose_owner_tells_nothing_is_not_up(String role) {
    TierView view = view("5,3", role, "waiting");

    assertThat(view.allUp()).isFalse();
    assertThat(view.text()).contains(NO_OWNER);
    assertThat(view.json()).containsEntry("allUp", false);
  }

  /** Its control socket is not known here. */
  @ParameterizedTest
  @ValueSource(strings = {"follower", "counting follower"})
  void a_proxy_may_forward_to_an_owner_that_cannot_be_asked(String role) {
    TierView view = view("5,3", role, "waiting");

    assertThat(view.allUp()).isTrue();
    assertThat(view.text()).doesNotContain(NO_OWNER);
  }

  @Test
  void without_a_code_there_is_no_owner() {
    TierView view = view(null, null, null);

    assertThat(view.allUp()).isTrue();
    assertThat(view.text()).doesNotContain(NO_OWNER);
  }

  private static TierView view(@Nullable String code, @Nullable String one, @Nullable String two) {
    return new TierView(
        Path.of("home"), List.of(proxy(code, one), proxy(code, two)), List.of(), null, null);
  }

  private static ProxyView proxy(@Nullable String code, @Nullable String role) {
    return new ProxyView(
        "127.0.0.1:11211",
        "up",
        null,
        1L,
        role,
        "echash",
        code,
        false,
        false,
        0L,
        0L,
        null,
        0L,
        null);
  }
}
