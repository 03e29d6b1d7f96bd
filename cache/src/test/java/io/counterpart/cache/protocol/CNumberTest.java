package io.counterpart.cache.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CNumberTest {

  private final CNumber number = new CNumber();

  @Test
  void signed_numbers_are_within_64_bits() {
    signed("0", 0);
    signed("-0", 0);
    signed("+12", 12);
    signed(" \t\u000b\f\r-12\tx", -12);
    signed("9223372036854775807", Long.MAX_VALUE);
    signed("-9223372036854775808", Long.MIN_VALUE);
    for (String none :
        new String[] {
          "",
          "-",
          "+",
          " ",
          "x",
          "1x",
          "--1",
          "- 1",
          "9223372036854775808",
          "-9223372036854775809",
          "18446744073709551616",
          "18446744073709551615",
          "99999999999999999999999"
        }) {
      assertThat(number.readSigned(none.getBytes(ISO_8859_1), 0, none.length())).as(none).isFalse();
    }
  }

  @Test
  void unsigned_numbers_wrap_at_a_minus_unless_they_are_large() {
    unsigned("18446744073709551615", -1);
    unsigned("-18446744073709551615", 1);
    unsigned("0000000000000000000000012", 12);
    for (String none :
        new String[] {"", "-1", "18446744073709551616", "18446744073709551615 -", "0x1", "1.5"}) {
      assertThat(number.readUnsigned(none.getBytes(ISO_8859_1), 0, none.length()))
          .as(none)
          .isFalse();
    }
  }

  private void signed(String text, long value) {
    assertThat(number.readSigned(text.getBytes(ISO_8859_1), 0, text.length())).as(text).isTrue();
    assertThat(number.value()).as(text).isEqualTo(value);
  }

  private void unsigned(String text, long value) {
    assertThat(number.readUnsigned(text.getBytes(ISO_8859_1), 0, text.length())).as(text).isTrue();
    assertThat(number.value()).as(text).isEqualTo(value);
  }
}
