package io.counterpart.cache.forward.peer;

import io.counterpart.cache.backend.ConnectionListener;
import io.counterpart.cache.backend.ConnectionSecurity;
import io.counterpart.cache.backend.ConnectionSettings;
import io.counterpart.cache.backend.ReplyHandler;
import io.counterpart.cache.backend.ServerConnection;
import io.counterpart.cache.backend.ServerLostException;
import io.counterpart.cache.forward.OwnerAddress;
import io.counterpart.cache.forward.OwnershipSecret.Greeting;
import io.counterpart.cache.forward.OwnershipSecret.Prefix;
import io.counterpart.cache.metadata.copy.CopyOwner;
import io.counterpart.cache.metadata.copy.CopyPiece;
import io.counterpart.cache.metadata.copy.CopyPull;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.server.ServerReply;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A connection to the owner for its log. An owner that answers nothing for a second is lost; the
 * next connection is a new object. For one thread, beside the event loop.
 */
public final class CopyConnection implements CopyOwner, AutoCloseable {
  private static final ConnectionSettings CONNECTION =
      new ConnectionSettings(
          Duration.ofSeconds(1),
          Duration.ofSeconds(1),
          Duration.ofMillis(20),
          Duration.ofMillis(100));

  private final OwnerAddress owner;
  private final EventLoop loop;
  private final CompletableFuture<ServerConnection> opened = new CompletableFuture<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private @Nullable ServerConnection connection;

  private CopyConnection(OwnerAddress owner, EventLoop loop) {
    this.owner = owner;
    this.loop = loop;
  }

  /**
   * Connects to an owner.
   *
   * @throws IOException if it does not answer as the owner with this secret
   */
  public static CopyConnection open(OwnerAddress owner, EventLoop loop, ConnectionSecurity security)
      throws IOException, InterruptedException {
    CopyConnection made = new CopyConnection(owner, loop);
    loop.execute(() -> made.connect(security));
    try {
      made.await(made.opened);
      // the number of the connection is of this process alone, which has one at a time
      made.ask(owner.secret().greeting(new Greeting(new SecureRandom().nextLong(), 0)));
      return made;
    } catch (IOException | InterruptedException e) {
      made.close();
      throw e;
    }
  }

  private void connect(ConnectionSecurity security) {
    connection =
        new ServerConnection(owner.server(), loop, CONNECTION, new States(), () -> true, security);
    loop.schedule(
        () -> {
          if (!opened.isDone()) {
            end("does not answer");
          }
        },
        CONNECTION.reply().toMillis(),
        TimeUnit.MILLISECONDS);
  }

  private void end(String why) {
    IOException failure = new IOException("proxy %s %s".formatted(owner.server(), why));
    opened.completeExceptionally(failure);
    ended.completeExceptionally(failure);
    if (connection != null) {
      connection.close();
    }
  }

  @Override
  public CopyPiece pull(CopyPull pull) throws IOException, InterruptedException {
    CopyPiece piece = CopyPiece.decode(ask(owner.secret().pull(pull)));
    if (piece == null) {
      throw new OwnerLostException(
          "proxy %s does not send its log".formatted(owner.server()), null);
    }
    return piece;
  }

  @Override
  public OptionalInt checksum(int file, int lengthBytes) throws IOException, InterruptedException {
    byte[] answer = ask(owner.secret().checksum(new Prefix(file, lengthBytes)));
    return answer.length == 0
        ? OptionalInt.empty()
        : OptionalInt.of(Integer.parseInt(new String(answer, StandardCharsets.US_ASCII)));
  }

  /**
   * Asks for the local ports of the owner's connections to servers.
   *
   * @return lines of a server and a port
   * @throws IOException if the owner does not answer
   */
  public List<String> ports() throws IOException, InterruptedException {
    return new String(ask(owner.secret().ports()), StandardCharsets.US_ASCII).lines().toList();
  }

  private byte[] ask(Key key) throws IOException, InterruptedException {
    CompletableFuture<byte[]> answer = new CompletableFuture<>();
    loop.execute(
        () -> {
          ServerConnection current = connection;
          if (current != null && current.isOpen()) {
            current
                .command(
                    ReplyHandler.of(
                        reply -> complete(answer, reply), answer::completeExceptionally))
                .get(key)
                .value()
                .end();
          } else {
            answer.completeExceptionally(new IOException(owner.server() + " is not connected"));
          }
        });
    return await(answer);
  }

  private <T> T await(CompletableFuture<T> future) throws IOException, InterruptedException {
    try {
      CompletableFuture.anyOf(future, ended).get();
      return future.get();
    } catch (ExecutionException e) {
      throw new OwnerLostException("the owner is lost: " + e.getCause(), e);
    }
  }

  private static void complete(CompletableFuture<byte[]> answer, ServerReply reply) {
    ByteBuf value = reply.value();
    if (value == null) {
      answer.completeExceptionally(new IOException("answers " + reply.status()));
    } else {
      answer.complete(ByteBufUtil.getBytes(value));
    }
    reply.release();
  }

  /** Thread-safe. */
  @Override
  public void close() {
    loop.execute(() -> end("is not used any more"));
  }

  private final class States implements ConnectionListener {
    @Override
    public void connected(ServerConnection open) {
      opened.complete(open);
    }

    @Override
    public void lost(ServerConnection gone, ServerLostException why) {
      end(String.valueOf(why.getMessage()));
    }
  }
}
