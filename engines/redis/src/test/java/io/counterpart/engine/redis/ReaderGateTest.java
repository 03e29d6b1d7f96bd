package io.counterpart.engine.redis;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.engine.StoreException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ReaderGateTest {
  private static final long SECOND = 1_000_000_000;

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - SECOND);
  private final ReaderGate gate = new ReaderGate("redis://here:1", 10 * SECOND, now::get);

  private void assertShut() {
    assertThatThrownBy(gate::enter)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("redis://here:1")
        .hasMessageContaining("no answer");
  }

  @Test
  void lets_everybody_through_until_a_call_was_in_vain() {
    gate.enter();
    gate.shut("no answer");
    assertShut();

    gate.open();

    gate.enter();
    gate.enter();
  }

  @Test
  void lets_one_try_after_a_second_and_the_next_when_that_one_failed_or_is_lost() {
    gate.shut("no answer");
    now.addAndGet(SECOND);
    gate.enter();
    assertShut();
    gate.shut("no answer");
    now.addAndGet(SECOND / 2);
    assertShut();
    now.addAndGet(SECOND / 2);
    gate.enter();
    now.addAndGet(9 * SECOND);
    assertShut();

    now.addAndGet(SECOND);

    gate.enter();
  }

  /** As while a server that hung is started anew. */
  @Test
  void lets_the_next_one_try_a_second_after_one_that_failed_at_once() {
    gate.shut("no answer");
    now.addAndGet(SECOND);
    gate.enter();
    gate.fail();
    assertShut();

    now.addAndGet(SECOND);

    gate.enter();
  }

  /** Writers fail more often than that. */
  @Test
  void further_failures_put_no_try_off() {
    gate.shut("no answer");
    now.addAndGet(SECOND / 2);
    gate.fail();

    now.addAndGet(SECOND / 2);

    gate.enter();
  }
}
