package io.counterpart.cache.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The number and order of admitted requests. */
class RequestLimitTest {
  private final List<String> events = new ArrayList<>();
  private long nowNanos;

  private RequestLimit limit(int atOnce, int waiting) {
    return new RequestLimit(atOnce, waiting, 100, () -> nowNanos);
  }

  private void enter(RequestLimit limit, String name) {
    limit.enter(() -> events.add(name), () -> events.add("not " + name));
  }

  @Test
  void some_go_at_once_some_wait_and_the_rest_is_refused() {
    RequestLimit limit = limit(2, 2);
    for (String name : List.of("a", "b", "c", "d", "e")) {
      enter(limit, name);
    }
    assertThat(events).containsExactly("a", "b", "not e");

    limit.leave();
    enter(limit, "f");
    limit.leave();
    limit.leave();

    assertThat(events).containsExactly("a", "b", "not e", "c", "d", "f");
    assertThat(limit.underWay()).isEqualTo(2);
    assertThat(limit.waiting()).isZero();
  }

  @Test
  void who_has_waited_too_long_is_refused_and_the_next_one_goes() {
    RequestLimit limit = limit(1, 10);
    enter(limit, "a");
    enter(limit, "late");
    nowNanos = 101;
    enter(limit, "b");

    limit.leave();

    assertThat(events).containsExactly("a", "not late", "b");
  }

  @Test
  void requests_that_end_at_once_do_not_pile_up_on_the_stack() {
    RequestLimit limit = limit(1, 100_000);
    int[] ended = new int[1];
    enter(limit, "a");
    for (int i = 0; i < 100_000; i++) {
      limit.enter(
          () -> {
            ended[0]++;
            limit.leave();
          },
          () -> events.add("refused"));
    }

    limit.leave();

    assertThat(ended[0]).isEqualTo(100_000);
    assertThat(events).containsExactly("a");
    assertThat(limit.underWay()).isZero();
  }
}
