package io.counterpart.cache.proxy;

import io.counterpart.cache.forward.ForwardLimits;
import io.counterpart.cache.forward.OwnershipSecret.Greeting;
import io.counterpart.cache.protocol.MetaResponseWriter;
import io.counterpart.cache.protocol.MetaStatus;
import io.counterpart.cache.protocol.Request;
import io.counterpart.cache.protocol.ResponseWriter;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The owner's end of a connection from a follower. The follower must prove that it knows the
 * ownership secret; after that its requests are executed unless they are too old. A request that
 * waited in a socket while this process stood still may have been given up, and its client may have
 * written anew. Belongs to the tier's event loop.
 */
final class Follower {
  private final Followers all;
  private @Nullable Greeting greeting;
  private @Nullable ChannelHandlerContext context;
  private long sentMillis;
  private boolean ended;

  Follower(Followers all) {
    this.all = all;
  }

  /** Number of the connection among those of its process. */
  int number() {
    return greeting == null ? -1 : greeting.connection();
  }

  /** Whether a request is to be executed; else it is answered, or dropped, here. */
  boolean admits(Request request, ChannelHandlerContext channel, ReplyQueue replies) {
    if (!ended && greeting != null) {
      if (request instanceof Request.MetaGet get && all.answersCopy(get, replies)) {
        request.release();
        return false;
      }
      Long time = request instanceof Request.MetaGet get ? all.secret().time(get.key()) : null;
      if (time == null && all.nowMillis() - sentMillis <= ForwardLimits.REQUEST_AGE.toMillis()) {
        return true;
      }
      if (time == null) {
        replies.next().answer(out -> ResponseWriter.serverError(out, "the request is too old"));
      } else {
        sentMillis = time;
        acknowledge((Request.MetaGet) request, replies);
      }
    } else if (!ended) {
      greet(request, channel, replies);
    }
    request.release();
    return false;
  }

  /** Answers a time: with this clock, if the follower asks for that to correct its estimate. */
  private void acknowledge(Request.MetaGet mark, ReplyQueue replies) {
    if (mark.flags().has('v')) {
      tell(all.nowMillis(), mark, replies);
      return;
    }
    replies
        .next()
        .answer(out -> MetaResponseWriter.status(out, MetaStatus.HD, mark.key(), mark.flags()));
  }

  private void greet(Request request, ChannelHandlerContext channel, ReplyQueue replies) {
    if (request instanceof Request.MetaGet asked && all.answersQuestion(asked, replies)) {
      return;
    }
    Greeting said =
        request instanceof Request.MetaGet get ? all.secret().greeting(get.key()) : null;
    context = channel;
    if (said == null || !all.admit(said, this)) {
      end();
      return;
    }
    greeting = said;
    sentMillis = all.nowMillis();
    tell(sentMillis, (Request.MetaGet) request, replies);
  }

  private static void tell(long millis, Request.MetaGet asked, ReplyQueue replies) {
    byte[] digits = Long.toString(millis).getBytes(StandardCharsets.US_ASCII);
    replies.next().answer(new Followers.ValueAnswer(asked, digits));
  }

  /** Closes a connection that sends no greeting in time. */
  void requireGreeting(Channel channel) {
    if (greeting == null) {
      channel.close();
    }
  }

  /** Executes no further request of this connection. */
  void end() {
    ended = true;
    if (context != null) {
      context.close();
    }
  }

  void closed() {
    ended = true;
    if (greeting != null) {
      all.closed(greeting, this);
    }
  }
}
