package io.counterpart.cache.ownership;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WriteLeaseTest {
  private final List<String> written = new ArrayList<>();
  private long nowNanos = Long.MAX_VALUE - 50; // clocks may wrap
  private boolean isTierOwned = true;
  private final WriteLease lease =
      new WriteLease(() -> nowNanos, Duration.ofNanos(100), () -> isTierOwned);

  @Test
  void begins_with_the_first_mark_and_ends_by_itself() {
    assertThat(lease.isHeld()).isFalse();

    lease.renew(nowNanos - 30);
    nowNanos += 69;
    assertThat(lease.isHeld()).isTrue();
    nowNanos += 1;
    assertThat(lease.isHeld()).isFalse();
  }

  @Test
  void an_older_question_does_not_shorten_it() {
    lease.renew(nowNanos);
    lease.renew(nowNanos - 60);

    nowNanos += 99;
    assertThat(lease.isValid()).isTrue();
  }

  @Test
  void writes_that_waited_leave_first_and_in_order() {
    lease.await(
        () -> {
          written.add("first");
          assertThat(lease.isHeld()).as("while others wait").isFalse();
          lease.await(() -> written.add("third"));
        });
    lease.await(() -> written.add("second"));

    lease.renew(nowNanos - 100);
    lease.advance();
    assertThat(written).as("the question is as old as the lease").isEmpty();
    lease.renew(nowNanos);
    lease.advance();
    assertThat(written).containsExactly("first", "second", "third");
    assertThat(lease.isHeld()).isTrue();
  }

  @Test
  void nothing_leaves_while_the_tier_may_be_anothers() {
    isTierOwned = false;
    lease.renew(nowNanos);
    lease.await(() -> written.add("write"));

    lease.advance();

    assertThat(lease.isValid()).isTrue();
    assertThat(lease.isHeld()).isFalse();
    assertThat(written).isEmpty();
    isTierOwned = true;
    lease.advance();
    assertThat(written).containsExactly("write");
  }

  @Test
  void what_waits_for_a_lost_server_is_told_at_once() {
    lease.await(() -> written.add("first"));
    lease.await(() -> written.add("second"));

    lease.giveUp();

    assertThat(written).containsExactly("first", "second");
    lease.renew(nowNanos);
    assertThat(lease.isHeld()).isTrue();
  }
}
