package io.counterpart.core.engine.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LoadTest {
  @Test
  void negative_rates_are_refused_with_their_value() {
    assertThatThrownBy(() -> new Load(-1, 0, 0, 0, 0, 0.1))
        .hasMessageContaining("-1.0 reads")
        .hasMessageContaining("legal: none negative");
  }

  @Test
  void reads_of_unknown_time_count_as_from_memory() {
    assertThat(new Load(1, 1, 0, 0, 2, Double.NaN).limit()).isEqualTo(Limit.TIME);
    assertThat(new Load(1, 1, 0, 0, 2, 0.15).limit()).isEqualTo(Limit.DISK);
    assertThat(new Load(0, 0, 0, 0, 0, Double.NaN).readShare()).isZero();
  }
}
