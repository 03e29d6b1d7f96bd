package io.counterpart.cache.proxy;

import io.counterpart.cache.protocol.Answer;
import io.counterpart.cache.protocol.ResponseWriter;
import io.counterpart.cache.tier.ObjectTier;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Command {@code stats} of one client: the proxy's counters of its clients, and the statistics of
 * the tier's servers. Errors are those of memcached 1.6.18. Belongs to the client's event loop.
 */
final class StatsCommand {
  private static final String BAD_LINE = "bad command line";
  private static final String BAD_FORMAT = "bad command line format";
  private static final int SLAB_CLASSES = 64;
  private static final int CACHEDUMP_ARGUMENTS = 3;

  /** Time after which the proxy answers without the servers' statistics. */
  private static final long PATIENCE_MILLIS = 400;

  private final ObjectTier tier;
  private final EventLoop loop;
  private final ProxyStatistics statistics;
  private final StatsLines lines;

  StatsCommand(Serving serving) {
    this.tier = serving.tier();
    this.loop = serving.memory().loop();
    this.statistics = serving.statistics();
    this.lines = new StatsLines(statistics);
  }

  /** Answers a client. */
  void answer(List<String> arguments, ReplyQueue.Reply reply) {
    String group = arguments.isEmpty() ? "" : arguments.get(0);
    switch (group) {
      case "" -> ask("", servers -> reply.answer(out -> lines.plain(servers, out)));
      case "settings" -> ask("", servers -> reply.answer(out -> lines.settings(servers, out)));
      case "items", "slabs" -> answerTier(group, reply);
      default -> reply.answer(out -> write(group, arguments, out));
    }
  }

  /**
   * Answers another proxy with the statistics of the tier's servers.
   *
   * @param group empty for the plain statistics
   */
  void answerTier(String group, ReplyQueue.Reply reply) {
    ask(group, servers -> reply.answer(out -> write(servers, out)));
  }

  private void ask(String group, Consumer<Map<String, Long>> done) {
    AtomicBoolean told = new AtomicBoolean();
    Consumer<Map<String, Long>> once =
        numbers -> {
          if (told.compareAndSet(false, true)) {
            done.accept(numbers);
          }
        };
    Future<?> late =
        loop.schedule(() -> once.accept(Map.of()), PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    tier.statistics(
        group,
        numbers -> {
          late.cancel(false);
          once.accept(numbers);
        });
  }

  private static void write(Map<String, Long> numbers, ByteBuf out) {
    numbers.forEach((name, number) -> ResponseWriter.stat(out, name, Long.toString(number)));
    Answer.END.writeTo(out);
  }

  /** Writes the statistics that need no server, as soon as earlier requests are answered. */
  private void write(String group, List<String> arguments, ByteBuf out) {
    switch (group) {
      case "reset" -> {
        statistics.reset();
        Answer.RESET.writeTo(out);
      }
      case "sizes" -> {
        ResponseWriter.stat(out, "sizes_status", "disabled");
        Answer.END.writeTo(out);
      }
      case "conns" -> lines.connections(out);
      case "detail" -> writeDetail(arguments.size() > 1 ? arguments.get(1) : "", out);
      case "cachedump" -> writeDump(arguments, out);
      default -> Answer.ERROR.writeTo(out);
    }
  }

  private void writeDetail(String argument, ByteBuf out) {
    switch (argument) {
      case "on", "off" -> {
        statistics.prefixes().turn(argument.equals("on"));
        Answer.OK.writeTo(out);
      }
      case "dump" -> statistics.prefixes().writeTo(out);
      default -> ResponseWriter.clientError(out, "usage: stats detail on|off|dump");
    }
  }

  /** Writes an empty dump: a tier's keys are on all servers, beside keys of its own. */
  private static void writeDump(List<String> arguments, ByteBuf out) {
    if (arguments.size() < CACHEDUMP_ARGUMENTS) {
      ResponseWriter.clientError(out, BAD_LINE);
      return;
    }
    long slabClass = number(arguments.get(1));
    long limit = number(arguments.get(2));
    if (slabClass < 0 || limit < 0) {
      ResponseWriter.clientError(out, BAD_FORMAT);
    } else if (slabClass >= SLAB_CLASSES) {
      ResponseWriter.clientError(out, "Illegal slab id");
    } else {
      Answer.END.writeTo(out);
    }
  }

  /** Parses a number of 32 unsigned bits; negative for anything else. */
  private static long number(String text) {
    try {
      return Integer.toUnsignedLong(Integer.parseUnsignedInt(text));
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
