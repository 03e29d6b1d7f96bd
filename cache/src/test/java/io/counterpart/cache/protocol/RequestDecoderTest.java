package io.counterpart.cache.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestDecoderTest {

  private final RequestDecoder decoder = new RequestDecoder();

  @Test
  void a_get_holds_its_keys_and_no_buffer() {
    ByteBuf in = bytes("gats 30 a bc\r\n");

    Request request = decoder.next(in);

    assertThat(request)
        .isEqualTo(new Request.Get(List.of(Key.of("a"), Key.of("bc")), true, true, 30));
    assertThat(in.isReadable()).isFalse();
    request.release();
    assertThat(in.refCnt()).isEqualTo(1);
  }

  @Test
  void a_value_is_a_slice_that_its_owner_releases() {
    ByteBuf in = PooledByteBufAllocator.DEFAULT.directBuffer();
    in.writeBytes(bytes("set k 7 9 5\r\nhello\r\n"));

    Request.Store store = (Request.Store) decoder.next(in);

    assertThat(store.value().toString(ISO_8859_1)).isEqualTo("hello");
    in.setByte(13, 'j');
    assertThat(store.value().toString(ISO_8859_1)).as("no copy").isEqualTo("jello");
    in.release();
    assertThat(store.value().refCnt()).isEqualTo(1);
    store.release();
    assertThat(in.refCnt()).isZero();
  }

  @Test
  void a_meta_value_is_a_slice_too() {
    ByteBuf in = bytes("ms k 2 F7 C18446744073709551615 MA\r\nab\r\n");

    Request.MetaSet set = (Request.MetaSet) decoder.next(in);

    assertThat(set.mode()).isEqualTo(StoreMode.APPEND);
    assertThat(set.flags().clientFlags()).isEqualTo(7);
    assertThat(set.flags().cas()).isEqualTo(-1);
    assertThat(in.refCnt()).isEqualTo(2);
    set.release();
    assertThat(in.refCnt()).isEqualTo(1);
  }

  @Test
  void a_value_that_is_refused_is_not_retained() {
    ByteBuf in = bytes("set k 0 0 2\r\nabxxset k 0 0 x\r\n");

    assertThat(decoder.next(in)).isEqualTo(Refusals.line(Refusals.BAD_CHUNK));
    assertThat(decoder.next(in)).isEqualTo(Refusals.line(Refusals.BAD_FORMAT));
    assertThat(in.refCnt()).isEqualTo(1);
  }

  @Test
  void too_large_a_value_is_answered_before_it_comes_and_kept_nowhere() {
    RequestDecoder small = new RequestDecoder(100);
    ByteBuf in = bytes("set k 0 0 2147483645\r\n");

    assertThat(small.next(in))
        .isEqualTo(new Request.Refused(Refusals.TOO_LARGE, false, Key.of("k")));

    byte[] piece = new byte[1 << 20];
    for (int i = 0; i < 2047; i++) {
      assertThat(small.next(in.clear().writeBytes(piece))).isNull();
      assertThat(in.isReadable()).isFalse();
    }
    in.clear().writeBytes(piece, 0, (1 << 20) - 1).writeBytes(bytes("mn\r\n"));
    assertThat(small.next(in)).isEqualTo(Request.Plain.NOOP);
  }

  @Test
  void a_value_of_the_limit_passes_and_one_more_does_not() {
    RequestDecoder small = new RequestDecoder(3);

    Request passes = small.next(bytes("set k 0 0 3\r\nabc\r\n"));
    assertThat(passes).isInstanceOf(Request.Store.class);
    assertThat(small.next(bytes("set k 0 0 4\r\nabcd\r\n"))).isInstanceOf(Request.Refused.class);
  }

  @Test
  void an_unfinished_line_is_bounded() {
    assertThat(decoder.next(bytes("x".repeat(2048)))).isNull();
    assertThat(new RequestDecoder().next(bytes("x".repeat(2049)))).isEqualTo(Refusals.CLOSE);
    assertThat(new RequestDecoder().next(bytes("x".repeat(16385) + "\r\n")))
        .isEqualTo(Refusals.CLOSE);
  }

  @Test
  void a_multiget_is_bounded() {
    ByteBuf in = Unpooled.buffer();
    in.writeBytes(bytes("get "));
    byte[] keys = "k ".repeat(512).getBytes(ISO_8859_1);
    Request request = null;
    while (request == null) {
      request = decoder.next(in.writeBytes(keys));
      assertThat(in.readableBytes()).isLessThanOrEqualTo(RequestDecoder.MAX_MULTIGET_BYTES);
    }

    assertThat(request).isEqualTo(new Request.Refused(Refusals.LINE_TOO_LONG, true, null));
    assertThat(decoder.next(in.writeBytes(keys))).isNull();
    assertThat(in.isReadable()).isFalse();
  }

  @Test
  void nothing_is_decoded_after_quit() {
    ByteBuf in = bytes("quit\r\nversion\r\n");

    assertThat(decoder.next(in)).isEqualTo(Request.Plain.QUIT);
    assertThat(decoder.next(in)).isNull();
    assertThat(in.isReadable()).isFalse();
  }

  @Test
  void the_binary_protocol_is_closed_out() {
    assertThat(decoder.next(bytes("\u0080\u0000\u0000"))).isEqualTo(Refusals.CLOSE);
  }

  @Test
  void that_byte_is_text_later() {
    ByteBuf in = bytes("mn\r\n\u0080\u0080\r\n");

    assertThat(decoder.next(in)).isEqualTo(Request.Plain.NOOP);
    assertThat(decoder.next(in)).isEqualTo(Refusals.ERROR);
  }

  @Test
  void an_impossible_limit_is_refused() {
    assertThatThrownBy(() -> new RequestDecoder(-1)).hasMessageContaining("-1");
  }

  private static ByteBuf bytes(String text) {
    return Unpooled.copiedBuffer(text, ISO_8859_1);
  }
}
