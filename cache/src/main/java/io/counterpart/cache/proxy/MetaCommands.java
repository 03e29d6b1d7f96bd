package io.counterpart.cache.proxy;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.counterpart.cache.protocol.Answer;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.MetaFlags;
import io.counterpart.cache.protocol.MetaItem;
import io.counterpart.cache.protocol.MetaResponseWriter;
import io.counterpart.cache.protocol.MetaStatus;
import io.counterpart.cache.protocol.Request;
import io.counterpart.cache.protocol.StoreMode;
import io.counterpart.cache.proxy.ClientCounts.Count;
import io.counterpart.cache.tier.ArithmeticCommand;
import io.counterpart.cache.tier.DeleteCommand;
import io.counterpart.cache.tier.GetOptions;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.NumberOutcome;
import io.counterpart.cache.tier.ObjectTier;
import io.counterpart.cache.tier.Status;
import io.counterpart.cache.tier.StoreCommand;
import io.counterpart.cache.tier.WriteOutcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/** Executes the meta commands of one client. Belongs to the client's event loop. */
final class MetaCommands {
  private final ObjectTier tier;
  private final ReplyQueue replies;
  private final ProxyStatistics statistics;
  private final RequestCosts costs;
  private final boolean forwarded;

  /**
   * @param forwarded whether the client is another proxy, which asks on behalf of clients
   */
  MetaCommands(Serving serving, ReplyQueue replies, boolean forwarded) {
    this.tier = serving.tier();
    this.replies = replies;
    this.statistics = serving.statistics();
    this.costs = serving.costs();
    this.forwarded = forwarded;
  }

  void get(Request.MetaGet request) {
    MetaFlags flags = request.flags();
    ReplyQueue.Reply reply = replies.next();
    tier.get(
        request.key(),
        new GetOptions(
            flags.has('v'),
            !(forwarded && flags.has('P')),
            flags.binaryKey(),
            given(flags, 'T', flags.exptime()),
            given(flags, 'N', flags.vivifyExptime()),
            given(flags, 'R', flags.recacheExptime()),
            order(flags)),
        outcome -> {
          statistics.read(outcome, flags.has('T'));
          costs.read(outcome);
          reply.answer(new Read(request.key(), flags, outcome));
        });
  }

  private record Read(Key key, MetaFlags flags, GetOutcome outcome) implements ReplyQueue.Answerer {
    @Override
    public void writeTo(ByteBuf out) {
      if (outcome instanceof GetOutcome.Found found) {
        MetaResponseWriter.found(out, key, flags, found.item(), found.value());
        drop();
        return;
      }
      Status status = ((GetOutcome.None) outcome).status();
      if (status != Status.NOT_FOUND) {
        Lines.of(status, Answer.OK).writeTo(out);
      } else if (!flags.quiet()) {
        MetaResponseWriter.status(out, MetaStatus.EN, key, flags);
      }
    }

    @Override
    public int lengthBytes() {
      return outcome instanceof GetOutcome.Found found ? found.value().readableBytes() : 0;
    }

    @Override
    public ReplyQueue.Answerer kept() {
      return outcome instanceof GetOutcome.Found found ? new Read(key, flags, found.copy()) : this;
    }

    @Override
    public ReplyQueue.Answerer withoutMemory() {
      return new Read(key, flags, new GetOutcome.None(Status.NO_ANSWER_MEMORY));
    }

    @Override
    public void drop() {
      if (outcome instanceof GetOutcome.Found found) {
        found.value().release();
      }
    }
  }

  void set(Request.MetaSet request) {
    statistics.counts().add(Count.CMD_SET);
    MetaFlags flags = request.flags();
    ReplyQueue.Reply reply = replies.next();
    tier.store(
        new StoreCommand(
            request.key(),
            request.mode(),
            flags.clientFlags(),
            flags.exptime(),
            flags.cas(),
            flags.has('I') && request.mode() == StoreMode.CAS,
            request.value()),
        outcome -> {
          request.release();
          statistics.stored(request.mode(), outcome.status());
          reply.answer(out -> stored(out, request, outcome));
        });
  }

  private static void stored(ByteBuf out, Request.MetaSet request, WriteOutcome outcome) {
    MetaStatus status = meta(outcome.status());
    if (status == null) {
      Lines.of(outcome.status(), Answer.OK).writeTo(out);
    } else if (status != MetaStatus.HD || !request.flags().quiet()) {
      MetaResponseWriter.stored(out, status, request.key(), request.flags(), outcome.cas());
    }
  }

  void delete(Request.MetaDelete request) {
    MetaFlags flags = request.flags();
    ReplyQueue.Reply reply = replies.next();
    tier.delete(
        new DeleteCommand(
            request.key(),
            flags.has('C') ? Long.valueOf(flags.cas()) : null,
            flags.has('I'),
            given(flags, 'T', flags.exptime())),
        outcome -> {
          if (!flags.has('I') || outcome.status() != Status.DONE) {
            statistics.deleted(outcome.status());
          }
          reply.answer(out -> changed(out, request.key(), flags, outcome.status()));
        });
  }

  void arithmetic(Request.MetaArithmetic request) {
    MetaFlags flags = request.flags();
    ReplyQueue.Reply reply = replies.next();
    String order = order(flags);
    // of two exptimes for a new number the later one counts
    boolean isTouched = order.indexOf('T') > order.indexOf('N');
    int exptime = isTouched ? flags.exptime() : flags.vivifyExptime();
    ArithmeticCommand.Initial initial =
        flags.has('N') ? new ArithmeticCommand.Initial(flags.initial(), exptime) : null;
    tier.arithmetic(
        new ArithmeticCommand(
            request.key(),
            request.increments(),
            flags.delta(),
            initial,
            given(flags, 'T', flags.exptime()),
            flags.cas()),
        outcome -> {
          if (!outcome.created()) {
            statistics.added(request.increments(), outcome.status());
          }
          reply.answer(
              out -> {
                if (forwarded && outcome.status() == Status.DONE) {
                  forwardedNumber(out, request, outcome);
                } else {
                  number(out, request.key(), flags, outcome);
                }
              });
        });
  }

  private static void number(ByteBuf out, Key key, MetaFlags flags, NumberOutcome outcome) {
    if (outcome.status() != Status.DONE) {
      changed(out, key, flags, outcome.status());
    } else if (outcome.created() || !flags.quiet()) {
      MetaResponseWriter.number(
          out, key, flags, outcome.number(), outcome.cas(), outcome.ttlSeconds());
    }
  }

  /**
   * Answers {@code ma} of a follower; {@code W}, which no other answer to {@code ma} has, means
   * that the number was created.
   */
  private static void forwardedNumber(
      ByteBuf out, Request.MetaArithmetic request, NumberOutcome outcome) {
    ByteBuf digits = Unpooled.copiedBuffer(Long.toUnsignedString(outcome.number()), US_ASCII);
    MetaItem item =
        new MetaItem(
            digits.readableBytes(),
            0,
            outcome.cas(),
            outcome.ttlSeconds(),
            0,
            false,
            false,
            outcome.created(),
            false,
            false);
    MetaResponseWriter.found(out, request.key(), request.flags(), item, digits);
  }

  private static void changed(ByteBuf out, Key key, MetaFlags flags, Status outcome) {
    MetaStatus status = meta(outcome);
    if (status == null) {
      Lines.of(outcome, Answer.OK).writeTo(out);
    } else if (status != MetaStatus.HD || !flags.quiet()) {
      MetaResponseWriter.status(out, status, key, flags);
    }
  }

  void debug(Request.MetaDebug request) {
    statistics.counts().add(Count.CMD_META);
    Key key = request.key();
    ReplyQueue.Reply reply = replies.next();
    tier.inspect(
        key,
        facts ->
            reply.answer(
                out -> {
                  if (facts.isEmpty()) {
                    MetaResponseWriter.debugMiss(out);
                  } else {
                    MetaResponseWriter.debug(out, key, !key.isText(), facts);
                  }
                }));
  }

  private static String order(MetaFlags flags) {
    StringBuilder order = new StringBuilder();
    for (int i = 0; i < flags.count(); i++) {
      if ("TNRt".indexOf(flags.at(i)) >= 0) {
        order.append(flags.at(i));
      }
    }
    return order.toString();
  }

  private static @Nullable Integer given(MetaFlags flags, char letter, int value) {
    return flags.has(letter) ? Integer.valueOf(value) : null;
  }

  /** The code of a status; null if it has none of its own. */
  private static @Nullable MetaStatus meta(Status status) {
    return switch (status) {
      case DONE -> MetaStatus.HD;
      case NOT_STORED -> MetaStatus.NS;
      case EXISTS -> MetaStatus.EX;
      case NOT_FOUND -> MetaStatus.NF;
      case NOT_A_NUMBER,
          TOO_LARGE,
          OUT_OF_MEMORY,
          NO_ANSWER_MEMORY,
          UNAVAILABLE,
          STORE_UNAVAILABLE,
          OVERLOADED ->
          null;
    };
  }
}
