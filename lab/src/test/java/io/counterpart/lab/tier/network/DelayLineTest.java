package io.counterpart.lab.tier.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class DelayLineTest {
  private static final long DELAY = 50_000;

  @Test
  void passes_pieces_on_after_the_delay_in_their_order() {
    DelayLine line = new DelayLine(DELAY, 0);
    ByteBuffer first = ByteBuffer.allocate(10);
    ByteBuffer second = ByteBuffer.allocate(10);
    line.add(first, 1000);
    line.add(second, 2000);

    assertThat(line.due(1000 + DELAY - 1)).isNull();
    assertThat(line.due(1000 + DELAY)).isSameAs(first);
    line.remove();
    assertThat(line.due(1000 + DELAY)).isNull();
    assertThat(line.due(2000 + DELAY)).isSameAs(second);
    line.remove();
    assertThat(line.isEmpty()).isTrue();
  }

  @Test
  void takes_no_more_bytes_a_second_than_the_cap() {
    // a byte a microsecond
    DelayLine line = new DelayLine(DELAY, 1_000_000);
    line.add(ByteBuffer.allocate(100), 0);
    line.add(ByteBuffer.allocate(100), 0);

    assertThat(line.due(100_000 + DELAY - 1)).isNull();
    assertThat(line.due(100_000 + DELAY)).isNotNull();
    line.remove();
    assertThat(line.due(200_000 + DELAY - 1)).isNull();
    assertThat(line.due(200_000 + DELAY)).isNotNull();
    line.remove();

    // a line that was idle owes nothing
    line.add(ByteBuffer.allocate(100), 900_000);
    assertThat(line.due(1_000_000 + DELAY)).isNotNull();
  }
}
