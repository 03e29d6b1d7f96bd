package io.counterpart.cache.coded;

import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.backend.ReplyHandler;
import io.counterpart.cache.backend.ServerLostException;
import io.counterpart.cache.ownership.ServerMark;
import io.counterpart.cache.ownership.TierClaim;
import io.counterpart.cache.ownership.TierClaim.Verdict;
import io.counterpart.cache.ownership.WriteLease;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.server.ServerReply;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Reads the marks of all servers in use again and again: a round in which each has shown the own
 * mark renews the lease, and a mark of somebody else ends the shard. A server that lost its
 * connection is looked at when it joins; one without a mark was emptied by somebody who took
 * nothing over. Belongs to the shard's event loop.
 */
final class OwnershipWatch {
  private final GuardedLoop loop;
  private final Key mark;
  private final TierClaim claim;
  private final WriteLease lease;
  private final Duration pause;
  private final ServerTable servers;
  private boolean ended;

  /**
   * @param pause between the beginnings of two rounds, if the first one has ended
   */
  OwnershipWatch(
      GuardedLoop loop,
      int shard,
      TierClaim claim,
      WriteLease lease,
      Duration pause,
      ServerTable servers) {
    this.loop = loop;
    this.mark = OwnKeys.mark(shard);
    this.claim = claim;
    this.lease = lease;
    this.pause = pause;
    this.servers = servers;
  }

  void begin() {
    if (ended) {
      return;
    }
    long askedNanos = System.nanoTime();
    List<ServerLink> asked = servers.usable();
    Countdown round = new Countdown(asked.size() + 1, () -> end(askedNanos));
    for (ServerLink link : asked) {
      link.connection().command(new Answer(link, round)).get(mark).value().end();
    }
    round.oneLess();
  }

  private void end(long askedNanos) {
    if (!ended) {
      lease.renew(askedNanos);
      loop.schedule(this::begin, pause.toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  void end() {
    ended = true;
  }

  /** One server's mark. */
  private final class Answer implements ReplyHandler {
    private final ServerLink link;
    private final Countdown round;

    Answer(ServerLink link, Countdown round) {
      this.link = link;
      this.round = round;
    }

    @Override
    public void replied(ServerReply reply) {
      ServerMark found = OwnKeys.readMark(reply);
      Verdict verdict = claim.judge(found);
      if (found != null && verdict != Verdict.OWN && !ended) {
        end();
        servers.overtaken(link, claim.refusal(link.id().name(), found));
        return;
      }
      round.oneLess();
    }

    @Override
    public void lost(ServerLostException why) {
      round.oneLess();
    }
  }
}
