package io.counterpart.cassandra.cold;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LoneNodeTest {
  private final AtomicBoolean knowsNoOther = new AtomicBoolean(true);
  private final AtomicLong nanoTime = new AtomicLong(Long.MAX_VALUE - 10);
  private final LoneNode node = new LoneNode(knowsNoOther::get, 30, nanoTime::get);

  @Test
  void a_node_is_alone_once_it_has_known_of_no_other_for_a_while() {
    assertThat(isCertainAfter(0)).isFalse();
    assertThat(isCertainAfter(29)).isFalse();
    assertThat(isCertainAfter(1)).isTrue();
  }

  @Test
  void a_node_that_hears_of_another_is_not_alone_and_waits_anew_when_that_is_gone() {
    assertThat(isCertainAfter(0)).isFalse();
    knowsNoOther.set(false);
    assertThat(isCertainAfter(40)).isFalse();

    knowsNoOther.set(true);
    assertThat(isCertainAfter(20)).isFalse();
    assertThat(isCertainAfter(29)).isFalse();
    assertThat(isCertainAfter(1)).isTrue();
  }

  private boolean isCertainAfter(long nanos) {
    nanoTime.addAndGet(nanos);
    return node.isCertain();
  }
}
