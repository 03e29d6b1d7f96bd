package io.counterpart.cache.protocol.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.testkit.random.SeededRandom;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

class ServerReplyDecoderTest {

  private static final int MAX_VALUE_BYTES = 1000;

  private final ServerReplyDecoder decoder = new ServerReplyDecoder(MAX_VALUE_BYTES);

  @Test
  void flags_are_read_whatever_their_order() throws MalformedReplyException {
    ServerReply reply =
        decoder.next(bytes("HD O12 c18446744073709551615 t-1 f4294967295 s7 b W y\r\n"));

    assertThat(reply.status()).isEqualTo(ReplyStatus.HD);
    assertThat(reply.flags().cas()).isEqualTo(-1);
    assertThat(reply.flags().ttlSeconds()).isEqualTo(-1);
    assertThat(reply.flags().clientFlags()).isEqualTo(-1);
    assertThat(reply.flags().sizeBytes()).isEqualTo(7);
    assertThat(reply.flags().has('W')).isTrue();
    assertThat(reply.flags().has('X')).isFalse();
    assertThat(reply.value()).isNull();
  }

  @Test
  void a_value_is_a_slice_that_its_owner_releases() throws MalformedReplyException {
    ByteBuf in = PooledByteBufAllocator.DEFAULT.directBuffer();
    in.writeBytes(bytes("VA 4 f3\r\na\r\nb\r\nMN\r\n"));

    ServerReply reply = decoder.next(in);
    assertThat(decoder.next(in).status()).isEqualTo(ReplyStatus.MN);
    assertThat(decoder.next(in)).isNull();

    assertThat(reply.flags().clientFlags()).isEqualTo(3);
    in.setByte(9, 'A');
    assertThat(reply.value().toString(ISO_8859_1)).as("no copy").isEqualTo("A\r\nb");
    in.release();
    reply.release();
    assertThat(in.refCnt()).isZero();
  }

  @Test
  void other_answers_have_their_text() throws MalformedReplyException {
    one("VERSION 1.6.18\r\n", ReplyStatus.VERSION, "1.6.18");
    one("STAT pid 12\r\n", ReplyStatus.STAT, "pid 12");
    one("STAT a b c\r\n", ReplyStatus.STAT, "a b c");
    one("END\r\n", ReplyStatus.END, "");
    one("TOUCHED\r\n", ReplyStatus.TOUCHED, "");
    one("NOT_FOUND\r\n", ReplyStatus.NOT_FOUND, "");
    one("OK\r\n", ReplyStatus.OK, "");
    one("ERROR\r\n", ReplyStatus.ERROR, "");
    one("ERROR: shutdown not enabled\r\n", ReplyStatus.ERROR, "shutdown not enabled");
    one("ERROR Too many open connections\r\n", ReplyStatus.ERROR, "Too many open connections");
    one("CLIENT_ERROR bad data chunk\r\n", ReplyStatus.CLIENT_ERROR, "bad data chunk");
    one(
        "SERVER_ERROR out of memory storing object\r\n",
        ReplyStatus.SERVER_ERROR,
        "out of memory storing object");
  }

  private static void one(String line, ReplyStatus status, String text)
      throws MalformedReplyException {
    ServerReply reply = new ServerReplyDecoder(MAX_VALUE_BYTES).next(bytes(line));
    assertThat(reply).isEqualTo(new ServerReply(status, ReplyFlags.NONE, text, null));
  }

  @Test
  void a_classic_answer_has_its_value_flags_and_cas_and_goes_on_to_its_end()
      throws MalformedReplyException {
    ByteBuf in = bytes("VALUE key 4294967295 4 18446744073709551615\r\na\r\nb\r\nEND\r\n");

    ServerReply reply = decoder.next(in);

    assertThat(reply.status()).isEqualTo(ReplyStatus.VALUE);
    assertThat(reply.status().isPart()).isTrue();
    assertThat(reply.flags().clientFlags()).isEqualTo(-1);
    assertThat(reply.flags().cas()).isEqualTo(-1);
    assertThat(reply.value().toString(ISO_8859_1)).isEqualTo("a\r\nb");
    reply.release();
    assertThat(decoder.next(in).status()).isEqualTo(ReplyStatus.END);
  }

  @Test
  void what_is_no_answer_throws() {
    malformed("nonsense\r\n", "'nonsense'");
    malformed("\r\n", "no memcached answer");
    malformed("\n", "CRLF");
    malformed("HD\n", "CRLF");
    malformed("VA\r\n", "'VA'");
    malformed("VA x\r\n", "'VA x'");
    malformed("VA -1\r\n", "'VA -1'");
    malformed("VA 1001\r\n", "1001 bytes; legal: up to 1000");
    malformed("VA 99999999999999999999\r\n", "no memcached answer");
    malformed("VA 2\r\nabc\r\n", "without CRLF");
    malformed("VALUE k 0 1\r\n", "'VALUE k 0 1'");
    malformed("VALUE k 0 1001 7\r\n", "1001 bytes; legal: up to 1000");
    malformed("VALUE k x 1 7\r\n", "no memcached answer");
    malformed("HD cx\r\n", "cx");
    malformed("HD tx\r\n", "tx");
    malformed("x".repeat(4097), "4097 bytes");
  }

  private static void malformed(String bytes, String message) {
    ServerReplyDecoder fresh = new ServerReplyDecoder(MAX_VALUE_BYTES);
    assertThatThrownBy(() -> fresh.next(bytes(bytes)))
        .isInstanceOf(MalformedReplyException.class)
        .hasMessageContaining(message);
  }

  @Test
  @ExtendWith(SeededRandom.class)
  void garbage_throws_its_own_exception_or_none_and_leaks_nothing(Random random) {
    for (int i = 0; i < 2000; i++) {
      byte[] answers =
          "VA 3 O1 c2\r\nabc\r\nEN\r\nHD kQQ== b t5\r\nSTAT a 1\r\n".getBytes(ISO_8859_1);
      for (int j = random.nextInt(4); j > 0; j--) {
        answers[random.nextInt(answers.length)] = (byte) random.nextInt(256);
      }
      ByteBuf in = Unpooled.buffer();
      ServerReplyDecoder fresh = new ServerReplyDecoder(MAX_VALUE_BYTES);
      try {
        for (byte b : answers) {
          ServerReply reply = fresh.next(in.writeByte(b));
          if (reply != null) {
            reply.release();
          }
        }
      } catch (MalformedReplyException e) {
        assertThat(e).hasMessageNotContainingAny("\r", "\n");
      }
      assertThat(in.refCnt()).isEqualTo(1);
    }
  }

  private static ByteBuf bytes(String text) {
    return Unpooled.copiedBuffer(text, ISO_8859_1);
  }
}
