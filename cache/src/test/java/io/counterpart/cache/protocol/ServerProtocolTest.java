package io.counterpart.cache.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cache.protocol.server.ServerRequestWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The commands to servers, letter by letter. */
class ServerProtocolTest {

  @Test
  void commands_have_the_flags_in_the_order_of_the_calls() {
    Key key = Key.of("key");

    assertThat(written(w -> w.get(key).value().cas().end())).isEqualTo("mg key v c\r\n");
    assertThat(written(w -> w.get(key).clientFlags().size().ttl().end()))
        .isEqualTo("mg key f s t\r\n");
    assertThat(written(w -> w.set(key, 2).flags(-1).exptime(30).cas().end(bytes("ab"))))
        .isEqualTo("ms key 2 F4294967295 T30 c\r\nab\r\n");
    assertThat(written(w -> w.set(key, 0).mode(StoreMode.APPEND).compareCas(-1).end(bytes(""))))
        .isEqualTo("ms key 0 MA C18446744073709551615\r\n\r\n");
    assertThat(written(w -> w.set(key, 1).mode(StoreMode.ADD).end(bytes("1"))))
        .isEqualTo("ms key 1 ME\r\n1\r\n");
    assertThat(written(w -> w.delete(key).compareCas(5).end())).isEqualTo("md key C5\r\n");
    assertThat(written(w -> w.arithmetic(key).decrement().delta(10).initial(3, 60).value().end()))
        .isEqualTo("ma key MD D10 J3 N60 v\r\n");
    assertThat(written(w -> w.stats())).isEqualTo("stats\r\n");
    assertThat(written(w -> w.stats("slabs"))).isEqualTo("stats slabs\r\n");
    assertThat(written(w -> w.operator("lru mode flat"))).isEqualTo("lru mode flat\r\n");
    assertThat(written(w -> w.flushAll(0))).isEqualTo("flush_all\r\n");
  }

  @Test
  void a_key_that_no_line_can_hold_goes_as_base64() {
    Key key = Key.of(new byte[] {0, 0x1f, 0x63});

    assertThat(written(w -> w.get(key).value().end())).isEqualTo("mg AB9j b v\r\n");
    assertThat(written(w -> w.set(key, 1).end(bytes("1")))).isEqualTo("ms AB9j 1 b\r\n1\r\n");
  }

  @Test
  void what_servers_would_refuse_is_refused_before_anything_is_written() {
    ByteBuf out = Unpooled.buffer();
    ServerRequestWriter writer = new ServerRequestWriter(out);

    assertThatThrownBy(() -> writer.get(Key.of(new byte[189]))).hasMessageContaining("252 bytes");
    assertThatThrownBy(() -> writer.set(Key.of("k"), -1)).hasMessageContaining("-1");
    assertThatThrownBy(writer::value).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(writer::end).isInstanceOf(IllegalStateException.class);
    assertThat(out.readableBytes()).isZero();

    writer.set(Key.of("k"), 3);
    assertThatThrownBy(writer::end).hasMessageContaining("3 bytes");
    assertThatThrownBy(() -> writer.end(bytes("ab"))).hasMessageContaining("2 bytes");
    assertThatThrownBy(() -> writer.flushAll(0)).hasMessageContaining("not ended");
    assertThatThrownBy(() -> writer.get(Key.of("k"))).hasMessageContaining("not ended");
    assertThatThrownBy(() -> writer.exptime(-1)).hasMessageContaining("-1");
    writer.end(bytes("abc"));
    assertThat(out.toString(ISO_8859_1)).isEqualTo("ms k 3\r\nabc\r\n");
  }

  @Test
  void numbers_have_no_digit_too_many_or_few() {
    for (long number : new long[] {0, 9, 10, 99, 100, Long.MAX_VALUE, Long.MIN_VALUE, -1}) {
      ByteBuf out = Unpooled.buffer();
      Ascii.unsigned(out, number);
      assertThat(out.toString(ISO_8859_1)).isEqualTo(Long.toUnsignedString(number));
    }
    for (long power = 1; power < Long.MAX_VALUE / 10; power *= 10) {
      ByteBuf out = Unpooled.buffer();
      Ascii.unsigned(out, power);
      Ascii.signed(out, -power);
      assertThat(out.toString(ISO_8859_1)).isEqualTo(power + "" + -power);
    }
  }

  private static String written(Consumer<ServerRequestWriter> commands) {
    ByteBuf out = Unpooled.buffer();
    commands.accept(new ServerRequestWriter(out));
    return out.toString(ISO_8859_1);
  }

  private static ByteBuf bytes(String text) {
    return Unpooled.copiedBuffer(text, ISO_8859_1);
  }
}
