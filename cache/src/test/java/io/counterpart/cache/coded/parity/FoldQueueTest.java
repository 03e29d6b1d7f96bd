package io.counterpart.cache.coded.parity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FoldQueueTest {
  private static final int AT_ONCE = 64;
  private static final int MANY = 100_000;

  private final List<Integer> begun = new ArrayList<>();
  private final Map<Integer, Runnable> ends = new HashMap<>();
  private final List<Runnable> timers = new ArrayList<>();
  private final List<String> ended = new ArrayList<>();
  private final FoldQueue queue =
      new FoldQueue(
          (stripe, end) -> {
            begun.add(stripe);
            ends.put(stripe, end);
          },
          (millis, body) -> timers.add(body));

  @Test
  void request_ends_with_its_last_fold() {
    queue.fold(List.of(1, 2, 2), 100, () -> ended.add("both"));
    assertThat(begun).containsExactlyInAnyOrder(1, 2);

    end(2);
    assertThat(ended).isEmpty();
    end(1);

    assertThat(ended).containsExactly("both");
    assertThat(queue.isEmpty()).isTrue();
    timers.get(0).run();
    assertThat(ended).as("once").hasSize(1);
  }

  @Test
  void request_ends_in_time_without_a_fold_that_waits() {
    queue.fold(List.of(1, 2), 100, () -> ended.add("first"));
    end(1);

    timers.get(0).run();

    assertThat(ended).containsExactly("first");
    queue.fold(List.of(2, 3), 100, () -> ended.add("second"));
    assertThat(begun).as("2 goes on").containsOnlyOnce(2).contains(3);
    end(3);
    end(2);
    assertThat(ended).containsExactly("first", "second");
  }

  @Test
  void late_request_waits_until_all_its_folds_have_begun() {
    queue.fold(IntStream.range(0, AT_ONCE + 1).boxed().toList(), 100, () -> ended.add("all"));
    assertThat(begun).hasSize(AT_ONCE);

    timers.get(0).run();
    assertThat(ended).isEmpty();
    end(begun.get(0));

    assertThat(begun).hasSize(AT_ONCE + 1);
    assertThat(ended).containsExactly("all");
  }

  @Test
  void fold_of_one_stripe_waits_for_no_other() {
    queue.fold(IntStream.range(0, AT_ONCE + 2).boxed().toList(), 100, () -> ended.add("all"));
    int last = IntStream.range(0, AT_ONCE + 2).filter(i -> !begun.contains(i)).max().orElseThrow();

    queue.fold(last);
    assertThat(begun).hasSize(AT_ONCE + 1).endsWith(last);

    begun.stream().filter(stripe -> stripe != last).toList().forEach(this::end);
    assertThat(begun).hasSize(AT_ONCE + 2);
    end(begun.get(AT_ONCE + 1));
    assertThat(ended).isEmpty();
    end(last);
    assertThat(ended).containsExactly("all");
  }

  @Test
  void fold_after_a_write_follows_the_one_under_way() {
    queue.fold(1);
    queue.fold(1);
    queue.fold(1);
    assertThat(begun).containsExactly(1);

    end(1);
    assertThat(begun).containsExactly(1, 1);
    end(1);

    assertThat(begun).hasSize(2);
    assertThat(queue.isEmpty()).isTrue();
  }

  @Test
  void each_end_is_told() {
    queue.onFolded(() -> ended.add("fold"));

    queue.fold(List.of(1, 2), 100, () -> {});
    end(1);
    timers.get(0).run();
    end(2);

    assertThat(ended).hasSize(2);
  }

  @Test
  void folds_that_end_at_once_take_no_stack() {
    FoldQueue atOnce = new FoldQueue((stripe, end) -> end.run(), (millis, body) -> {});

    atOnce.fold(IntStream.range(0, MANY).boxed().toList(), 100, () -> ended.add("all"));
    atOnce.fold(List.of(), 100, () -> ended.add("none"));

    assertThat(ended).containsExactly("all", "none");
    assertThat(atOnce.isEmpty()).isTrue();
  }

  private void end(int stripe) {
    ends.remove(stripe).run();
  }
}
