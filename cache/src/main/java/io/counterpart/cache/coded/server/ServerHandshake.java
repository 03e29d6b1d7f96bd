package io.counterpart.cache.coded.server;

import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.backend.ReplyHandler;
import io.counterpart.cache.backend.StatsAnswer;
import io.counterpart.cache.coded.item.ItemCounts;
import io.counterpart.cache.coded.item.OwnKeys;
import io.counterpart.cache.coded.settings.ServerSettings;
import io.counterpart.cache.ownership.CopySurvey;
import io.counterpart.cache.ownership.Refusal;
import io.counterpart.cache.ownership.ServerMark;
import io.counterpart.cache.ownership.TierClaim;
import io.counterpart.cache.ownership.TierClaim.Verdict;
import io.counterpart.cache.protocol.StoreMode;
import io.counterpart.cache.protocol.server.ReplyStatus;
import io.counterpart.cache.protocol.server.ServerReply;
import io.counterpart.cache.protocol.server.ServerRequestWriter;
import io.counterpart.cache.ring.ServerId;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leads each server from its connection to its use. The steps:
 *
 * <ol>
 *   <li>Read the settings; a server that cannot hold the tier's items is refused.
 *   <li>Claim the mark, or refuse the server; an owner elsewhere that had it stops.
 *   <li>Drain the old connections.
 *   <li>Empty a stale server. A server is stale too if it was used here and has lost its mark since
 *       its lease was over, because somebody else may have used it.
 * </ol>
 *
 * The mark tells of a server that has not got its items back yet. A step that fails loses the
 * connection or does nothing; joining starts anew with the next connection.
 */
public final class ServerHandshake {
  private static final Logger logger = LoggerFactory.getLogger(ServerHandshake.class);

  /** Keeps items of a size in one list that nothing reorders. */
  private static final String FLAT_LRU = "lru mode flat";

  /**
   * Has memcached free all items that {@code flush_all} has made invalid; by itself it frees them
   * when it needs one of the same class, and {@code stats slabs} counts them as used until then.
   */
  private static final String FREE_ITEMS = "lru_crawler crawl all";

  /** Pages stay with their class until one is requested. */
  private static final String NO_PAGE_MOVER = "slabs automove 0";

  private static final Duration CONNECTIONS_PAUSE = Duration.ofMillis(50);
  private static final int LOOKS_PER_MESSAGE = 100;
  private static final Duration REFUSED_PAUSE = Duration.ofSeconds(1);

  /** Pause before a mark is read again while those of other servers are awaited. */
  private static final Duration SURVEY_PAUSE = Duration.ofMillis(20);

  private final GuardedLoop loop;
  private final TierClaim claim;
  private final Marks marks;
  private final CountingCopies copies;
  private final Takeovers takeovers;
  private final Consumer<Runnable> whenDurable;
  private final Outcome outcome;
  private final Map<ServerLink, Attempt> attempts = new HashMap<>();
  private final Map<ServerLink, OldConnections> oldConnections = new HashMap<>();

  /** Names under which this start has claimed servers, or may have. */
  private final Set<ServerId> claimedServers = new HashSet<>();

  /** Takes the outcome for a server: ready, refused, unfit or emptied. */
  public interface Outcome {
    /**
     * The server may be used.
     *
     * @param empty whether it lost its items and has not got them back
     */
    void ready(ServerLink link, boolean empty);

    /**
     * The server must not be used: it belongs to another owner.
     *
     * @param why with the server and what to do
     */
    void refused(ServerLink link, Refusal why);

    /**
     * The server cannot be used with its present settings; a restart may change them.
     *
     * @param why with the server and the legal setting
     */
    void unfit(ServerLink link, String why);

    /** A server in use was emptied by somebody who has not taken it over; its mark is back. */
    void emptied(ServerLink link);

    /** The mark of a server in use says that it is whole, as was noted. */
    void whole(ServerLink link);

    /** As {@link ServerLink.Watcher#mayMiss}. */
    boolean mayMiss(ServerLink link);

    /** Whether the tier has no items on a server yet, which is to be added. */
    boolean isToBeAdded(ServerLink link);
  }

  /**
   * @param whenDurable runs a callback once the metadata so far survive a loss of power
   */
  ServerHandshake(
      GuardedLoop loop,
      Marks marks,
      Takeovers takeovers,
      Consumer<Runnable> whenDurable,
      Outcome outcome) {
    this.loop = loop;
    this.copies = marks.copies();
    this.claim = copies.claim();
    this.marks = marks;
    this.takeovers = takeovers;
    this.whenDurable = whenDurable;
    this.outcome = outcome;
  }

  /** Adds connections of earlier processes to a server, to be drained like this one's. */
  void await(ServerLink link, OldConnections old) {
    oldConnections.put(link, old);
  }

  /** Ends the joining of a server that is let go. */
  void forget(ServerLink link) {
    attempts.remove(link);
    oldConnections.remove(link);
  }

  /**
   * Deletes the own mark, and no other, from a server that holds nothing any more, and closes its
   * connection. The server is free for any tier then.
   *
   * @param done runs then, or when the server is lost
   */
  void release(ServerLink link, Runnable done) {
    Runnable end =
        () -> {
          link.connection().abort();
          done.run();
        };
    link.connection()
        .command(
            ReplyHandler.of(
                reply -> {
                  long cas = reply.flags().cas();
                  ServerMark found = OwnKeys.readMark(reply);
                  if (claim.judge(found) == Verdict.OWN && link.connection().isOpen()) {
                    link.connection()
                        .command(ReplyHandler.of(answer -> end(answer, end), why -> end.run()))
                        .delete(OwnKeys.MARK)
                        .compareCas(cas)
                        .end();
                  } else {
                    end.run();
                  }
                },
                why -> end.run()))
        .get(OwnKeys.MARK)
        .value()
        .cas()
        .end();
  }

  private static void end(ServerReply answer, Runnable end) {
    answer.release();
    end.run();
  }

  /** Starts joining anew, whatever is under way for the server. */
  void begin(ServerLink link) {
    Attempt attempt = new Attempt(link);
    attempts.put(link, attempt);
    attempt.begin();
  }

  /** One attempt; the next one of the same server ends it. */
  private final class Attempt {
    private final ServerLink link;

    /** Whether the server lost its items, according to its mark before the claim. */
    private boolean lacking;

    /** Whether the server's old connections are drained. */
    private boolean drained;

    /** Whether the server has accepted the last command that empties it. */
    private boolean flushed;

    private int looks;

    Attempt(ServerLink link) {
      this.link = link;
    }

    /**
     * Changes nothing on the server before the claim: it may be unfit, or belong to another owner.
     */
    void begin() {
      checkSettings();
    }

    /** Keeps a refused server connected, so that its restart with other settings is noticed. */
    private void checkSettings() {
      ask(new StatsAnswer(stats -> check(new ServerSettings(stats)))).stats("settings");
    }

    private void check(ServerSettings settings) {
      String refusal = settings.refusal();
      if (refusal != null) {
        outcome.unfit(link, "server %s is not used: %s".formatted(link, refusal));
      } else {
        link.memory().joined(settings.limitBytes(), settings.slabSizes());
        // claimed before old connections are drained: another owner keeps its own until then
        readMark();
      }
    }

    /** Waits for old connections: no old write may arrive once the server's items are relied on. */
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

    /** Whether the old connections are drained; without a list, time alone tells. */
    private static boolean isDone(OldConnections old, ServerReply reply, ListedConnections listed) {
      return reply.status() == ReplyStatus.END
          ? old.look(listed.idleSeconds())
          : old.lookWithoutList();
    }

    private void sayWhatIsAwaited(OldConnections old) {
      if (looks++ % LOOKS_PER_MESSAGE == LOOKS_PER_MESSAGE - 1) {
        logger.warn(
            "server {} is not used until it has executed the commands of earlier connections, local"
                + " ports {}: {} s more at most",
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

    /** Reads the mark again, because old connections may have changed it. */
    private void proceed() {
      drained = true;
      readMark();
    }

    /**
     * Reads the mark. The answer also proves that the server is awake: a stopped one accepts
     * connections too.
     */
    private void readMark() {
      long askedNanos = System.nanoTime();
      ask(reply -> marked(reply, askedNanos)).get(OwnKeys.MARK).value().cas().end();
    }

    private void marked(ServerReply reply, long askedNanos) {
      long cas = reply.flags().cas();
      ServerMark found = OwnKeys.readMark(reply);
      Verdict verdict = claim.judge(found);
      if (found != null && verdict == Verdict.FOREIGN && !copies.mayAdopt(found)) {
        attempts.remove(link);
        outcome.refused(link, claim.refusal(link.id().name(), found));
        return;
      }
      if (verdict == Verdict.OWN && isKnownOtherwise()) {
        attempts.remove(link);
        outcome.refused(link, claim.refusalOfKnown(link.id().name()));
        return;
      }
      if (found != null) {
        marks.seen(link);
      }
      if (!isToBeServedFrom(found, verdict)) {
        return;
      }
      boolean isUnwatched = link.joins() > 0 && !link.lease().isValid();
      boolean isStrange = verdict == Verdict.FOREIGN || found == null && isUnwatched;
      if (isStrange && !link.isStale()) {
        if (found != null || outcome.mayMiss(link)) {
          link.miss(); // its items may be another owner's: joining starts anew, and empties it
        }
        return;
      }
      lacking |= found == null || found.state() != ServerMark.State.WHOLE;
      if (verdict == Verdict.OWN && !drained) {
        takeovers.seen(link.id()); // its time runs beside
        awaitOldConnections();
      } else if (verdict == Verdict.OWN) {
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
        configure();
      } else if (found == null) {
        claimUnmarked();
      } else {
        claim(found, cas, mayLive(verdict));
      }
    }

    /**
     * Whether the own mark was not written through this link, or an earlier one to the same name:
     * the tier may have items there under another name, and to be added the server is emptied.
     */
    private boolean isKnownOtherwise() {
      return !claimedServers.contains(link.id()) && outcome.isToBeAdded(link);
    }

    /**
     * Whether the metadata here may have all writes, as far as the marks tell: they are claimed
     * only then. Until that is known, the mark is read again.
     */
    private boolean isToBeServedFrom(@Nullable ServerMark found, Verdict verdict) {
      boolean isForeign = verdict == Verdict.FOREIGN; // it is to be emptied
      CopySurvey.Verdict standing = copies.judge(link.id(), isForeign ? null : found);
      if (standing == CopySurvey.Verdict.LACKS) {
        attempts.remove(link);
        outcome.refused(link, copies.refusal());
      } else if (standing == CopySurvey.Verdict.UNDECIDED) {
        later(this::readMark, SURVEY_PAUSE);
      }
      return standing == CopySurvey.Verdict.COUNTS;
    }

    /**
     * Claims a server without a mark. The mark may have been dropped, or flushed, under a living
     * owner. Only a server that has held no item since its start never had one.
     */
    private void claimUnmarked() {
      ask(new StatsAnswer(stats -> claimUnmarked(ItemCounts.isUnused(stats)))).stats();
    }

    private void claimUnmarked(boolean isUnused) {
      if (isUnused) {
        takeovers.beginUnowned(link.id());
      }
      claim(null, 0, !isUnused);
    }

    private boolean mayLive(Verdict verdict) {
      return verdict == Verdict.OVERTAKEN || verdict == Verdict.FOREIGN;
    }

    /**
     * Claims the server with the mark's CAS value; a proxy that loses the race reads the mark
     * again.
     */
    private void claim(@Nullable ServerMark found, long cas, boolean ownerMayLive) {
      claimedServers.add(link.id());
      if (ownerMayLive) {
        takeovers.begin(link.id());
      }
      ServerMark next = marks.mark(link, !lacking && !link.isStale());
      ServerRequestWriter request =
          marks.write(ask(reply -> claimed(reply.status(), found, ownerMayLive)), next);
      if (found == null) {
        request.mode(StoreMode.ADD).end(Marks.text(next));
      } else {
        request.mode(StoreMode.CAS).compareCas(cas).end(Marks.text(next));
      }
    }

    private void claimed(ReplyStatus status, @Nullable ServerMark before, boolean ownerMayLive) {
      if (status.isError()) {
        if (before != null) {
          // the dropped mark's chunk is free now; the mark may have been a newer one
          copies.forget(link.id());
          claim(null, 0, true);
          return;
        }
        logger.warn("server {} refuses the tier's mark: {}", link, status);
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
     * Switches off memcached's sorting of items for eviction, which a tier does not use, and its
     * page mover: only a page whose items fit elsewhere moves without losing any.
     */
    private void configure() {
      ask(answer -> ask(also -> claimed()).operator(NO_PAGE_MOVER)).operator(FLAT_LRU);
    }

    private void claimed() {
      if (link.isStale()) {
        // what made it so is durable first: after a loss of power its items would be missed
        whenDurable.accept(
            () -> {
              if (isCurrent()) {
                empty();
              }
            });
      } else {
        end(lacking);
      }
    }

    /**
     * Empties the server, if the lease is still valid: while this process stood still, another
     * owner may have claimed it. The mark leaves with the command: if this process ended between
     * the two on all servers, nothing would show any more which copy of the metadata counts.
     */
    private void empty() {
      if (!link.lease().isValid()) {
        readMark();
        return;
      }
      link.guard();
      ask(reply -> flushed = reply.status() == ReplyStatus.OK).flushAll(0);
      ask(crawled -> {}).operator(FREE_ITEMS);
      mark();
    }

    private void mark() {
      ServerMark next = marks.mark(link, false);
      marks
          .write(
              ask(
                  reply -> {
                    if (flushed && reply.status() == ReplyStatus.HD) {
                      copies.shows(link.id(), next.copies());
                      end(true);
                    } else if (flushed) {
                      readMark();
                    }
                  }),
              next)
          .mode(StoreMode.ADD)
          .end(Marks.text(next));
    }

    private void end(boolean empty) {
      attempts.remove(link);
      outcome.ready(link, empty);
    }

    private boolean isCurrent() {
      return attempts.get(link) == this && link.connection().isOpen();
    }

    private ServerRequestWriter ask(Consumer<ServerReply> answered) {
      return link.connection().command(new CurrentAnswer(this::isCurrent, answered));
    }
  }
}
