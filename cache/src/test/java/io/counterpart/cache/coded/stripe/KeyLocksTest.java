package io.counterpart.cache.coded.stripe;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.protocol.Key;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyLocksTest {
  private static final Key KEY = Key.of("k");

  private final KeyLocks locks = new KeyLocks();
  private final List<String> events = new ArrayList<>();

  @Test
  void changes_of_a_key_happen_in_their_order() {
    locks.lock(KEY, () -> events.add("first"));
    locks.lock(KEY, () -> events.add("second"));
    locks.lock(Key.of("other"), () -> events.add("other"));
    assertThat(events).containsExactly("first", "other");
    assertThat(locks.isLocked(KEY)).isTrue();

    locks.unlock(KEY);

    assertThat(events).containsExactly("first", "other", "second");
    locks.unlock(KEY);
    assertThat(locks.isLocked(KEY)).isFalse();
  }

  @Test
  void a_pause_waits_for_what_was_there_before_and_holds_back_the_rest() {
    locks.lock(KEY, () -> events.add("before"));
    locks.lock(KEY, () -> events.add("waiting"));
    locks.pause(() -> events.add("idle"));
    locks.lock(KEY, () -> events.add("after"));

    locks.unlock(KEY);
    locks.unlock(KEY);

    assertThat(events).containsExactly("before", "waiting", "idle");
    locks.resume();
    assertThat(events).endsWith("after");
  }

  @Test
  void a_pause_begins_behind_what_an_earlier_one_holds_back_and_before_the_rest() {
    locks.pause(() -> events.add("first idle"));
    locks.lock(KEY, () -> events.add("between"));
    locks.pause(() -> events.add("second idle"));
    assertThat(locks.hasHeldMore()).isFalse();
    locks.lock(KEY, () -> events.add("behind"));
    locks.pause(() -> events.add("third idle"));

    locks.resume();
    assertThat(events).containsExactly("first idle", "between");
    locks.unlock(KEY);
    assertThat(events).containsExactly("first idle", "between", "second idle");
    locks.resume();
    locks.unlock(KEY);

    assertThat(events)
        .containsExactly("first idle", "between", "second idle", "behind", "third idle");
  }

  /** The end of a change may let a client send more at once. */
  @Test
  void what_a_held_change_brings_comes_after_the_others_that_were_held() {
    locks.pause(() -> {});
    locks.lock(
        Key.of("other"),
        () -> {
          locks.unlock(Key.of("other"));
          locks.lock(KEY, () -> events.add("new"));
        });
    locks.lock(KEY, () -> events.add("held"));

    locks.resume();
    locks.unlock(KEY);

    assertThat(events).containsExactly("held", "new");
  }

  @Test
  void a_pause_asked_for_meanwhile_does_not_count_as_one_before_what_came() {
    locks.pause(() -> {});
    locks.lock(
        KEY,
        () -> {
          locks.unlock(KEY);
          locks.lock(Key.of("other"), () -> events.add("other"));
          assertThat(locks.hasHeldMore()).isTrue();
        });
    locks.pause(() -> events.add("idle"));
    assertThat(locks.hasHeldMore()).isFalse();

    locks.resume();

    assertThat(events).containsExactly("idle");
    locks.resume();
    assertThat(events).containsExactly("idle", "other");
  }

  /** Else a change could join one that came before a pause, and run before that. */
  @Test
  void it_counts_as_paused_until_all_that_was_held_is_in() {
    locks.pause(() -> {});
    locks.lock(KEY, () -> events.add("paused: " + locks.isPaused()));

    locks.resume();

    assertThat(events).containsExactly("paused: true");
    assertThat(locks.isPaused()).isFalse();
  }

  @Test
  void a_pause_asked_for_by_a_change_that_ends_at_once_begins() {
    locks.lock(
        KEY,
        () -> {
          locks.unlock(KEY);
          locks.pause(() -> events.add("idle"));
        });

    assertThat(events).containsExactly("idle");
  }

  @Test
  void a_move_does_not_keep_readers_waiting_a_change_behind_it_does() {
    locks.lockToMove(KEY, () -> events.add("moving"));
    assertThat(locks.isLocked(KEY)).isFalse();

    locks.lock(KEY, () -> events.add("change"));

    assertThat(locks.isLocked(KEY)).isTrue();
    locks.unlock(KEY);
    assertThat(events).containsExactly("moving", "change");
  }
}
