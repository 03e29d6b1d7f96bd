package io.counterpart.cache.proxy;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Cases that need a separate clock or arbitrary splits of the bytes; the rest is in {@code
 * AccessTest}.
 */
class AuthenticationHandlerTest {
  @TempDir Path directory;

  private EmbeddedChannel channel;

  @BeforeEach
  void connect() throws IOException {
    channel = new EmbeddedChannel(handler());
    channel.freezeTime();
  }

  private AuthenticationHandler handler() throws IOException {
    Path users = Files.writeString(directory.resolve("users"), "ann:one\n");
    return new AuthenticationHandler(
        Credentials.read(users),
        new ProxyStatistics(
            () -> "", List.of(new MemoryBudget(new DefaultEventLoop(), MemoryLimits.ofJvm()))));
  }

  @AfterEach
  void release() {
    channel.finishAndReleaseAll();
  }

  @Test
  void a_client_that_does_not_say_who_it_is_is_given_up() {
    pass(AuthenticationHandler.LIMIT_SECONDS - 1);
    assertThat(channel.isOpen()).isTrue();

    pass(2);

    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void a_client_that_was_let_in_stays() {
    send("set x 0 0 7\r\nann one\r\n");

    pass(2 * AuthenticationHandler.LIMIT_SECONDS);

    assertThat(channel.isOpen()).isTrue();
    assertThat(channel.pipeline().get(AuthenticationHandler.class)).isNull();
  }

  @Test
  void every_split_is_understood_and_what_follows_is_handed_on() throws IOException {
    String all = "get k\r\nset x 0 0 7\r\nann one\r\nmn\r\n";
    for (int at = 0; at <= all.length(); at++) {
      send(all.substring(0, at));
      send(all.substring(at));

      assertThat(text(true))
          .as("at %d", at)
          .isEqualTo("CLIENT_ERROR unauthenticated\r\nSTORED\r\n");
      assertThat(text(false)).as("at %d", at).isEqualTo("mn\r\n");
      channel.pipeline().addLast(handler());
    }
  }

  private void pass(int seconds) {
    channel.advanceTimeBy(seconds, TimeUnit.SECONDS);
    channel.runScheduledPendingTasks();
  }

  private void send(String bytes) {
    channel.writeInbound(Unpooled.copiedBuffer(bytes, US_ASCII));
  }

  private String text(boolean outbound) {
    StringBuilder text = new StringBuilder();
    for (ByteBuf bytes = next(outbound); bytes != null; bytes = next(outbound)) {
      text.append(bytes.toString(US_ASCII));
      bytes.release();
    }
    return text.toString();
  }

  private ByteBuf next(boolean outbound) {
    return outbound ? channel.readOutbound() : channel.readInbound();
  }
}
