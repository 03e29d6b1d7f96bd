package io.counterpart.engine.sql;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.engine.StoreException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OutageTest {
  private long now = Long.MAX_VALUE - 5;
  private final Outage outage = new Outage("the server", TimeUnit.SECONDS.toNanos(20), () -> now);

  @Test
  void lets_one_reader_try_after_a_second_and_all_once_it_is_over() {
    outage.enter();
    outage.begin("refused");
    assertThatThrownBy(outage::enter)
        .isInstanceOf(StoreException.class)
        .hasMessage("the server cannot be reached: refused");

    now += TimeUnit.SECONDS.toNanos(1);
    assertThatCode(outage::enter).doesNotThrowAnyException();
    assertThatThrownBy(outage::enter).isInstanceOf(StoreException.class);

    outage.end();
    assertThatCode(outage::enter).doesNotThrowAnyException();
    assertThatCode(outage::enter).doesNotThrowAnyException();
  }

  @Test
  void another_reader_tries_if_the_first_never_tells() {
    outage.begin("refused");
    now += TimeUnit.SECONDS.toNanos(1);
    outage.enter();

    now += TimeUnit.SECONDS.toNanos(20);

    assertThatCode(outage::enter).doesNotThrowAnyException();
  }
}
