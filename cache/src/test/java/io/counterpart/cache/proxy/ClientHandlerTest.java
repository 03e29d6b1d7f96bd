package io.counterpart.cache.proxy;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.protocol.MemcachedProcess;
import io.counterpart.cache.tier.Status;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients of a proxy whose tier answers at once. */
class ClientHandlerTest {
  private static final int READ_BYTES = 64 << 10;
  private static final int READS = 400;

  private final NioEventLoopGroup loops = new NioEventLoopGroup(1);

  @AfterEach
  void end() {
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  private ProxyServer listen(Status status) throws IOException {
    return ProxyServer.listen(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        loops.next(),
        new Answering(status));
  }

  @Test
  void a_stream_whose_reads_all_end_within_a_request_holds_no_memory() {
    EmbeddedChannel time = new EmbeddedChannel();
    MemoryBudget budget = new MemoryBudget(time.eventLoop(), new MemoryLimits(16 << 20, 2 << 20));
    Answering tier = new Answering(Status.DONE);
    EmbeddedChannel client =
        new EmbeddedChannel(
            new ClientHandler(
                new Serving(
                    tier, new ProxyStatistics(() -> "", budget), new RequestCosts(tier), budget),
                null));
    // 1003 bytes, which do not divide a read
    byte[] request = ("set k 0 0 978 noreply\r\n" + "v".repeat(978) + "\r\n").getBytes(US_ASCII);
    long sent = 0;
    for (int i = 0; i < READS; i++) {
      ByteBuf read = client.alloc().directBuffer(READ_BYTES);
      for (int j = 0; j < READ_BYTES; j++) {
        read.writeByte(request[(int) (sent++ % request.length)]);
      }
      client.writeInbound(read);
      assertThat(budget.heldBytes()).as("after read %d", i).isLessThan(READ_BYTES);
    }
    client.finishAndReleaseAll();
  }

  /** It would be taken for the answer to the next request. */
  @ParameterizedTest
  @EnumSource(
      names = {"TOO_LARGE", "OUT_OF_MEMORY", "UNAVAILABLE", "STORE_UNAVAILABLE", "OVERLOADED"})
  void an_error_is_not_told_to_who_wants_no_answer(Status status) throws Exception {
    try (ProxyServer proxy = listen(status)) {
      String requests =
          "set k 0 0 1 noreply\r\nv\r\nappend k 0 0 1 noreply\r\nv\r\ndelete k noreply\r\n"
              + "incr k 1 noreply\r\ntouch k 9 noreply\r\nflush_all noreply\r\nmn\r\n";
      byte[] answers =
          MemcachedProcess.answers(proxy.address().getPort(), requests.getBytes(US_ASCII));

      assertThat(new String(answers, US_ASCII)).isEqualTo("MN\r\n");
    }
  }

  @Test
  void a_client_that_vanishes_is_noticed() throws Exception {
    try (ProxyServer proxy = listen(Status.DONE);
        Socket client = new Socket("127.0.0.1", proxy.address().getPort())) {
      await().until(() -> proxy.statistics().clients().size() == 1);
      Channel accepted = proxy.statistics().clients().iterator().next();

      assertThat(accepted.config().getOption(ChannelOption.SO_KEEPALIVE)).isTrue();
      assertThat(client.isConnected()).isTrue();
    }
  }
}
