package io.counterpart.cache.proxy;

import io.counterpart.cache.protocol.Answer;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.Request;
import io.counterpart.cache.protocol.RequestHandler;
import io.counterpart.cache.protocol.ResponseWriter;
import io.counterpart.cache.tier.DeleteCommand;
import io.counterpart.cache.tier.Status;
import org.jspecify.annotations.Nullable;

/** Dispatches each kind of request of one client. Belongs to the client's event loop. */
final class ClientRequests implements RequestHandler {
  private final Serving serving;
  private final ReplyQueue replies;
  private final ClassicCommands classic;
  private final MetaCommands meta;
  private final StatsCommand stats;
  private final boolean forwarded;
  private final Runnable close;
  private ClassicCommands.@Nullable Lookup lookup;

  /**
   * @param forwarded whether the client is another proxy
   * @param close closes the connection after the answers so far
   */
  ClientRequests(Serving serving, ReplyQueue replies, boolean forwarded, Runnable close) {
    this.serving = serving;
    this.replies = replies;
    this.close = close;
    classic = new ClassicCommands(serving, replies);
    meta = new MetaCommands(serving, replies, forwarded);
    stats = new StatsCommand(serving);
    this.forwarded = forwarded;
  }

  /** The read of keys that the last request has begun; null if it has begun none. */
  ClassicCommands.@Nullable Lookup takeLookup() {
    ClassicCommands.Lookup taken = lookup;
    lookup = null;
    return taken;
  }

  @Override
  public void get(Request.Get request) {
    lookup = classic.begin(request);
  }

  @Override
  public void store(Request.Store request) {
    classic.store(request);
  }

  @Override
  public void delete(Request.Delete request) {
    classic.delete(request);
  }

  @Override
  public void arithmetic(Request.Arithmetic request) {
    classic.arithmetic(request);
  }

  @Override
  public void touch(Request.Touch request) {
    classic.touch(request);
  }

  @Override
  public void flushAll(Request.FlushAll request) {
    classic.flushAll(request);
  }

  @Override
  public void metaGet(Request.MetaGet request) {
    meta.get(request);
  }

  @Override
  public void metaSet(Request.MetaSet request) {
    meta.set(request);
  }

  @Override
  public void metaDelete(Request.MetaDelete request) {
    meta.delete(request);
  }

  @Override
  public void metaArithmetic(Request.MetaArithmetic request) {
    meta.arithmetic(request);
  }

  @Override
  public void metaDebug(Request.MetaDebug request) {
    meta.debug(request);
  }

  @Override
  public void stats(Request.Stats request) {
    if (forwarded) {
      stats.answerTier(
          request.arguments().isEmpty() ? "" : request.arguments().get(0), replies.next());
    } else {
      stats.answer(request.arguments(), replies.next());
    }
  }

  @Override
  public void verbosity(Request.Verbosity request) {
    if (!request.noreply()) {
      replies.next().answer(Answer.OK::writeTo);
    }
  }

  @Override
  public void plain(Request.Plain request) {
    switch (request) {
      case VERSION ->
          replies.next().answer(out -> ResponseWriter.version(out, ProxyStatistics.VERSION));
      case NOOP -> replies.next().answer(Answer.MN::writeTo);
      case QUIT -> close.run();
    }
  }

  @Override
  public void refused(Request.Refused request) {
    Key dropped = request.dropped();
    if (request.answer().endsWith(Status.TOO_LARGE.error())) {
      serving.statistics().tooLarge();
    }
    ReplyQueue.Reply reply = replies.next();
    if (dropped == null) {
      reply.answer(out -> ResponseWriter.refusal(out, request));
    } else {
      // the client must not read what it wanted to replace
      serving
          .tier()
          .delete(
              DeleteCommand.of(dropped),
              outcome -> reply.answer(out -> ResponseWriter.refusal(out, request)));
    }
    if (request.closes()) {
      close.run();
    }
  }
}
