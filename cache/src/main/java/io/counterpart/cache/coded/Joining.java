package io.counterpart.cache.coded;

import io.counterpart.cache.backend.ReplyHandler;
import io.counterpart.cache.backend.ServerLostException;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.ReplyStatus;
import io.counterpart.cache.protocol.ServerReply;
import io.counterpart.cache.protocol.ServerRequestWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a server goes through between its connection and its use: it does no more of what it got
 * through lost connections; a stale one is emptied; one that was emptied by others is known by its
 * missing mark, and one that has not got back yet what it had by what its mark says. A step that
 * fails loses the connection or does nothing: the next connection begins anew.
 */
final class Joining {
  private static final Logger logger = LoggerFactory.getLogger(Joining.class);
  private static final long RETRY_MILLIS = 50;
  private static final ByteBuf WHOLE = mark("counterpart");
  private static final ByteBuf LACKING = mark("lacking");

  private final EventLoop loop;
  private final Key mark;
  private final Outcome outcome;
  private final Map<ServerLink, Attempt> attempts = new HashMap<>();

  /** Takes servers that are ready. */
  @FunctionalInterface
  interface Outcome {
    /**
     * May be used.
     *
     * @param empty whether it has lost what it had, and has not got it back
     */
    void ready(ServerLink link, boolean empty);
  }

  Joining(EventLoop loop, int shard, Outcome outcome) {
    this.loop = loop;
    this.mark = OwnKeys.mark(shard);
    this.outcome = outcome;
  }

  private static ByteBuf mark(String text) {
    return Unpooled.unreleasableBuffer(
        Unpooled.wrappedBuffer(text.getBytes(StandardCharsets.US_ASCII)));
  }

  /** Has a server that is used be told from now on from one that lacks items. */
  void noteWhole(ServerLink link) {
    if (link.isUsable()) {
      link.set(mark, WHOLE.duplicate(), stored -> {});
    }
  }

  /** Begins anew, whatever is under way for the server. */
  void begin(ServerLink link) {
    Attempt attempt = new Attempt(link);
    attempts.put(link, attempt);
    attempt.begin();
  }

  /** One attempt, which the next one of the same server ends. */
  private final class Attempt {
    private final ServerLink link;

    Attempt(ServerLink link) {
      this.link = link;
    }

    /**
     * A tier evicts nothing, so that the order in which memcached would is work for nobody. Pages
     * move when the tier asks for it: only a page whose items find room elsewhere drops none.
     */
    void begin() {
      ask(answer -> ask(also -> checkSettings()).noSlabAutomove()).flatLru();
    }

    /**
     * A server that is refused stays connected: its next start, with other settings, is noticed.
     */
    private void checkSettings() {
      ServerSettings settings = new ServerSettings();
      ask(reply -> {
            String refusal = settings.refusal();
            if (reply.status() == ReplyStatus.STAT) {
              settings.line(reply.text());
            } else if (refusal != null) {
              logger.error("server {} is not used: {}", link, refusal);
            } else {
              link.memory().joined(settings.limitBytes());
              awaitOldConnections();
            }
          })
          .stats("settings");
    }

    /** Whoever relies on what a server holds must not have old writes come after it. */
    private void awaitOldConnections() {
      Set<Integer> lost = new HashSet<>(link.connection().lostPorts());
      // a port that is in use again is that of no older connection
      lost.remove(link.connection().localPort());
      if (lost.isEmpty()) {
        proceed();
        return;
      }
      Set<Integer> still = new HashSet<>();
      ask(reply -> {
            if (reply.status() == ReplyStatus.STAT) {
              lost.stream().filter(port -> isAddress(reply, port)).forEach(still::add);
            } else if (still.isEmpty()) {
              proceed();
            } else {
              loop.schedule(this::retry, RETRY_MILLIS, TimeUnit.MILLISECONDS);
            }
          })
          .stats("conns");
    }

    private void retry() {
      if (isCurrent()) {
        awaitOldConnections();
      }
    }

    private void proceed() {
      link.connection().forgetLostPorts();
      if (link.isStale()) {
        empty();
      } else {
        // an answer also shows that the server is awake: a stopped one accepts connections too
        ask(this::marked).get(mark).value().end();
      }
    }

    private void marked(ServerReply reply) {
      boolean isLacking = LACKING.equals(reply.value());
      reply.release();
      if (reply.status() == ReplyStatus.VA) {
        end(isLacking);
      } else {
        mark();
      }
    }

    private void empty() {
      ask(reply -> {
            if (reply.status() == ReplyStatus.OK) {
              mark();
            }
          })
          .flushAll(0);
    }

    private void mark() {
      ask(reply -> {
            if (reply.status() == ReplyStatus.HD) {
              end(true);
            }
          })
          .set(mark, LACKING.readableBytes())
          .end(LACKING.duplicate());
    }

    private void end(boolean empty) {
      attempts.remove(link);
      outcome.ready(link, empty);
    }

    private boolean isCurrent() {
      return attempts.get(link) == this && link.connection().isOpen();
    }

    private ServerRequestWriter ask(Consumer<ServerReply> answered) {
      return link.connection().command(new Answer(this, answered));
    }
  }

  /** A lost connection is made again, and joining begins anew with it. */
  private record Answer(Attempt attempt, Consumer<ServerReply> answered) implements ReplyHandler {
    @Override
    public void replied(ServerReply reply) {
      if (attempt.isCurrent()) {
        answered.accept(reply);
      } else {
        reply.release();
      }
    }

    @Override
    public void lost(ServerLostException why) {}
  }

  private static boolean isAddress(ServerReply reply, int port) {
    return reply.text().contains(":addr ") && reply.text().stripTrailing().endsWith(":" + port);
  }
}
