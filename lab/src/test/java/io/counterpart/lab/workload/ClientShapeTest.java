package io.counterpart.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.lab.workload.value.ValueKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientShapeTest {
  @ParameterizedTest
  @ValueSource(ints = {14, 24, 1024})
  void keys_have_the_size_asked_for_and_tell_their_number(int bytes) {
    KeyNames keys = new KeyNames(bytes);
    for (int key : new int[] {0, 1, 123, Integer.MAX_VALUE}) {
      assertThat(keys.name(key)).hasSize(bytes).startsWith("user");
      assertThat(KeyNames.number(keys.name(key))).isEqualTo(key);
    }
  }

  @Test
  void names_the_value_and_the_legal_range() {
    refused(
        () -> new ClientShape(13, 1000, 0.99, 50, 0, ValueKind.RANDOM),
        "key size 13: must be 14 to 1024 bytes");
    refused(
        () -> new ClientShape(24, 1001, 0.99, 50, 0, ValueKind.RANDOM),
        "value size 1001: must be a multiple of 8, 16 to 16777216 bytes");
    refused(
        () -> new ClientShape(24, 1000, 1, 50, 0, ValueKind.RANDOM),
        "zipfian constant 1.0: must be above 0 and below 1");
    refused(
        () -> new ClientShape(24, 1000, 0.99, 0, 0, ValueKind.RANDOM),
        "threads 0: must be 1 to 4096");
    refused(
        () -> new ClientShape(24, 1000, 0.99, 50, -1, ValueKind.RANDOM),
        "rate -1: must be 1 to 10000000");
  }

  private static void refused(Runnable maker, String message) {
    assertThatThrownBy(maker::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }
}
