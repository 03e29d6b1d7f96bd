package io.counterpart.cache.backend;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.server.ServerReply;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.channel.nio.NioEventLoopGroup;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The bytes that leave towards a server that does not read. */
@Timeout(120)
class ServerConnectionTest {
  private static final int SMALL_BUFFER = 4096;
  private static final int VALUE_BYTES = 100_000;
  private static final int COMMANDS = 100;
  private static final ReplyHandler IGNORED = ReplyHandler.of(ServerReply::release, why -> {});

  private final NioEventLoopGroup loops = new NioEventLoopGroup(1);
  private final EventLoop loop = loops.next();
  private final CompletableFuture<ServerConnection> connected = new CompletableFuture<>();
  private final CompletableFuture<ServerLostException> lost = new CompletableFuture<>();
  private ServerSocket listener;
  private volatile boolean maySend = true;

  @BeforeEach
  void listen() throws IOException {
    listener = new ServerSocket();
    listener.setReceiveBufferSize(SMALL_BUFFER);
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  @AfterEach
  void stop() throws IOException {
    listener.close();
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
  }

  @Test
  void a_connection_that_is_given_up_sends_nothing_any_more() throws Exception {
    connect(Duration.ofMillis(200));
    try (Socket server = listener.accept()) {
      send(COMMANDS);
      lost.get(40, TimeUnit.SECONDS);

      assertThatThrownBy(() -> readAll(server)).isInstanceOf(SocketException.class);
    }
  }

  @Test
  void what_waits_for_the_socket_leaves_only_while_it_may() throws Exception {
    long valuesBytes = (long) COMMANDS * VALUE_BYTES;
    connect(Duration.ofSeconds(60));
    try (Socket server = listener.accept()) {
      server.setSoTimeout(1500);
      send(COMMANDS);
      maySend = false;

      long first = readUntilSilent(server);
      assertThat(first).isPositive().isLessThan(valuesBytes);

      maySend = true;
      loop.execute(() -> connected.join().resume());
      server.setSoTimeout(20_000);
      assertThat(first + readMoreThan(server, valuesBytes - first)).isGreaterThan(valuesBytes);
      loop.submit(() -> connected.join().abort()).sync();
    }
  }

  @Test
  void a_server_that_resets_while_commands_are_begun_loses_them_all() throws Exception {
    connect(Duration.ofSeconds(20));
    Socket server = listener.accept();
    AtomicInteger lostCommands = new AtomicInteger();
    ReplyHandler counting =
        ReplyHandler.of(ServerReply::release, why -> lostCommands.incrementAndGet());
    loop.submit(
            () -> {
              server.setSoLinger(true, 0);
              server.close();
              Thread.sleep(200); // the reset is here, and not read yet
              for (int i = 0; i < COMMANDS; i++) {
                connected
                    .join()
                    .command(counting)
                    .set(Key.of("key-" + i), VALUE_BYTES)
                    .end(Unpooled.wrappedBuffer(new byte[VALUE_BYTES]));
              }
              return null;
            })
        .sync();
    lost.get(40, TimeUnit.SECONDS);
    loop.submit(() -> {}).sync();

    assertThat(lostCommands).hasValue(COMMANDS);
  }

  @Test
  void a_deferred_command_leaves_with_the_next_one_or_soon() throws Exception {
    connect(Duration.ofSeconds(20));
    try (Socket server = listener.accept()) {
      server.setSoTimeout(10_000);
      loop.submit(
              () -> {
                connected.join().deferredCommand(IGNORED).delete(Key.of("first")).end();
                connected.join().command(IGNORED).delete(Key.of("second")).end();
              })
          .sync();
      assertThat(read(server, "md first\r\nmd second\r\n")).isTrue();
      server.getOutputStream().write("HD\r\nHD\r\n".getBytes(ISO_8859_1));

      loop.submit(() -> connected.join().deferredCommand(IGNORED).delete(Key.of("a")).end()).sync();

      assertThat(read(server, "md a\r\n")).isTrue();
      loop.submit(() -> connected.join().abort()).sync();
    }
  }

  private static boolean read(Socket server, String wanted) throws IOException {
    byte[] bytes = server.getInputStream().readNBytes(wanted.length());
    return new String(bytes, ISO_8859_1).equals(wanted);
  }

  private void connect(Duration reply) throws Exception {
    ConnectionSettings settings =
        new ConnectionSettings(
            Duration.ofSeconds(1), reply, Duration.ofSeconds(10), Duration.ofSeconds(10));
    ServerAddress address = new ServerAddress("127.0.0.1", listener.getLocalPort());
    loop.submit(
            () ->
                new ServerConnection(
                    address, loop, settings, new States(), () -> maySend, ConnectionSecurity.NONE))
        .sync();
    connected.get(40, TimeUnit.SECONDS);
  }

  /** Sends more than the kernel's buffers hold, so that some of it waits in the process. */
  private void send(int count) throws Exception {
    loop.submit(
            () -> {
              for (int i = 0; i < count; i++) {
                connected
                    .join()
                    .command(IGNORED)
                    .set(Key.of("key-" + i), VALUE_BYTES)
                    .end(Unpooled.wrappedBuffer(new byte[VALUE_BYTES]));
              }
            })
        .sync();
    loop.submit(() -> {}).sync(); // the commands leave in a task of their own
  }

  private static long readAll(Socket server) throws IOException {
    InputStream in = server.getInputStream();
    byte[] buffer = new byte[VALUE_BYTES];
    long all = 0;
    for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
      all += read;
    }
    return all;
  }

  private static long readMoreThan(Socket server, long bytes) throws IOException {
    InputStream in = server.getInputStream();
    byte[] buffer = new byte[VALUE_BYTES];
    long all = 0;
    while (all <= bytes) {
      int read = in.read(buffer);
      assertThat(read).as("read after %d bytes", all).isPositive();
      all += read;
    }
    return all;
  }

  private static long readUntilSilent(Socket server) throws IOException {
    InputStream in = server.getInputStream();
    byte[] buffer = new byte[VALUE_BYTES];
    long all = 0;
    try {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        all += read;
      }
    } catch (SocketTimeoutException e) {
      return all;
    }
    throw new AssertionError("the connection has ended after " + all + " bytes");
  }

  private final class States implements ConnectionListener {
    @Override
    public void connected(ServerConnection connection) {
      connected.complete(connection);
    }

    @Override
    public void lost(ServerConnection connection, ServerLostException why) {
      lost.complete(why);
    }
  }
}
