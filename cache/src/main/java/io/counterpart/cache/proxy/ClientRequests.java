package io.counterpart.cache.proxy;

import io.counterpart.cache.protocol.Answer;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.Request;
import io.counterpart.cache.protocol.ResponseWriter;
import io.counterpart.cache.proxy.ClientCounts.Count;
import io.counterpart.cache.tier.DeleteCommand;
import io.counterpart.cache.tier.Status;
import org.jspecify.annotations.Nullable;

/** Dispatches each kind of request of one client. Belongs to the client's event loop. */
final class ClientRequests {
  private final Serving serving;
  private final ReplyQueue replies;
  private final ClassicCommands classic;
  private final MetaCommands meta;
  private final StatsCommand stats;
  private final boolean forwarded;
  private final Runnable close;

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

  /**
   * Begins a request.
   *
   * @return the read of keys that it begins; null if it begins none
   */
  ClassicCommands.@Nullable Lookup begin(Request request) {
    if (request instanceof Request.Get get) {
      return classic.begin(get);
    }
    if (request instanceof Request.Store store) {
      classic.store(store);
    } else if (request instanceof Request.Delete delete) {
      classic.delete(delete);
    } else if (request instanceof Request.Arithmetic arithmetic) {
      classic.arithmetic(arithmetic);
    } else if (request instanceof Request.Touch touch) {
      classic.touch(touch);
    } else if (request instanceof Request.FlushAll flush) {
      classic.flushAll(flush);
    } else if (request instanceof Request.MetaGet get) {
      meta.get(get);
    } else if (request instanceof Request.MetaSet set) {
      meta.set(set);
    } else if (request instanceof Request.MetaDelete delete) {
      meta.delete(delete);
    } else if (request instanceof Request.MetaArithmetic arithmetic) {
      meta.arithmetic(arithmetic);
    } else if (request instanceof Request.MetaDebug debug) {
      meta.debug(debug);
    } else if (request instanceof Request.Stats asked) {
      stats(asked);
    } else if (request instanceof Request.Verbosity verbosity) {
      verbosity(verbosity);
    } else if (request instanceof Request.Refused refused) {
      refused(refused);
    } else {
      plain((Request.Plain) request);
    }
    return null;
  }

  private void stats(Request.Stats request) {
    if (forwarded) {
      stats.answerTier(
          request.arguments().isEmpty() ? "" : request.arguments().get(0), replies.next());
    } else {
      stats.answer(request.arguments(), replies.next());
    }
  }

  private void verbosity(Request.Verbosity request) {
    if (!request.noreply()) {
      replies.next().answer(Answer.OK::writeTo);
    }
  }

  private void plain(Request.Plain request) {
    switch (request) {
      case VERSION ->
          replies.next().answer(out -> ResponseWriter.version(out, ProxyStatistics.VERSION));
      case NOOP -> replies.next().answer(Answer.MN::writeTo);
      case QUIT -> close.run();
    }
  }

  private void refused(Request.Refused request) {
    Key dropped = request.dropped();
    if (request.answer().endsWith(Status.TOO_LARGE.error())) {
      serving.statistics().counts().add(Count.STORE_TOO_LARGE);
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
