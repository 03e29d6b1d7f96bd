package io.counterpart.cassandra.engine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class PacedPartitionsTest {
  private final AtomicLong nanos = new AtomicLong(7);
  private final AtomicReference<Double> memoryUsed = new AtomicReference<>(0.5);
  private final PacedPartitions<String> paced =
      new PacedPartitions<>(List.of("a", "b", "c"), "ks.t", memoryUsed::get, nanos::get);

  @Test
  void a_flush_may_take_long_while_there_is_memory() {
    nanos.addAndGet(60_000_000_000L);

    assertThat(paced).containsExactly("a", "b", "c");
  }

  @Test
  void a_flush_gives_up_a_slow_server_when_memory_is_short() {
    Iterator<String> partitions = paced.iterator();
    assertThat(partitions.next()).isEqualTo("a");
    memoryUsed.set(0.8);
    assertThat(partitions.next()).isEqualTo("b");
    nanos.addAndGet(2_500_000_000L);

    assertThatThrownBy(partitions::next)
        .isInstanceOf(SlowServerException.class)
        .hasMessageContaining("ks.t in 2500 ms");
  }
}
