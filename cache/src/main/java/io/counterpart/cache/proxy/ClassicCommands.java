package io.counterpart.cache.proxy;

import io.counterpart.cache.protocol.Answer;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.Request;
import io.counterpart.cache.protocol.ResponseWriter;
import io.counterpart.cache.proxy.ClientCounts.Count;
import io.counterpart.cache.tier.ArithmeticCommand;
import io.counterpart.cache.tier.DeleteCommand;
import io.counterpart.cache.tier.GetOptions;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.ObjectTier;
import io.counterpart.cache.tier.Status;
import io.counterpart.cache.tier.StoreCommand;
import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Executes the classic commands of one client. Belongs to the client's event loop. */
final class ClassicCommands {
  private final ObjectTier tier;
  private final ReplyQueue replies;
  private final ProxyStatistics statistics;
  private final RequestCosts costs;

  /**
   * Counts by prefix, in the order of the answers, as clients switch them on, read and clear them.
   */
  private final PrefixCounts prefixes;

  ClassicCommands(Serving serving, ReplyQueue replies) {
    this.tier = serving.tier();
    this.replies = replies;
    this.statistics = serving.statistics();
    this.costs = serving.costs();
    this.prefixes = statistics.prefixes();
  }

  /** Begins a read of keys, with one step for each key. */
  Lookup begin(Request.Get request) {
    return new Lookup(request);
  }

  /** The items of one request and the line that ends them. */
  final class Lookup {
    private final Request.Get request;
    private final GetOptions options;
    private int next;
    private boolean failed;

    private Lookup(Request.Get request) {
      this.request = request;
      options = request.touches() ? GetOptions.touching(request.exptime()) : GetOptions.PLAIN;
    }

    /** The next key to read; null after the last one. */
    @Nullable Key nextKey() {
      return next < request.keys().size() ? request.keys().get(next) : null;
    }

    boolean touches() {
      return request.touches();
    }

    /** Reads the next key. */
    void read() {
      Key key = request.keys().get(next++);
      ReplyQueue.Reply reply = replies.next();
      tier.get(key, options, outcome -> reply.answer(answer(key, outcome)));
    }

    /** Puts the final line into its place. */
    void end() {
      replies.next().answer(this::endLine);
    }

    private ReplyQueue.Answerer answer(Key key, GetOutcome outcome) {
      statistics.read(outcome, request.touches());
      costs.read(outcome);
      return outcome instanceof GetOutcome.Found found
          ? new Item(key, found)
          : out -> missing(key, ((GetOutcome.None) outcome).status(), out);
    }

    private void missing(Key key, Status status, ByteBuf out) {
      prefixes.read(key, false);
      if (status != Status.NOT_FOUND && !failed) {
        failed = true;
        Lines.of(status, Answer.END).writeTo(out);
      }
    }

    private void endLine(ByteBuf out) {
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
        prefixes.read(key, true);
        if (request.withCas()) {
          ResponseWriter.value(out, key, found.item().flags(), found.item().cas(), found.value());
        } else {
          ResponseWriter.value(out, key, found.item().flags(), found.value());
        }
        drop();
      }

      @Override
      public int lengthBytes() {
        return found.value().readableBytes();
      }

      @Override
      public ReplyQueue.Answerer kept() {
        return new Item(key, found.copy());
      }

      @Override
      public ReplyQueue.Answerer withoutMemory() {
        return out -> missing(key, Status.NO_ANSWER_MEMORY, out);
      }

      @Override
      public void drop() {
        found.value().release();
      }
    }
  }

  void store(Request.Store request) {
    statistics.counts().add(Count.CMD_SET);
    Consumer<Status> done =
        simple(Answer.STORED, request.noreply(), () -> prefixes.written(request.key()));
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
          statistics.stored(request.mode(), outcome.status());
          done.accept(outcome.status());
        });
  }

  void delete(Request.Delete request) {
    Consumer<Status> done =
        simple(Answer.DELETED, request.noreply(), () -> prefixes.deleted(request.key()));
    tier.delete(
        DeleteCommand.of(request.key()),
        outcome -> {
          statistics.deleted(outcome.status());
          done.accept(outcome.status());
        });
  }

  void arithmetic(Request.Arithmetic request) {
    ReplyQueue.Reply reply = replies.next();
    tier.arithmetic(
        new ArithmeticCommand(request.key(), request.increments(), request.delta(), null, null, 0),
        outcome -> {
          Status status = outcome.status();
          statistics.added(request.increments(), status);
          reply.answer(
              out -> {
                if (request.noreply()) {
                  return;
                }
                if (status == Status.DONE) {
                  ResponseWriter.number(out, outcome.number());
                } else {
                  Lines.of(status, Answer.OK).writeTo(out);
                }
              });
        });
  }

  void touch(Request.Touch request) {
    Consumer<Status> done = simple(Answer.TOUCHED, request.noreply(), () -> {});
    tier.get(
        request.key(),
        new GetOptions(false, false, false, request.exptime(), null, null, "T"),
        outcome -> {
          Status status = Status.DONE;
          if (outcome instanceof GetOutcome.Found found) {
            found.value().release();
          } else {
            status = ((GetOutcome.None) outcome).status();
          }
          statistics.touched(status);
          done.accept(status);
        });
  }

  void flushAll(Request.FlushAll request) {
    statistics.counts().add(Count.CMD_FLUSH);
    Consumer<Status> done = simple(Answer.OK, request.noreply(), () -> {});
    tier.flushAll(request.delay(), outcome -> done.accept(outcome.status()));
  }

  /**
   * A place for a status line.
   *
   * @param told runs when the line's turn comes
   */
  private Consumer<Status> simple(Answer good, boolean noreply, Runnable told) {
    ReplyQueue.Reply reply = replies.next();
    return status ->
        reply.answer(
            out -> {
              told.run();
              if (!noreply) {
                Lines.of(status, good).writeTo(out);
              }
            });
  }
}
