package io.counterpart.cache.proxy;

import io.counterpart.cache.protocol.Answer;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.Request;
import io.counterpart.cache.protocol.RequestDecoder;
import io.counterpart.cache.protocol.RequestHandler;
import io.counterpart.cache.protocol.ResponseWriter;
import io.counterpart.cache.tier.DeleteCommand;
import io.counterpart.cache.tier.ObjectTier;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's connection: its bytes become operations, their outcomes become answers. A client
 * that sends faster than it is answered, or does not read, is not read from until that is done.
 * Belongs to its event loop.
 */
final class ClientHandler extends ChannelInboundHandlerAdapter implements RequestHandler {
  private static final Logger logger = LoggerFactory.getLogger(ClientHandler.class);
  private static final int MOST_WAITING = 4096;

  private final ObjectTier tier;
  private final ProxyStatistics statistics;
  private final @Nullable Follower follower;
  private final RequestDecoder decoder = new RequestDecoder();
  private @Nullable Client client;
  private ByteBuf unread = Unpooled.EMPTY_BUFFER;

  /** What exists while the connection does. */
  private record Client(
      ChannelHandlerContext context,
      ReplyQueue replies,
      ClassicCommands classic,
      MetaCommands meta) {}

  /**
   * @param follower what is known of the client, if it is another proxy; else null
   */
  ClientHandler(ObjectTier tier, ProxyStatistics statistics, @Nullable Follower follower) {
    this.tier = tier;
    this.statistics = statistics;
    this.follower = follower;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    statistics.connected();
    ReplyQueue replies = new ReplyQueue(context.channel());
    client =
        new Client(
            context,
            replies,
            new ClassicCommands(tier, replies, statistics),
            new MetaCommands(tier, replies, statistics, follower != null));
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    unread =
        ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(context.alloc(), unread, (ByteBuf) message);
    proceed();
  }

  /** Takes what is complete, as long as answers keep up. */
  private void proceed() {
    Client current = client();
    while (!isFull(current)) {
      Request request = decoder.next(unread);
      if (request == null) {
        break;
      }
      if (follower == null || follower.admits(request, current.context(), current.replies())) {
        statistics.requested();
        request.dispatch(this);
      }
    }
    if (!unread.isReadable()) {
      unread.release();
      unread = Unpooled.EMPTY_BUFFER;
    }
    boolean full = isFull(current);
    current.context().channel().config().setAutoRead(!full);
    if (full) {
      current.replies().whenFewerThan(MOST_WAITING / 2, this::proceed);
    }
  }

  private static boolean isFull(Client current) {
    return current.replies().waiting() >= MOST_WAITING || !current.context().channel().isWritable();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (context.channel().isWritable() && !context.channel().config().isAutoRead()) {
      proceed();
    }
  }

  /** A client that has said all may still want to hear all. */
  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event == ChannelInputShutdownEvent.INSTANCE || event instanceof SslCloseCompletionEvent) {
      closeAfterAnswers();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    statistics.disconnected();
    client().replies().close();
    if (follower != null) {
      follower.closed();
    }
    unread.release();
    unread = Unpooled.EMPTY_BUFFER;
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    // a client that goes away in the middle, or does not speak TLS, is no event
    if (!(cause instanceof IOException || cause.getCause() instanceof IOException)) {
      logger.error("connection of {} closed", context.channel().remoteAddress(), cause);
    }
    context.close();
  }

  private Client client() {
    if (client == null) {
      throw new IllegalStateException("not connected yet");
    }
    return client;
  }

  @Override
  public void get(Request.Get request) {
    client().classic().get(request);
  }

  @Override
  public void store(Request.Store request) {
    client().classic().store(request);
  }

  @Override
  public void delete(Request.Delete request) {
    client().classic().delete(request);
  }

  @Override
  public void arithmetic(Request.Arithmetic request) {
    client().classic().arithmetic(request);
  }

  @Override
  public void touch(Request.Touch request) {
    client().classic().touch(request);
  }

  @Override
  public void flushAll(Request.FlushAll request) {
    client().classic().flushAll(request);
  }

  @Override
  public void metaGet(Request.MetaGet request) {
    client().meta().get(request);
  }

  @Override
  public void metaSet(Request.MetaSet request) {
    client().meta().set(request);
  }

  @Override
  public void metaDelete(Request.MetaDelete request) {
    client().meta().delete(request);
  }

  @Override
  public void metaArithmetic(Request.MetaArithmetic request) {
    client().meta().arithmetic(request);
  }

  @Override
  public void metaDebug(Request.MetaDebug request) {
    client().meta().debug(request);
  }

  @Override
  public void stats(Request.Stats request) {
    client().replies().next().answer(out -> statistics.write(request.arguments(), out));
  }

  @Override
  public void verbosity(Request.Verbosity request) {
    if (!request.noreply()) {
      client().replies().next().answer(Answer.OK::writeTo);
    }
  }

  @Override
  public void plain(Request.Plain request) {
    ReplyQueue replies = client().replies();
    switch (request) {
      case VERSION ->
          replies.next().answer(out -> ResponseWriter.version(out, ProxyStatistics.VERSION));
      case NOOP -> replies.next().answer(Answer.MN::writeTo);
      case QUIT -> closeAfterAnswers();
    }
  }

  @Override
  public void refused(Request.Refused request) {
    Key dropped = request.dropped();
    ReplyQueue.Reply reply = client().replies().next();
    if (dropped == null) {
      reply.answer(out -> ResponseWriter.refusal(out, request));
    } else {
      // the client must not read what it wanted to replace
      tier.delete(
          DeleteCommand.of(dropped),
          outcome -> reply.answer(out -> ResponseWriter.refusal(out, request)));
    }
    if (request.closes()) {
      closeAfterAnswers();
    }
  }

  private void closeAfterAnswers() {
    ChannelHandlerContext context = client().context();
    client().replies().whenSent(context::close);
  }
}
