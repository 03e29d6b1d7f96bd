package io.counterpart.cache.ownership;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WriteLeaseTest {
  private final List<String> written = new ArrayList<>();
  private long nowNanos = Long.MAX_VALUE - 50; // clocks may wrap
  private final WriteLease lease = new WriteLease(() -> nowNanos, Duration.ofNanos(100));

  @Test
  void ends_by_itself_and_is_renewed_from_the_time_of_the_question() {
    nowNanos += 99;
    assertThat(lease.isHeld()).isTrue();
    nowNanos += 1;
    assertThat(lease.isHeld()).isFalse();

    lease.renew(nowNanos - 30);
    nowNanos += 69;
    assertThat(lease.isHeld()).isTrue();
    nowNanos += 1;
    assertThat(lease.isHeld()).isFalse();
  }

  @Test
  void writes_that_waited_leave_first_and_in_order() {
    nowNanos += 200;
    lease.await(
        () -> {
          written.add("first");
          assertThat(lease.isHeld()).as("while others wait").isFalse();
          lease.await(() -> written.add("third"));
        });
    lease.await(() -> written.add("second"));

    lease.renew(nowNanos - 100);
    assertThat(written).as("the question is as old as the lease").isEmpty();
    lease.renew(nowNanos);
    assertThat(written).containsExactly("first", "second", "third");
    assertThat(lease.isHeld()).isTrue();
  }
}
