package io.counterpart.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NodeLoadTest {
  @Test
  void average_is_of_what_cassandra_prints() {
    assertThat(NodeLoad.average(List.of("1.5 GiB", "512 MiB"))).hasValue(1L << 30);
    assertThat(NodeLoad.average(List.of("312 bytes", "1 KiB"))).hasValue(668);
  }

  @Test
  void what_cannot_be_read_does_not_count() {
    assertThat(NodeLoad.average(List.of("1,5 GiB", "?", "1.2.3 MiB"))).isEmpty();
    assertThat(NodeLoad.average(List.of("1,5 GiB", "2 MiB"))).hasValue(2L << 20);
    assertThat(NodeLoad.average(List.of())).isEmpty();
  }
}
