package io.counterpart.cache.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.server.ServerReply;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.channel.nio.NioEventLoopGroup;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process that is killed while a server, or the network to it, takes no bytes. */
@Timeout(180)
class KilledSenderTest {
  private static final int SMALL_BUFFER = 4096;
  private static final int VALUE_BYTES = 100_000;
  private static final int COMMANDS = 100;

  /** By the time that these could arrive, another proxy may have written newer items. */
  @Test
  void leaves_nothing_that_its_kernel_would_send_later() throws Exception {
    try (ServerSocket listener = new ServerSocket()) {
      listener.setReceiveBufferSize(SMALL_BUFFER);
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      Process sender = start(listener.getLocalPort());
      try (Socket server = listener.accept();
          BufferedReader said = sender.inputReader()) {
        assertThat(said.readLine()).isEqualTo(Sender.SENT);

        sender.destroyForcibly().waitFor();

        assertThatThrownBy(() -> server.getInputStream().readAllBytes())
            .isInstanceOf(SocketException.class)
            .hasMessageContaining("reset");
      } finally {
        sender.destroyForcibly().waitFor();
      }
    }
  }

  private static Process start(int port) throws IOException {
    return new ProcessBuilder(
            List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-XX:TieredStopAtLevel=1",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                Sender.class.getName(),
                Integer.toString(port)))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /** Sends more than the kernel's buffers hold, and waits. */
  static final class Sender implements ConnectionListener {
    static final String SENT = "sent";

    private final EventLoop loop;

    private Sender(EventLoop loop) {
      this.loop = loop;
    }

    public static void main(String[] args) throws InterruptedException {
      EventLoop loop = new NioEventLoopGroup(1).next();
      ServerAddress server = new ServerAddress("127.0.0.1", Integer.parseInt(args[0]));
      loop.execute(
          () -> new ServerConnection(server, loop, ConnectionSettings.DEFAULT, new Sender(loop)));
      Thread.sleep(60_000);
    }

    @Override
    public void connected(ServerConnection connection) {
      for (int i = 0; i < COMMANDS; i++) {
        connection
            .command(ReplyHandler.of(ServerReply::release, why -> {}))
            .set(Key.of("key-" + i), VALUE_BYTES)
            .end(Unpooled.wrappedBuffer(new byte[VALUE_BYTES]));
      }
      // after the task in which the commands leave
      loop.execute(() -> System.out.println(SENT));
    }

    @Override
    public void lost(ServerConnection connection, ServerLostException why) {}
  }
}
