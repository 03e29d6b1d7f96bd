package io.counterpart.cache.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.protocol.server.ReplyFlags;
import io.counterpart.cache.protocol.server.ReplyStatus;
import io.counterpart.cache.protocol.server.ServerReply;
import io.counterpart.cache.protocol.server.ServerReplyDecoder;
import io.counterpart.cache.protocol.server.ServerRequestWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Commands to servers and their decoded answers, on real memcached and the toy store. */
class ServerRoundTripTest {

  private static final Key TEXT = Key.of("text");
  private static final Key BINARY = Key.of(new byte[] {0, 0x1f, 0x63, ' ', '\n', 1});

  @Test
  void memcached_understands_us_and_we_understand_it() throws IOException {
    try (MemcachedProcess memcached = MemcachedProcess.start()) {
      exchange(memcached::answers);
      assertThat(replies(memcached::answers, w -> w.operator("lru mode flat")))
          .containsExactly("OK");
      assertThat(new String(memcached.answers(bytes("stats settings\r\n").array()), ISO_8859_1))
          .contains("STAT lru_segmented no");
    }
  }

  @Test
  void so_does_the_toy_store() throws IOException {
    ToyStore store = new ToyStore(() -> 1_700_000_000L);
    exchange(
        bytes -> {
          ToyConnection connection = new ToyConnection(store);
          connection.receive(bytes);
          return connection.takeAnswers();
        });
  }

  private static void exchange(UnaryOperator<byte[]> server) throws IOException {
    assertThat(replies(server, w -> w.set(TEXT, 2).flags(-7).cas().end(bytes("ab"))))
        .containsExactly("HD c1");
    assertThat(replies(server, w -> w.set(BINARY, 3).end(bytes("\r\n\0")))).containsExactly("HD");
    assertThat(replies(server, w -> w.get(TEXT).value().clientFlags().cas().size().ttl().end()))
        .containsExactly("VA c1 f-7 s2 t-1 =6162");
    assertThat(replies(server, w -> w.get(BINARY).value().end())).containsExactly("VA =0d0a00");
    assertThat(replies(server, w -> w.set(TEXT, 1).mode(StoreMode.APPEND).end(bytes("c"))))
        .containsExactly("HD");
    assertThat(replies(server, w -> w.set(TEXT, 1).mode(StoreMode.ADD).end(bytes("c"))))
        .containsExactly("NS");
    assertThat(replies(server, w -> w.set(TEXT, 1).compareCas(1).end(bytes("c"))))
        .containsExactly("EX");
    assertThat(replies(server, w -> w.set(TEXT, 1).compareCas(3).end(bytes("5"))))
        .containsExactly("HD");
    assertThat(replies(server, w -> w.arithmetic(TEXT).delta(4).value().end()))
        .containsExactly("VA =39");
    assertThat(replies(server, w -> w.arithmetic(Key.of("n")).initial(7, 0).end()))
        .containsExactly("HD");
    assertThat(replies(server, w -> w.set(Key.of("padded"), 4).endPadded(bytes("ab"))))
        .containsExactly("HD");
    assertThat(replies(server, w -> w.get(Key.of("padded")).value().end()))
        .containsExactly("VA =61620000");
    assertThat(replies(server, w -> w.get(Key.of("none")).value().end())).containsExactly("EN");
    assertThat(
            replies(
                server,
                w -> {
                  w.get(TEXT).value().end();
                  w.delete(TEXT).compareCas(1).end();
                  w.delete(TEXT).end();
                  w.delete(TEXT).end();
                }))
        .containsExactly("VA =39", "EX", "HD", "NF");
    assertThat(replies(server, w -> w.operator("version")))
        .first()
        .asString()
        .startsWith("VERSION 1.");
    assertThat(replies(server, w -> w.stats())).startsWith("STAT").endsWith("END");
    assertThat(replies(server, w -> w.stats("nothing"))).containsExactly("ERROR");
    assertThat(replies(server, w -> w.flushAll(0))).containsExactly("OK");
  }

  /** The replies as text; of statistics and the version, the word only. */
  private static List<String> replies(
      UnaryOperator<byte[]> server, Consumer<ServerRequestWriter> commands) throws IOException {
    ByteBuf out = Unpooled.buffer();
    commands.accept(new ServerRequestWriter(out));
    ByteBuf answers = Unpooled.wrappedBuffer(server.apply(ByteBufUtil.getBytes(out)));
    ServerReplyDecoder decoder = new ServerReplyDecoder(1 << 20);
    List<String> replies = new ArrayList<>();
    for (ServerReply reply = decoder.next(answers); reply != null; reply = decoder.next(answers)) {
      if (reply.status() != ReplyStatus.STAT || !replies.contains("STAT")) {
        replies.add(text(reply));
      }
      reply.release();
    }
    assertThat(answers.isReadable()).as("all is read").isFalse();
    assertThat(answers.refCnt()).isEqualTo(1);
    return replies;
  }

  private static String text(ServerReply reply) {
    ReplyFlags flags = reply.flags();
    return reply.status()
        + (reply.status() == ReplyStatus.VERSION ? " " + reply.text() : "")
        + (flags.has('c') ? " c" + flags.cas() : "")
        + (flags.has('f') ? " f" + flags.clientFlags() : "")
        + (flags.has('s') ? " s" + flags.sizeBytes() : "")
        + (flags.has('t') ? " t" + flags.ttlSeconds() : "")
        + (reply.value() == null ? "" : " =" + ByteBufUtil.hexDump(reply.value()));
  }

  private static ByteBuf bytes(String text) {
    return Unpooled.copiedBuffer(text, ISO_8859_1);
  }
}
