package io.counterpart.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.lab.workload.value.ValueKind;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ValueCodecTest {
  private final ValueCodec codec = new ValueCodec(42, 1000, ValueKind.RANDOM);

  @Test
  void decodes_the_version_it_encoded() {
    ByteBuffer value = codec.encode(7, 3);

    assertThat(value.remaining()).isEqualTo(1000);
    assertThat(codec.decode(7, value)).hasValue(3);
  }

  @Test
  void refuses_a_value_with_any_byte_changed() {
    for (int at = 0; at < 1000; at++) {
      ByteBuffer value = codec.encode(7, 3);
      value.put(at, (byte) (value.get(at) ^ 1));

      assertThat(codec.decode(7, value)).as("byte %d", at).isEmpty();
    }
  }

  @Test
  void refuses_another_keys_value_another_seeds_value_and_a_short_one() {
    assertThat(codec.decode(8, codec.encode(7, 3))).isEmpty();
    assertThat(codec.decode(7, new ValueCodec(43, 1000, ValueKind.RANDOM).encode(7, 3))).isEmpty();
    assertThat(codec.decode(7, codec.encode(7, 3).limit(992))).isEmpty();
  }

  @Test
  void is_the_same_in_every_run() {
    assertThat(new ValueCodec(42, 1000, ValueKind.RANDOM).encode(7, 3))
        .isEqualTo(codec.encode(7, 3));
    assertThat(codec.encode(7, 4)).isNotEqualTo(codec.encode(7, 3));
  }

  @Test
  void names_the_legal_size() {
    assertThatThrownBy(() -> new ValueCodec(1, 12, ValueKind.RANDOM))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("12")
        .hasMessageContaining("multiple of 8");
  }

  @ParameterizedTest
  @EnumSource(ValueKind.class)
  void values_of_every_kind_are_checked_byte_by_byte(ValueKind kind) {
    ValueCodec kinds = new ValueCodec(42, 1000, kind);
    assertThat(kinds.decode(7, kinds.encode(7, 3))).hasValue(3);
    assertThat(kinds.encode(7, 4)).isNotEqualTo(kinds.encode(7, 3));
    for (int at = 0; at < 1000; at++) {
      ByteBuffer value = kinds.encode(7, 3);
      value.put(at, (byte) (value.get(at) ^ 1));

      assertThat(kinds.decode(7, value)).as("byte %d", at).isEmpty();
    }
  }
}
