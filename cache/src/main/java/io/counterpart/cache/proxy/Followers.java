package io.counterpart.cache.proxy;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.counterpart.cache.forward.OwnershipSecret;
import io.counterpart.cache.forward.OwnershipSecret.Greeting;
import io.counterpart.cache.metadata.copy.CopyPull;
import io.counterpart.cache.metadata.copy.CopySource;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.MetaItem;
import io.counterpart.cache.protocol.MetaResponseWriter;
import io.counterpart.cache.protocol.Request;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The followers of this owner, each by its newest connection. Requests still queued on an older
 * connection are never executed. Belongs to the tier's event loop.
 */
final class Followers {
  private final OwnershipSecret secret;
  private final @Nullable CopySource copies;
  private final Key question;
  private final LongSupplier clockMillis;
  private final Map<Long, Follower> newest = new HashMap<>();

  /**
   * @param secret of this ownership, which followers must know
   * @param copies the log for copies elsewhere; null if only proxies here follow, which know the
   *     secret
   * @param question by which proxies elsewhere ask for the owner
   * @param clockMillis a clock that never goes back
   */
  Followers(
      OwnershipSecret secret, @Nullable CopySource copies, Key question, LongSupplier clockMillis) {
    this.secret = secret;
    this.copies = copies;
    this.question = question;
    this.clockMillis = clockMillis;
  }

  Follower connected() {
    return new Follower(this);
  }

  OwnershipSecret secret() {
    return secret;
  }

  long nowMillis() {
    return clockMillis.getAsLong();
  }

  /** Whether a connection is the newest of its follower; if so, the previous one is ended. */
  boolean admit(Greeting greeting, Follower connection) {
    Follower before = newest.get(greeting.follower());
    if (before != null && before.number() >= greeting.connection()) {
      return false;
    }
    newest.put(greeting.follower(), connection);
    if (before != null) {
      before.end();
    }
    return true;
  }

  /** Tells a proxy elsewhere the secret, if it asks for that; it has shown who it is. */
  boolean answersQuestion(Request.MetaGet asked, ReplyQueue replies) {
    if (copies == null || !asked.key().equals(question)) {
      return false;
    }
    String told = copies.isOwner() ? secret.toString() : "";
    replies.next().answer(new ValueAnswer(asked, told.getBytes(US_ASCII)));
    return true;
  }

  /** Answers a request for the log, if it is one. */
  boolean answersCopy(Request.MetaGet asked, ReplyQueue replies) {
    CopySource source = copies;
    CopyPull pull = source == null ? null : secret.pull(asked.key());
    if (source != null && pull != null) {
      ReplyQueue.Reply reply = replies.next();
      source.pull(pull, piece -> reply.answer(new ValueAnswer(asked, piece.encode())));
      return true;
    }
    if (source != null && asked.key().equals(secret.ports())) {
      String lines = String.join("\n", source.connections());
      replies.next().answer(new ValueAnswer(asked, lines.getBytes(US_ASCII)));
      return true;
    }
    OwnershipSecret.Prefix prefix = source == null ? null : secret.checksum(asked.key());
    if (source == null || prefix == null) {
      return false;
    }
    OptionalInt sum = source.checksum(prefix.file(), prefix.lengthBytes());
    String text = sum.isPresent() ? Integer.toString(sum.getAsInt()) : "";
    replies.next().answer(new ValueAnswer(asked, text.getBytes(US_ASCII)));
    return true;
  }

  void closed(Greeting greeting, Follower connection) {
    newest.remove(greeting.follower(), connection);
  }

  /** The answer of an owner's own value to a follower. */
  record ValueAnswer(Request.MetaGet asked, byte[] value) implements ReplyQueue.Answerer {
    @Override
    public void writeTo(ByteBuf out) {
      MetaItem item = new MetaItem(value.length, 0, 0, -1, 0, false, true, false, false, false);
      MetaResponseWriter.found(
          out, asked.key(), asked.flags(), item, Unpooled.wrappedBuffer(value));
    }

    @Override
    public int lengthBytes() {
      return value.length;
    }
  }
}
