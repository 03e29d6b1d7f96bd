package io.counterpart.cache.forward;

import io.counterpart.cache.backend.ConnectionListener;
import io.counterpart.cache.backend.ConnectionSecurity;
import io.counterpart.cache.backend.ReplyHandler;
import io.counterpart.cache.backend.ServerConnection;
import io.counterpart.cache.backend.ServerLostException;
import io.counterpart.cache.forward.OwnershipSecret.Greeting;
import io.counterpart.cache.protocol.server.ServerReply;
import io.counterpart.cache.protocol.server.ServerRequestWriter;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A follower's connection to the owner. Its life is: greeting, use, loss; the next connection is a
 * new object. Belongs to the event loop, except {@link #open} and {@link #close}.
 */
public final class OwnerConnection implements AutoCloseable {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final OwnerAddress owner;
  private final Greeting greeting;
  private final EventLoop loop;
  private final FailoverTier users;
  private final ForwardStatistics statistics;
  private final ConnectionSecurity security;
  private final ForwardingTier tier = new ForwardingTier(this);
  private final CompletableFuture<OwnerConnection> greeted = new CompletableFuture<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private @Nullable ServerConnection connection;
  private boolean open;
  private long askedMillis;
  private long ownerAheadMillis;
  private long markedMillis;

  private OwnerConnection(
      OwnerAddress owner,
      Greeting greeting,
      EventLoop loop,
      FailoverTier users,
      ForwardStatistics statistics,
      ConnectionSecurity security) {
    this.security = security;
    this.owner = owner;
    this.greeting = greeting;
    this.loop = loop;
    this.users = users;
    this.statistics = statistics;
  }

  /**
   * Connects to an owner, which carries out the operations of the tier's users from then on.
   *
   * @param greeting with a higher connection number than all before
   * @return fails with an {@link IOException} if it does not answer as the owner with this secret
   *     within {@link ForwardLimits#GREETING}
   */
  public static CompletableFuture<OwnerConnection> open(
      OwnerAddress owner,
      Greeting greeting,
      EventLoop loop,
      FailoverTier users,
      ForwardStatistics statistics,
      ConnectionSecurity security) {
    OwnerConnection made = new OwnerConnection(owner, greeting, loop, users, statistics, security);
    loop.execute(made::connect);
    return made.greeted;
  }

  private void connect() {
    connection =
        new ServerConnection(
            owner.server(), loop, ForwardLimits.CONNECTION, new States(), () -> true, security);
    loop.schedule(
        () -> {
          if (!open) {
            end("has not answered a greeting");
          }
        },
        ForwardLimits.GREETING.toMillis(),
        TimeUnit.MILLISECONDS);
  }

  /** The address of the owner. */
  public OwnerAddress owner() {
    return owner;
  }

  /** Done when the connection is lost or closed. */
  public CompletableFuture<Void> ended() {
    return ended;
  }

  private static long nowMillis() {
    return System.nanoTime() / NANOS_PER_MILLI;
  }

  private void greet(ServerConnection connected) {
    askedMillis = nowMillis();
    connected
        .command(ReplyHandler.of(this::answered, why -> {}))
        .get(owner.secret().greeting(greeting))
        .value()
        .end();
  }

  /** Takes the owner's clock: from here on it is ahead by no less than the difference. */
  private void answered(ServerReply reply) {
    ByteBuf value = reply.value();
    long now = nowMillis();
    if (ended.isDone() || value == null || now - askedMillis > ForwardLimits.GREETING.toMillis()) {
      reply.release();
      end("does not answer as the owner");
      return;
    }
    ownerAheadMillis = Long.parseLong(value.toString(StandardCharsets.US_ASCII)) - now;
    value.release();
    markedMillis = now - ForwardLimits.TIME_MARK_MILLIS;
    open = true;
    users.use(tier);
    greeted.complete(this);
  }

  /**
   * Begins a command; the caller writes and ends it at once.
   *
   * @param unavailable runs if there is no answer, see {@link FailoverTier#unanswered}
   * @return null if nothing can be sent; {@code unavailable} has run then
   */
  @Nullable ServerRequestWriter command(Consumer<ServerReply> answered, Runnable unavailable) {
    ServerConnection current = connection;
    if (!open || current == null || !current.isOpen()) {
      statistics.refused().increment();
      unavailable.run();
      return null;
    }
    long now = nowMillis();
    if (now - markedMillis >= ForwardLimits.TIME_MARK_MILLIS) {
      markedMillis = now;
      current
          .command(ReplyHandler.of(reply -> correct(reply, now), why -> {}))
          .get(owner.secret().time(now + ownerAheadMillis))
          .value()
          .end();
    }
    return current.command(
        ReplyHandler.of(
            reply -> {
              if (!reply.status().isPart()) {
                statistics.answered().increment();
              }
              answered.accept(reply);
            },
            why -> users.unanswered(unavailable)));
  }

  /**
   * Corrects the estimate of the owner's clock: two clocks drift, and that of a machine that is
   * suspended stands still. The owner is ahead by no less than its answer shows, and by little more
   * if that came soon.
   */
  private void correct(ServerReply reply, long sentMillis) {
    ByteBuf value = reply.value(); // none from an owner of an earlier version
    if (value != null) {
      long now = nowMillis();
      long ahead = Long.parseLong(value.toString(StandardCharsets.US_ASCII)) - now;
      if (ahead > ownerAheadMillis || now - sentMillis <= ForwardLimits.TIME_MARK_MILLIS) {
        ownerAheadMillis = ahead;
      }
    }
    reply.release();
  }

  private void end(String why) {
    if (ended.isDone()) {
      return;
    }
    if (open) {
      open = false;
      users.lose(tier);
    }
    ended.complete(null);
    greeted.completeExceptionally(new IOException("proxy %s %s".formatted(owner.server(), why)));
    if (connection != null) {
      connection.close();
    }
  }

  /** Closes the connection; operations under way get no answer. Thread-safe. */
  @Override
  public void close() {
    loop.execute(() -> end("is not used any more"));
  }

  private final class States implements ConnectionListener {
    @Override
    public void connected(ServerConnection connected) {
      greet(connected);
    }

    @Override
    public void lost(ServerConnection gone, ServerLostException why) {
      end(String.valueOf(why.getMessage()));
    }
  }
}
