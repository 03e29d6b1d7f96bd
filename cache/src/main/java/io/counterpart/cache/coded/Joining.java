package io.counterpart.cache.coded;

import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.backend.ReplyHandler;
import io.counterpart.cache.backend.ServerLostException;
import io.counterpart.cache.ownership.Refusal;
import io.counterpart.cache.ownership.ServerMark;
import io.counterpart.cache.ownership.TierClaim;
import io.counterpart.cache.ownership.TierClaim.Verdict;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.StoreMode;
import io.counterpart.cache.protocol.server.ReplyStatus;
import io.counterpart.cache.protocol.server.ServerReply;
import io.counterpart.cache.protocol.server.ServerRequestWriter;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a server goes through between its connection and its use: its settings are read, and one
 * that cannot hold the tier's items is refused; its mark is claimed, or it is refused; an owner
 * elsewhere that had it stops; it does no more of what it got through lost connections; a stale one
 * is emptied, and so is one that was used here and has lost its mark since its lease was over, as
 * somebody else may have used it; one that has not got back yet what it had is known by what its
 * mark says. A step that fails loses the connection or does nothing: the next connection begins
 * anew.
 */
final class Joining {
  private static final Logger logger = LoggerFactory.getLogger(Joining.class);
  private static final Duration CONNECTIONS_PAUSE = Duration.ofMillis(50);
  private static final int LOOKS_PER_MESSAGE = 100;
  private static final Duration REFUSED_PAUSE = Duration.ofSeconds(1);

  private final GuardedLoop loop;
  private final Key mark;
  private final TierClaim claim;
  private final Marks marks;
  private final Takeovers takeovers;
  private final Outcome outcome;
  private final Map<ServerLink, Attempt> attempts = new HashMap<>();
  private final Map<ServerLink, OldConnections> oldConnections = new HashMap<>();

  /** Takes servers that are ready, or somebody else's. */
  interface Outcome {
    /**
     * May be used.
     *
     * @param empty whether it has lost what it had, and has not got it back
     */
    void ready(ServerLink link, boolean empty);

    /**
     * Is not to be used: it is another owner's.
     *
     * @param why with the server and what to do
     */
    void refused(ServerLink link, Refusal why);

    /**
     * Is not to be used as it was started; it may be started with other settings.
     *
     * @param why with the server and what is legal
     */
    void unfit(ServerLink link, String why);

    /**
     * One that is used was emptied by somebody who has not taken it over; it has its mark again.
     */
    void emptied(ServerLink link);
  }

  Joining(
      GuardedLoop loop,
      int shard,
      TierClaim claim,
      Marks marks,
      Takeovers takeovers,
      Outcome outcome) {
    this.loop = loop;
    this.mark = OwnKeys.mark(shard);
    this.claim = claim;
    this.marks = marks;
    this.takeovers = takeovers;
    this.outcome = outcome;
  }

  /** Connections of earlier processes to a server, which go on with this one's. */
  void await(ServerLink link, OldConnections old) {
    oldConnections.put(link, old);
  }

  /** A server is let go. */
  void forget(ServerLink link) {
    attempts.remove(link);
    oldConnections.remove(link);
  }

  /**
   * Takes the own mark, no other, from a server that holds nothing any more: it is anybody's then.
   * Ends its connection.
   */
  void release(ServerLink link) {
    Runnable end = () -> link.connection().close();
    link.connection()
        .command(
            new Farewell(
                reply -> {
                  long cas = reply.flags().cas();
                  ServerMark found = OwnKeys.readMark(reply);
                  if (claim.judge(found) == Verdict.OWN && link.connection().isOpen()) {
                    link.connection()
                        .command(new Farewell(answer -> end(answer, end), end))
                        .delete(mark)
                        .compareCas(cas)
                        .end();
                  } else {
                    end.run();
                  }
                },
                end))
        .get(mark)
        .value()
        .cas()
        .end();
  }

  private static void end(ServerReply answer, Runnable end) {
    answer.release();
    end.run();
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

    /** Whether it has lost what it had, as its mark said before it was claimed. */
    private boolean lacking;

    /** Whether it does no more of what it got through lost connections. */
    private boolean drained;

    private int looks;

    Attempt(ServerLink link) {
      this.link = link;
    }

    /** Nothing of a server is changed before it is claimed: it may be unfit, or somebody else's. */
    void begin() {
      checkSettings();
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
              outcome.unfit(link, "server %s is not used: %s".formatted(link, refusal));
            } else {
              link.memory().joined(settings.limitBytes(), settings.slabSizes());
              // claimed before old connections are awaited: an owner elsewhere has them until then
              readMark();
            }
          })
          .stats("settings");
    }

    /** Whoever relies on what a server holds must not have old writes come after it. */
    private void awaitOldConnections() {
      OldConnections old =
          oldConnections.computeIfAbsent(link, none -> new OldConnections(System::nanoTime));
      old.addSilent(link.connection().lostPorts());
      link.connection().forgetLostPorts();
      old.forget(link.connection().localPort());
      if (old.isEmpty()) {
        proceed();
        return;
      }
      ListedConnections listed = new ListedConnections();
      ask(reply -> {
            if (reply.status() == ReplyStatus.STAT) {
              listed.line(reply.text());
            } else if (isDone(old, reply, listed)) {
              proceed();
            } else {
              sayWhatIsAwaited(old);
              later(this::awaitOldConnections, CONNECTIONS_PAUSE);
            }
          })
          .stats("conns");
    }

    /** Nobody knows what a server lists that does not tell. */
    private static boolean isDone(OldConnections old, ServerReply reply, ListedConnections listed) {
      return reply.status() == ReplyStatus.END
          ? old.look(listed.idleSeconds())
          : old.lookWithoutList();
    }

    private void sayWhatIsAwaited(OldConnections old) {
      if (looks++ % LOOKS_PER_MESSAGE == LOOKS_PER_MESSAGE - 1) {
        logger.warn(
            "server {} is not used before it has done what it got through earlier connections, of"
                + " the local ports {}: {} s more at most",
            link,
            old.ports(),
            old.longest().toSeconds());
      }
    }

    private void later(Runnable step, Duration pause) {
      loop.schedule(
          () -> {
            if (isCurrent()) {
              step.run();
            }
          },
          pause.toNanos(),
          TimeUnit.NANOSECONDS);
    }

    /** What old connections have done to the mark counts too. */
    private void proceed() {
      drained = true;
      readMark();
    }

    /** An answer also shows that the server is awake: a stopped one accepts connections too. */
    private void readMark() {
      long askedNanos = System.nanoTime();
      ask(reply -> marked(reply, askedNanos)).get(mark).value().cas().end();
    }

    private void marked(ServerReply reply, long askedNanos) {
      long cas = reply.flags().cas();
      ServerMark found = OwnKeys.readMark(reply);
      Verdict verdict = claim.judge(found);
      if (found != null && verdict == Verdict.FOREIGN && !claim.adopts()) {
        attempts.remove(link);
        outcome.refused(link, claim.refusal(link.id().name(), found));
        return;
      }
      if (found != null) {
        marks.seen(link);
      }
      boolean isUnwatched = link.joins() > 0 && !link.lease().isValid();
      boolean isStrange = verdict == Verdict.FOREIGN || found == null && isUnwatched;
      if (isStrange && !link.isStale()) {
        link.miss(); // its items may be another's: begins anew, to empty it
        return;
      }
      lacking |= found == null || found.state() != ServerMark.State.WHOLE;
      if (verdict == Verdict.OWN) {
        Duration takeover = takeovers.left(link.id());
        if (!takeover.isZero()) {
          logger.warn(
              "server {} is used in {} ms, when its earlier owner has stopped",
              link,
              takeover.toMillis());
          later(this::readMark, takeover);
          return;
        }
        link.renew(askedNanos);
        if (drained) {
          configure();
        } else {
          awaitOldConnections();
        }
      } else if (found == null) {
        claimUnmarked();
      } else {
        claim(found, cas, mayLive(verdict));
      }
    }

    /**
     * A mark may have been dropped, or flushed, under an owner that lives. Only a server that has
     * held nothing since its start never had one.
     */
    private void claimUnmarked() {
      ItemCounts counts = new ItemCounts();
      ask(reply -> {
            if (reply.status() == ReplyStatus.STAT) {
              counts.line(reply.text());
            } else if (counts.isUnused()) {
              takeovers.beginUnowned(link.id());
              claim(null, 0, false);
            } else {
              claim(null, 0, true);
            }
          })
          .stats();
    }

    private boolean mayLive(Verdict verdict) {
      return verdict == Verdict.OVERTAKEN || verdict == Verdict.FOREIGN;
    }

    /** Whoever is slower at this reads the mark again. */
    private void claim(@Nullable ServerMark found, long cas, boolean ownerMayLive) {
      if (ownerMayLive) {
        takeovers.begin(link.id());
      }
      boolean isWhole = !lacking && !link.isStale();
      ServerRequestWriter request =
          marks.write(ask(reply -> claimed(reply.status(), found, ownerMayLive)), isWhole);
      if (found == null) {
        request.mode(StoreMode.ADD).end(marks.text(isWhole));
      } else {
        request.mode(StoreMode.CAS).compareCas(cas).end(marks.text(isWhole));
      }
    }

    private void claimed(ReplyStatus status, @Nullable ServerMark before, boolean ownerMayLive) {
      if (status.isError()) {
        if (before != null) {
          // the chunk of the mark that was dropped is free now; it may have been a newer one
          claim(null, 0, true);
          return;
        }
        logger.warn("server {} takes no mark: {}", link, status);
        later(this::readMark, REFUSED_PAUSE);
      } else if (status == ReplyStatus.HD && ownerMayLive) {
        logger.warn(
            "server {} is taken over from '{}'", link, before == null ? "nobody" : before.text());
        readMark();
      } else {
        readMark();
      }
    }

    /**
     * A tier evicts nothing, so that the order in which memcached would is work for nobody. Pages
     * move when the tier asks for it: only a page whose items find room elsewhere drops none.
     */
    private void configure() {
      ask(answer -> ask(also -> claimed()).noSlabAutomove()).flatLru();
    }

    private void claimed() {
      if (link.isStale()) {
        empty();
      } else {
        end(lacking);
      }
    }

    /** If this process stood still meanwhile, the server may be another's by now. */
    private void empty() {
      if (!link.lease().isValid()) {
        readMark();
        return;
      }
      link.guard();
      ask(reply -> {
            if (reply.status() == ReplyStatus.OK) {
              mark();
            }
          })
          .flushAll(0);
    }

    private void mark() {
      marks
          .write(
              ask(
                  reply -> {
                    if (reply.status() == ReplyStatus.HD) {
                      end(true);
                    } else {
                      readMark();
                    }
                  }),
              false)
          .mode(StoreMode.ADD)
          .end(marks.text(false));
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

  /** A server that is let go; nobody waits for it. */
  private record Farewell(Consumer<ServerReply> answered, Runnable gone) implements ReplyHandler {
    @Override
    public void replied(ServerReply reply) {
      answered.accept(reply);
    }

    @Override
    public void lost(ServerLostException why) {
      gone.run();
    }
  }
}
