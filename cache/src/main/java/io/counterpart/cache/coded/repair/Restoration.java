package io.counterpart.cache.coded.repair;

import io.counterpart.cache.coded.flow.Background;
import io.counterpart.cache.coded.flow.BoundedForEach;
import io.counterpart.cache.coded.parity.JournalCatchUp;
import io.counterpart.cache.coded.parity.ShardServices;
import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.shard.StripeBudget;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Restores the items of servers that lost them, stripe by stripe, beside clients' requests. One
 * pass serves all waiting servers: each goes once round the stripes, starting where the pass is
 * when it joins. Then it visits the stripes whose objects it had no memory for again and again,
 * until it has them all. Beside these visits all that journals hold is brought into parity, because
 * the server has lost its copies of entries. Belongs to the shard's event loop. Paper: ECHash §4.5.
 */
public final class Restoration {
  private static final int STRIPES_AT_ONCE = 64;
  private static final int VISITED_AGAIN_AT_ONCE = 16;
  private static final long LEAST_PAUSE_NANOS = 1_000_000_000;

  private final Shard shard;
  private final Background background;
  private final StripeRepair repair;
  private final JournalCatchUp catchUp;
  private final Consumer<ServerLink> restored;
  private final StripeBudget underWay;
  private final Map<ServerLink, RestorationRound> rounds = new LinkedHashMap<>();

  /** Servers that leave, and lack items. */
  private final Set<ServerLink> leaving = new HashSet<>();

  private final StripePass pass;
  private boolean proceeding;

  /**
   * @param restored gets servers whose items are restored
   */
  public Restoration(
      ShardServices services,
      ObjectRepair.Maker repairs,
      JournalCatchUp catchUp,
      Background background,
      Consumer<ServerLink> restored) {
    this.shard = services.shard();
    this.pass = new StripePass(shard);
    this.background = background;
    this.restored = restored;
    this.underWay = new StripeBudget(shard, STRIPES_AT_ONCE);
    this.repair =
        new StripeRepair(services, repairs.make(services, this::unrestored), this::unrestored);
    this.catchUp = catchUp;
  }

  /**
   * Restores servers that lost their items; begins anew for those under restoration. One that
   * leaves is never whole again.
   */
  public void add(Collection<ServerLink> servers) {
    forgetRemoved();
    for (ServerLink server : servers) {
      if (isLeaving(server)) {
        leaving.add(server);
      } else {
        rounds.remove(server);
        rounds.put(server, new RestorationRound(pass));
      }
    }
    proceed();
  }

  private void forgetRemoved() {
    rounds.keySet().removeIf(link -> !isPart(link) && !isLeaving(link));
    leaving.removeIf(link -> !isLeaving(link));
  }

  /** Number of servers that still lack items. */
  public int left() {
    forgetRemoved();
    return rounds.size();
  }

  /** Whether a server goes round. Later visits wait for memory, which other work must free. */
  public boolean isWorking() {
    return !rounds.values().stream().allMatch(RestorationRound::isVisited);
  }

  public boolean isRestoring(ServerLink server) {
    return rounds.containsKey(server);
  }

  /**
   * Whether a server in use lacks items, and not only some for which it has no memory: these may
   * never come, and do not count.
   */
  public boolean isLacking(ServerLink server) {
    RestorationRound round = rounds.get(server);
    return leaving.contains(server) || round != null && (isLeaving(server) || round.isLacking());
  }

  /** Number of stripes still to visit, once for each server. */
  public long stripesLeft() {
    return rounds.values().stream().mapToLong(RestorationRound::stripesLeft).sum();
  }

  private void proceed() {
    if (proceeding) {
      return; // the loop below, further up the stack, goes on
    }
    proceeding = true;
    boolean begun = true;
    while (begun) {
      pass.wrap();
      endRounds();
      Map<ServerLink, RestorationRound> going = new LinkedHashMap<>(rounds);
      going.values().removeIf(RestorationRound::isThrough);
      begun = !going.isEmpty() && underWay.admits(pass.next());
      if (begun) {
        begin(pass.advance(), going);
      }
    }
    proceeding = false;
  }

  private void endRounds() {
    for (Map.Entry<ServerLink, RestorationRound> entry : List.copyOf(rounds.entrySet())) {
      ServerLink server = entry.getKey();
      RestorationRound round = entry.getValue();
      if (!round.isVisited()) {
        continue;
      }
      if (!round.catchesUp) {
        round.catchesUp = true; // objects without memory may take days
        catchUp.begin(() -> rounds.get(server) == round, () -> caughtUp(round));
      }
      if (round.waits) {
        continue;
      }
      if (!round.toVisitAgain().isEmpty()) {
        round.waits = true;
        visitAfterPause(System.nanoTime(), server, round);
      } else if (round.caughtUp) {
        round.waits = true;
        end(server, round);
      }
    }
  }

  private void caughtUp(RestorationRound round) {
    round.caughtUp = true;
    proceed();
  }

  /**
   * Ends a round, unless the server was lost meanwhile and is restored anew. One that is out of
   * reach keeps its round until it is back.
   */
  private void end(ServerLink server, RestorationRound round) {
    if (rounds.get(server) != round) {
      return;
    }
    if (!round.toVisitAgain().isEmpty()) {
      visitAfterPause(System.nanoTime(), server, round); // an object has moved since
    } else if (isLeaving(server)) {
      rounds.remove(server);
      leaving.add(server);
    } else if (!isPart(server)) {
      rounds.remove(server);
    } else if (shard.missingParity().isMarked(server)) {
      // its mark is what tells the next process; MissingParityRepair writes what is missing
      background.afterPause(System.nanoTime(), LEAST_PAUSE_NANOS, () -> end(server, round));
    } else if (server.isUsable()) {
      rounds.remove(server);
      restored.accept(server);
    }
  }

  private boolean isPart(ServerLink server) {
    return shard.placement().map().contains(server.id());
  }

  private boolean isLeaving(ServerLink server) {
    return shard.placement().isLeaving(server.id());
  }

  private void unrestored(int stripe, ServerLink server, ObjectRepair.Reason why) {
    RestorationRound round = rounds.get(server);
    if (round != null) {
      (why == ObjectRepair.Reason.NO_MEMORY ? round.refused : round.postponed).set(stripe);
    }
  }

  /** Notes that a server lacks an object that has come into a stripe: it may be visited already. */
  public void movedWithoutRecord(ServerLink server, int stripe) {
    RestorationRound round = rounds.get(server);
    if (round != null) {
      round.refused.set(stripe);
    }
  }

  private void visitAfterPause(long beginNanos, ServerLink server, RestorationRound round) {
    background.afterPause(beginNanos, LEAST_PAUSE_NANOS, () -> visitAgain(server, round));
  }

  private void visitAgain(ServerLink server, RestorationRound round) {
    if (rounds.get(server) != round) {
      return; // the server was lost, and is restored anew
    }
    long beginNanos = System.nanoTime();
    // what could not be decoded then cannot be now
    BitSet due = shard.placement().isAnyAway() ? round.refused : round.toVisitAgain();
    round.visitsPostponed = due.intersects(round.postponed);
    BoundedForEach.run(
        due.stream().boxed().toList(),
        VISITED_AGAIN_AT_ONCE,
        (stripe, done) -> {
          round.refused.clear(stripe);
          round.postponed.clear(stripe);
          repair.begin(stripe, List.of(server), done);
        },
        () -> {
          round.visitsPostponed = false;
          if (round.toVisitAgain().isEmpty()) {
            round.waits = false;
            proceed();
          } else {
            visitAfterPause(beginNanos, server, round);
          }
        });
  }

  private void begin(int stripe, Map<ServerLink, RestorationRound> going) {
    List<RestorationRound> of = new ArrayList<>(going.values());
    Runnable end = underWay.begin(stripe);
    of.forEach(round -> round.underWay++);
    repair.begin(
        stripe,
        List.copyOf(going.keySet()),
        () -> {
          end.run();
          of.forEach(round -> round.underWay--);
          proceed();
        });
  }
}
