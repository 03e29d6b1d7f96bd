package io.counterpart.cache.proxy;

import io.counterpart.cache.protocol.Answer;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.Request;
import io.counterpart.cache.protocol.ResponseWriter;
import io.counterpart.cache.tier.ArithmeticCommand;
import io.counterpart.cache.tier.DeleteCommand;
import io.counterpart.cache.tier.GetOptions;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.ObjectTier;
import io.counterpart.cache.tier.Status;
import io.counterpart.cache.tier.StoreCommand;
import io.netty.buffer.ByteBuf;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;

/** Classic commands of one client. Belongs to the client's event loop. */
final class ClassicCommands {
  // a client that wants no answer is told of these all the same, as memcached does it
  private static final Set<Status> TOLD_ALWAYS =
      EnumSet.of(
          Status.TOO_LARGE,
          Status.OUT_OF_MEMORY,
          Status.UNAVAILABLE,
          Status.STORE_UNAVAILABLE,
          Status.OVERLOADED);

  private final ObjectTier tier;
  private final ReplyQueue replies;
  private final ProxyStatistics statistics;

  ClassicCommands(ObjectTier tier, ReplyQueue replies, ProxyStatistics statistics) {
    this.tier = tier;
    this.replies = replies;
    this.statistics = statistics;
  }

  void get(Request.Get request) {
    Lookup lookup = new Lookup(request.withCas(), statistics);
    GetOptions options =
        request.touches() ? GetOptions.touching(request.exptime()) : GetOptions.PLAIN;
    for (Key key : request.keys()) {
      ReplyQueue.Reply reply = replies.next();
      tier.get(key, options, outcome -> reply.answer(lookup.answer(key, outcome)));
    }
    replies.next().answer(lookup::end);
  }

  /** The items of one request and the line that ends them. */
  private static final class Lookup {
    private final boolean withCas;
    private final ProxyStatistics statistics;
    private boolean failed;

    Lookup(boolean withCas, ProxyStatistics statistics) {
      this.withCas = withCas;
      this.statistics = statistics;
    }

    ReplyQueue.Answerer answer(Key key, GetOutcome outcome) {
      statistics.read(outcome);
      return outcome instanceof GetOutcome.Found found
          ? new Item(key, found)
          : out -> missing(((GetOutcome.None) outcome).status(), out);
    }

    private void missing(Status status, ByteBuf out) {
      if (status != Status.NOT_FOUND && !failed) {
        failed = true;
        Lines.of(status, Answer.END).writeTo(out);
      }
    }

    void end(ByteBuf out) {
      // an error ends a request too
      if (!failed) {
        Answer.END.writeTo(out);
      }
    }

    private final class Item implements ReplyQueue.Answerer {
      private final Key key;
      private final GetOutcome.Found found;

      Item(Key key, GetOutcome.Found found) {
        this.key = key;
        this.found = found;
      }

      @Override
      public void writeTo(ByteBuf out) {
        if (failed) {
          drop();
          return;
        }
        if (withCas) {
          ResponseWriter.value(out, key, found.item().flags(), found.item().cas(), found.value());
        } else {
          ResponseWriter.value(out, key, found.item().flags(), found.value());
        }
        drop();
      }

      @Override
      public void drop() {
        found.value().release();
      }
    }
  }

  void store(Request.Store request) {
    statistics.stored();
    Consumer<Status> done = simple(Answer.STORED, request.noreply());
    tier.store(
        new StoreCommand(
            request.key(),
            request.mode(),
            request.flags(),
            request.exptime(),
            request.cas(),
            false,
            request.value()),
        outcome -> {
          request.release();
          done.accept(outcome.status());
        });
  }

  void delete(Request.Delete request) {
    Consumer<Status> done = simple(Answer.DELETED, request.noreply());
    tier.delete(DeleteCommand.of(request.key()), outcome -> done.accept(outcome.status()));
  }

  void arithmetic(Request.Arithmetic request) {
    ReplyQueue.Reply reply = replies.next();
    tier.arithmetic(
        new ArithmeticCommand(request.key(), request.increments(), request.delta(), null, null, 0),
        outcome ->
            reply.answer(
                out -> {
                  Status status = outcome.status();
                  if (request.noreply() && !TOLD_ALWAYS.contains(status)) {
                    return;
                  }
                  if (status == Status.DONE) {
                    ResponseWriter.number(out, outcome.number());
                  } else {
                    Lines.of(status, Answer.OK).writeTo(out);
                  }
                }));
  }

  void touch(Request.Touch request) {
    statistics.touched();
    Consumer<Status> done = simple(Answer.TOUCHED, request.noreply());
    tier.get(
        request.key(),
        new GetOptions(false, false, false, request.exptime(), null, null, "T"),
        outcome -> {
          if (outcome instanceof GetOutcome.Found found) {
            found.value().release();
            done.accept(Status.DONE);
          } else {
            done.accept(((GetOutcome.None) outcome).status());
          }
        });
  }

  void flushAll(Request.FlushAll request) {
    statistics.flushed();
    Consumer<Status> done = simple(Answer.OK, request.noreply());
    tier.flushAll(request.delay(), outcome -> done.accept(outcome.status()));
  }

  /** A place for a line that tells the status. */
  private Consumer<Status> simple(Answer good, boolean noreply) {
    ReplyQueue.Reply reply = replies.next();
    return status ->
        reply.answer(
            out -> {
              if (!noreply || TOLD_ALWAYS.contains(status)) {
                Lines.of(status, good).writeTo(out);
              }
            });
  }
}
