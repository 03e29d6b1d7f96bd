package io.counterpart.lab.workload.value;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ValueKindTest {
  private static final int CHUNK_BYTES = 16 << 10;
  private static final int VALUE_BYTES = 1000;

  @ParameterizedTest
  @EnumSource(ValueKind.class)
  void fills_every_length_with_the_same_bytes_again(ValueKind kind) {
    for (int length = 8; length <= 2000; length += 8) {
      ByteBuffer value = ByteBuffer.allocate(length);
      kind.fill(value, 7);
      ByteBuffer again = ByteBuffer.allocate(length);
      kind.fill(again, 7);

      assertThat(value.hasRemaining()).isFalse();
      assertThat(again.array()).isEqualTo(value.array());
    }
  }

  /** Deflate lies between LZ4 and Zstd here. */
  @ParameterizedTest(name = "{0}: {1} to {2} of a chunk are left")
  @CsvSource({"RANDOM, 0.99, 1.01", "JSON, 0.25, 0.45", "TEXT, 0.25, 0.5"})
  void compresses_as_it_should(ValueKind kind, double least, double most) {
    ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
    for (int row = 0; chunk.remaining() >= VALUE_BYTES; row++) {
      kind.fill(chunk.duplicate().limit(chunk.position() + VALUE_BYTES).slice(), Mix.mix(row));
      chunk.position(chunk.position() + VALUE_BYTES);
    }
    Deflater deflater = new Deflater();
    try {
      deflater.setInput(chunk.array(), 0, chunk.position());
      deflater.finish();
      int left = deflater.deflate(new byte[2 * CHUNK_BYTES]);

      assertThat((double) left / chunk.position()).isBetween(least, most);
    } finally {
      deflater.end();
    }
  }

  @Test
  void json_is_records_of_fields() {
    ByteBuffer value = ByteBuffer.allocate(VALUE_BYTES);
    ValueKind.JSON.fill(value, 1);

    assertThat(new String(value.array(), US_ASCII))
        .startsWith("{\"order_id\":")
        .contains("\"status\":\"", "\"items\":[{\"sku\":", "\"comment\":\"");
  }

  @Test
  void names_the_legal_kinds() {
    assertThat(ValueKind.of("json")).isEqualTo(ValueKind.JSON);
    assertThatThrownBy(() -> ValueKind.of("xml"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("value kind xml: must be one of [random, json, text]");
  }
}
