package io.counterpart.cache.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.channel.EventLoop;
import io.netty.channel.nio.NioEventLoopGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ReconnectionTest {
  private static final Duration WATCHED = Duration.ofSeconds(1);
  private static final int MOST = 15;
  private final NioEventLoopGroup loops = new NioEventLoopGroup(1);

  @AfterEach
  void close() {
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
  }

  private static final class Nobody implements ConnectionListener {
    @Override
    public void connected(ServerConnection connection) {}

    @Override
    public void lost(ServerConnection connection, ServerLostException why) {}
  }

  /** As memcached does where there are too many. */
  @Test
  void a_server_that_closes_each_connection_is_not_asked_all_the_time() throws Exception {
    AtomicInteger taken = new AtomicInteger();
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread closing =
          new Thread(
              () -> {
                while (!server.isClosed()) {
                  try (Socket connection = server.accept()) {
                    taken.incrementAndGet();
                  } catch (IOException e) {
                    // as at the end
                  }
                }
              });
      closing.start();
      EventLoop loop = loops.next();
      long beginNanos = System.nanoTime();
      loop.execute(
          () ->
              new ServerConnection(
                  new ServerAddress("127.0.0.1", server.getLocalPort()),
                  loop,
                  new ConnectionSettings(
                      Duration.ofSeconds(1),
                      Duration.ofSeconds(1),
                      Duration.ofMillis(10),
                      Duration.ofMillis(200)),
                  new Nobody()));

      await("it is asked").until(() -> taken.get() > 0);
      Thread.sleep(WATCHED.toMillis());

      int asked = taken.get();
      double times = (double) (System.nanoTime() - beginNanos) / WATCHED.toNanos();
      assertThat((double) asked).isLessThanOrEqualTo(MOST * times);
      await("it is asked again").until(() -> taken.get() > 1);
    }
  }
}
