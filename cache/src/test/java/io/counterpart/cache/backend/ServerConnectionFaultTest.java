package io.counterpart.cache.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.MemcachedProcess;
import io.counterpart.cache.protocol.server.ServerReply;
import io.netty.channel.EventLoop;
import io.netty.channel.nio.NioEventLoopGroup;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The listener's notice when the code that uses a connection throws. */
@Timeout(120)
class ServerConnectionFaultTest {
  private final NioEventLoopGroup loops = new NioEventLoopGroup(1);
  private final EventLoop loop = loops.next();
  private final List<String> faults = new CopyOnWriteArrayList<>();
  private final CompletableFuture<Void> connected = new CompletableFuture<>();
  private MemcachedProcess memcached;

  @BeforeEach
  void start() throws IOException {
    memcached = MemcachedProcess.start();
  }

  @AfterEach
  void close() {
    memcached.close();
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
  }

  private final class Listener implements ConnectionListener {
    private final boolean failsAtOnce;

    Listener(boolean failsAtOnce) {
      this.failsAtOnce = failsAtOnce;
    }

    @Override
    public void connected(ServerConnection connection) {
      connected.complete(null);
      if (failsAtOnce) {
        throw new IllegalStateException("connected");
      }
    }

    @Override
    public void lost(ServerConnection connection, ServerLostException why) {
      throw new IllegalStateException("lost");
    }

    @Override
    public void faulted(ServerConnection connection, RuntimeException fault) {
      faults.add(fault.getMessage());
    }
  }

  /** A handler that throws on every answer. */
  private static final class Faulty implements ReplyHandler {
    @Override
    public void replied(ServerReply reply) {
      reply.release();
      throw new IllegalStateException("replied");
    }

    @Override
    public void lost(ServerLostException why) {
      throw new IllegalStateException("handler lost");
    }
  }

  private ServerConnection connect(ConnectionListener listener) throws Exception {
    CompletableFuture<ServerConnection> made = new CompletableFuture<>();
    loop.execute(
        () ->
            made.complete(
                new ServerConnection(
                    new ServerAddress("127.0.0.1", memcached.port()),
                    loop,
                    ConnectionSettings.DEFAULT,
                    listener)));
    connected.get(40, TimeUnit.SECONDS);
    return made.get(40, TimeUnit.SECONDS);
  }

  private void awaitFaults(String... messages) {
    await().untilAsserted(() -> assertThat(faults).containsExactly(messages));
  }

  @Test
  void the_listener_hears_of_an_answer_that_is_not_taken_and_of_a_loss() throws Exception {
    ServerConnection connection = connect(new Listener(false));
    loop.execute(() -> connection.command(new Faulty()).get(Key.of("k")).value().end());
    awaitFaults("replied");

    loop.execute(
        () -> {
          connection.command(new Faulty()).get(Key.of("k")).value().end();
          connection.close();
        });
    awaitFaults("replied", "handler lost", "lost");
  }

  @Test
  void it_hears_of_its_own_fault_and_of_what_was_to_leave() throws Exception {
    ServerConnection connection = connect(new Listener(true));
    awaitFaults("connected");

    loop.execute(
        () ->
            connection.beforeFlush(
                () -> {
                  throw new IllegalStateException("before flush");
                }));
    awaitFaults("connected", "before flush");
  }

  @Test
  void a_listener_that_decides_nothing_has_the_connection_closed() throws Exception {
    CompletableFuture<Void> lost = new CompletableFuture<>();
    ServerConnection connection =
        connect(
            new ConnectionListener() {
              @Override
              public void connected(ServerConnection there) {
                connected.complete(null);
              }

              @Override
              public void lost(ServerConnection gone, ServerLostException why) {
                lost.complete(null);
              }
            });

    loop.execute(() -> connection.command(new Faulty()).get(Key.of("k")).value().end());

    lost.get(40, TimeUnit.SECONDS);
    CompletableFuture<Boolean> open = new CompletableFuture<>();
    loop.execute(() -> open.complete(connection.isOpen()));
    assertThat(open.get(40, TimeUnit.SECONDS)).isFalse();
  }
}
