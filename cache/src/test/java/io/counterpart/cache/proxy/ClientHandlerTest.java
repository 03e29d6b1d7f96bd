package io.counterpart.cache.proxy;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.forward.FailoverTier;
import io.counterpart.cache.forward.ForwardStatistics;
import io.counterpart.cache.protocol.MemcachedProcess;
import io.counterpart.cache.proxy.ClientCounts.Count;
import io.counterpart.cache.tier.Status;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
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
                    tier,
                    new ProxyStatistics(() -> "", List.of(budget)),
                    new RequestCosts(tier),
                    budget),
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

  @Test
  void a_client_that_the_proxy_keeps_waiting_is_not_closed_for_that() {
    EmbeddedChannel time = new EmbeddedChannel();
    time.freezeTime();
    MemoryBudget budget = new MemoryBudget(time.eventLoop(), new MemoryLimits(16 << 20, 8 << 20));
    Answering tier = new Answering(Status.DONE);
    EmbeddedChannel client =
        new EmbeddedChannel(
            new ClientHandler(
                new Serving(
                    tier,
                    new ProxyStatistics(() -> "", List.of(budget)),
                    new RequestCosts(tier),
                    budget),
                null));
    AtomicLong progress = new AtomicLong();
    for (int i = 0; i < 2; i++) {
      budget.open(new Busy(progress), false).receive(4 << 20);
    }
    budget.open(new Busy(progress), false).awaitInput(1 << 20, () -> {});
    client.writeInbound(Unpooled.copiedBuffer("set k 0 0 1000000\r\nvv", US_ASCII));

    for (int second = 0; second < 6; second++) {
      time.advanceTimeBy(1, TimeUnit.SECONDS);
      time.runScheduledPendingTasks();
      time.runPendingTasks();
    }

    assertThat(client.isOpen()).isTrue();
    client.finishAndReleaseAll();
  }

  /** Thousands of them behind a read that waits would be written at once. */
  @Test
  void statistics_are_asked_for_once_all_before_them_is_answered() {
    EmbeddedChannel time = new EmbeddedChannel();
    MemoryBudget budget = new MemoryBudget(time.eventLoop(), new MemoryLimits(16 << 20, 2 << 20));
    FailoverTier tier = new FailoverTier(time.eventLoop(), new ForwardStatistics());
    ProxyStatistics statistics = new ProxyStatistics(() -> "", List.of(budget));
    EmbeddedChannel client =
        new EmbeddedChannel(
            new ClientHandler(new Serving(tier, statistics, new RequestCosts(tier), budget), null));
    client.writeInbound(
        Unpooled.copiedBuffer("get k\r\nstats sizes\r\nstats sizes\r\nmn\r\n", US_ASCII));
    assertThat(statistics.counts().sinceStart(Count.CMD_TOTAL)).isOne();

    tier.use(new Answering(Status.NOT_FOUND));
    client.runPendingTasks();

    assertThat(statistics.counts().sinceStart(Count.CMD_TOTAL)).isEqualTo(4);
    assertThat(answers(client))
        .isEqualTo("END\r\n" + "STAT sizes_status disabled\r\nEND\r\n".repeat(2) + "MN\r\n");
    client.finishAndReleaseAll();
  }

  private static String answers(EmbeddedChannel client) {
    StringBuilder answers = new StringBuilder();
    for (ByteBuf sent = client.readOutbound(); sent != null; sent = client.readOutbound()) {
      answers.append(sent.toString(US_ASCII));
      sent.release();
    }
    return answers.toString();
  }

  /** Sends all the time. */
  private record Busy(AtomicLong sent) implements MemoryAccount.Holder {
    @Override
    public long progress() {
      return sent.incrementAndGet();
    }

    @Override
    public long requests() {
      return 0;
    }

    @Override
    public boolean isClientsTurn() {
      return true;
    }

    @Override
    public void giveUp(long heldBytes) {}
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
  void files_are_left_for_others_than_clients() {
    assertThat(ProxyServer.mostClients(1_048_576)).isEqualTo(1_048_064);
    assertThat(ProxyServer.mostClients(1024)).isEqualTo(768);
    assertThat(ProxyServer.mostClients(10)).isEqualTo(8);
  }

  @Test
  void who_is_one_too_many_is_turned_away_until_another_one_leaves() throws Exception {
    EventLoop loop = loops.next();
    try (ProxyServer proxy =
            ProxyServer.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                List.of(
                    new ProxyServer.ClientLoop(
                        new Answering(Status.DONE),
                        new MemoryBudget(loop, MemoryLimits.ofJvm()),
                        List.of())),
                Access.OPEN,
                () -> "",
                2);
        Socket first = connect(proxy);
        Socket second = connect(proxy)) {
      await().until(() -> proxy.statistics().clients().size() == 2);
      try (Socket third = connect(proxy)) {
        assertThat(third.getInputStream().read()).isEqualTo(-1);
      }
      assertThat(isServed(second)).isTrue();
      first.close();

      await()
          .until(
              () -> {
                try (Socket next = connect(proxy)) {
                  return isServed(next);
                }
              });
    }
  }

  private static Socket connect(ProxyServer proxy) throws IOException {
    Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.address().getPort());
    client.setSoTimeout(20_000);
    return client;
  }

  private static boolean isServed(Socket client) throws IOException {
    try {
      client.getOutputStream().write("mn\r\n".getBytes(US_ASCII));
      return client.getInputStream().read() == 'M';
    } catch (SocketException turnedAway) {
      return false;
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
