package io.counterpart.cache.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.testkit.random.SeededRandom;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

class KeyTest {

  @Test
  void keys_are_compared_by_content() {
    byte[] bytes = {'a', 'b'};
    Key key = Key.of(bytes);
    bytes[0] = 'x';

    assertThat(key).isEqualTo(Key.of("ab")).hasSameHashCodeAs(Key.of("ab"));
    assertThat(key).isNotEqualTo(Key.of("ac")).isNotEqualTo("ab");
    assertThat(Key.of("a\n\u00ff")).hasToString("a\\x0a\\xff");
  }

  @Test
  void a_length_that_is_none_is_refused() {
    assertThatThrownBy(() -> Key.of("")).hasMessageContaining("0 bytes; legal: 1 to 250");
    assertThatThrownBy(() -> Key.of(new byte[251])).hasMessageContaining("251 bytes");
    assertThat(Key.of(new byte[250]).lengthBytes()).isEqualTo(250);
  }

  @Test
  void only_what_a_line_can_hold_is_text() {
    assertThat(Key.of("a\t\r\u00ff").isText()).isTrue();
    assertThat(Key.of("a b").isText()).isFalse();
    assertThat(Key.of("a\n").isText()).isFalse();
    assertThat(Key.of("a\0").isText()).isFalse();
  }

  @Test
  @ExtendWith(SeededRandom.class)
  void base64_gives_every_key_back(Random random) {
    for (int length = 1; length <= Key.MAX_BYTES; length++) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      ByteBuf out = Unpooled.buffer();
      KeyBase64.write(out, Key.of(bytes));

      assertThat(out.readableBytes()).isEqualTo(KeyBase64.encodedLength(length));
      assertThat(KeyBase64.read(ByteBufUtil.getBytes(out))).isEqualTo(bytes);
    }
  }

  /** Other bytes are skipped, and so is what follows the four digits with the padding. */
  @Test
  void base64_is_read_laxly() {
    assertThat(read("Y-Q\u00e9==YWI=")).containsExactly('a');
    assertThat(read("YQ=B")).containsExactly('a', 0);
    assertThat(read("YWI")).isEmpty();
    assertThat(read("Y===")).isEmpty();
    assertThat(read("-")).isEmpty();
  }

  private static byte[] read(String text) {
    return KeyBase64.read(text.getBytes(ISO_8859_1));
  }

  @Test
  void an_exptime_is_relative_up_to_thirty_days() {
    long now = 1_700_000_000;
    assertThat(Expiry.atSeconds(0, now)).isEqualTo(Expiry.NEVER);
    assertThat(Expiry.atSeconds(-5, now)).isEqualTo(1);
    assertThat(Expiry.atSeconds(2_592_000, now)).isEqualTo(now + 2_592_000);
    assertThat(Expiry.atSeconds(2_592_001, now)).isEqualTo(2_592_001);
  }
}
