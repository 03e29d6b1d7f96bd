package io.counterpart.cache.coded.item;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.backend.ConnectionListener;
import io.counterpart.cache.backend.ConnectionSettings;
import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.backend.ServerConnection;
import io.counterpart.cache.backend.ServerLostException;
import io.netty.channel.nio.NioEventLoopGroup;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The known memory of a server that never answers, or only sometimes. */
@Timeout(120)
class ServerMemoryTest {
  private static final long LIMIT_BYTES = 64 << 20;
  private static final long ITEM_BYTES = 1000;
  private static final String EMPTY = "STAT active_slabs 0\r\nSTAT total_malloced 0\r\nEND\r\n";
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final String ERROR = "SERVER_ERROR out of memory writing stats\r\n";

  private final NioEventLoopGroup loops = new NioEventLoopGroup(1);
  private final GuardedLoop loop = new GuardedLoop(loops.next(), why -> {});
  private final CompletableFuture<ServerConnection> open = new CompletableFuture<>();
  private ServerSocket server;
  private volatile String answer = ERROR;
  private ServerConnection connection;
  private ServerMemory memory;

  @BeforeEach
  void connect() throws Exception {
    server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    Thread thread = new Thread(this::serve);
    thread.setDaemon(true);
    thread.start();
    ServerAddress address = ServerAddress.parse("127.0.0.1:" + server.getLocalPort());
    loop.execute(
        () ->
            new ServerConnection(
                address,
                loop.netty(),
                new ConnectionSettings(LIMIT, LIMIT, LIMIT, LIMIT),
                new Opened()));
    connection = open.get(40, TimeUnit.SECONDS);
    memory = new ServerMemory(connection, loop, 1 << 20, () -> true);
    call(
        () -> {
          memory.joined(LIMIT_BYTES, SlabSizes.DEFAULT);
          return true;
        });
  }

  @AfterEach
  void close() throws IOException {
    loop.execute(connection::close);
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    server.close();
  }

  private final class Opened implements ConnectionListener {
    @Override
    public void connected(ServerConnection opened) {
      open.complete(opened);
    }

    @Override
    public void lost(ServerConnection gone, ServerLostException why) {}

    @Override
    public void faulted(ServerConnection with, RuntimeException fault) {}
  }

  /** Answers every line in the same way. */
  private void serve() {
    try (Socket socket = server.accept();
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1))) {
      while (lines.readLine() != null) {
        socket.getOutputStream().write(answer.getBytes(ISO_8859_1));
      }
    } catch (IOException e) {
      // a side has ended
    }
  }

  @Test
  void a_server_that_does_not_tell_has_no_memory() throws Exception {
    look();

    assertThat(call(() -> memory.admits(ITEM_BYTES, false))).isFalse();
  }

  @Test
  void what_was_known_is_kept() throws Exception {
    answer = EMPTY;
    look();
    assertThat(call(() -> memory.admits(ITEM_BYTES, false))).isTrue();

    answer = ERROR;
    look();

    assertThat(call(() -> memory.admits(ITEM_BYTES, false))).isTrue();
  }

  /** Otherwise a request for memory would look for ever. */
  @Test
  void a_look_in_vain_is_not_forgotten_at_once() throws Exception {
    assertThat(call(() -> memory.isForgotten())).as("before").isTrue();

    // a pause of a tenth of a second between look and question makes another one due
    await("it is known")
        .until(() -> lookThen(() -> !memory.isForgotten() && !memory.isWorthALook()));
  }

  private void look() throws Exception {
    lookThen(() -> true);
  }

  private <T> T lookThen(Supplier<T> body) throws Exception {
    CompletableFuture<T> done = new CompletableFuture<>();
    loop.execute(() -> memory.look(() -> done.complete(body.get())));
    return done.get(40, TimeUnit.SECONDS);
  }

  private <T> T call(Supplier<T> body) throws Exception {
    CompletableFuture<T> done = new CompletableFuture<>();
    loop.execute(() -> done.complete(body.get()));
    return done.get(40, TimeUnit.SECONDS);
  }
}
