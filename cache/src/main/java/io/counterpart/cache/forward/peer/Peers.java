package io.counterpart.cache.forward.peer;

import io.counterpart.cache.backend.ConnectionListener;
import io.counterpart.cache.backend.ConnectionSecurity;
import io.counterpart.cache.backend.ConnectionSettings;
import io.counterpart.cache.backend.ReplyHandler;
import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.backend.ServerConnection;
import io.counterpart.cache.backend.ServerLostException;
import io.counterpart.cache.forward.OwnerAddress;
import io.counterpart.cache.forward.OwnershipSecret;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.server.ServerReply;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.DecoderException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The other proxies of a tier, on other machines. Only the owner listens to its peers, so whoever
 * answers owns the tier, or did a moment ago. Thread-safe.
 */
public final class Peers {
  private static final Logger logger = LoggerFactory.getLogger(Peers.class);
  private static final long ANSWER_MILLIS = 700;
  private static final ConnectionSettings CONNECTION =
      new ConnectionSettings(
          Duration.ofMillis(ANSWER_MILLIS),
          Duration.ofMillis(ANSWER_MILLIS),
          Duration.ofMillis(ANSWER_MILLIS),
          Duration.ofSeconds(2));

  private final List<ServerAddress> others;
  private final Key question;
  private final ConnectionSecurity security;
  private final EventLoop loop;
  private volatile boolean isRefused;

  /**
   * @param others addresses at which they listen to their peers while they own the tier
   * @param question that the owner answers
   */
  public Peers(
      List<ServerAddress> others, Key question, ConnectionSecurity security, EventLoop loop) {
    this.others = List.copyOf(others);
    this.question = question;
    this.security = security;
    this.loop = loop;
  }

  /**
   * Whether a peer that was asked has accepted the connection, and TLS or the password failed: it
   * may own the tier.
   */
  public boolean isRefused() {
    return isRefused;
  }

  /** Asks all of them at once; done within a second. Never fails. */
  public CompletableFuture<Optional<OwnerAddress>> findOwner() {
    CompletableFuture<Optional<OwnerAddress>> found = new CompletableFuture<>();
    List<CompletableFuture<Void>> asked =
        others.stream().map(peer -> ask(peer).thenAccept(owner -> tell(owner, found))).toList();
    CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
        .whenComplete((all, failure) -> found.complete(Optional.empty()));
    return found;
  }

  private static void tell(
      Optional<OwnerAddress> owner, CompletableFuture<Optional<OwnerAddress>> found) {
    if (owner.isPresent()) {
      found.complete(owner);
    }
  }

  private CompletableFuture<Optional<OwnerAddress>> ask(ServerAddress peer) {
    Question question = new Question(peer);
    loop.execute(question::begin);
    return question.answer;
  }

  /** A question to one peer. */
  private final class Question implements ConnectionListener, ReplyHandler {
    private final ServerAddress peer;
    private final CompletableFuture<Optional<OwnerAddress>> answer = new CompletableFuture<>();

    Question(ServerAddress peer) {
      this.peer = peer;
    }

    void begin() {
      ServerConnection connection =
          new ServerConnection(peer, loop, CONNECTION, this, () -> true, security);
      loop.schedule(() -> answer.complete(Optional.empty()), ANSWER_MILLIS, TimeUnit.MILLISECONDS);
      answer.whenComplete((owner, failure) -> loop.execute(connection::close));
    }

    @Override
    public void connected(ServerConnection connected) {
      connected.command(this).get(question).value().end();
    }

    @Override
    public void replied(ServerReply reply) {
      ByteBuf value = reply.value();
      Optional<OwnerAddress> owner = Optional.empty();
      if (value != null && value.isReadable()) {
        try {
          OwnershipSecret secret = OwnershipSecret.parse(value.toString(StandardCharsets.US_ASCII));
          owner = Optional.of(new OwnerAddress(peer, secret, null));
        } catch (IllegalArgumentException e) {
          logger.warn("{} is no proxy that listens to its peers", peer, e);
        }
      }
      reply.release();
      answer.complete(owner);
    }

    @Override
    public void lost(ServerLostException why) {
      answer.complete(Optional.empty());
    }

    @Override
    public void lost(ServerConnection gone, ServerLostException why) {
      if (why.getCause() instanceof DecoderException) {
        isRefused = true;
        logger.warn("{} cannot be asked who owns the tier: {}", peer, why.getMessage());
      }
      answer.complete(Optional.empty());
    }
  }
}
