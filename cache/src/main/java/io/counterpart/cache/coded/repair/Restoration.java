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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Restores the items of servers that lost them, stripe by stripe, beside clients' requests. One
 * pass serves all waiting servers: each goes once round the stripes, starting where the pass is
 * when it joins. Then it visits the stripes whose objects it had no memory for again and again,
 * until it has them all. At the end all that journals hold is brought into parity, because the
 * server has lost its copies of entries. Belongs to the shard's event loop. Paper: ECHash §4.5.
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
  private final Map<ServerLink, Round> rounds = new LinkedHashMap<>();
  private int nextStripe;
  private long lap;
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
    this.background = background;
    this.restored = restored;
    this.underWay = new StripeBudget(shard, STRIPES_AT_ONCE);
    this.repair = new StripeRepair(services, repairs.make(services, this::refused));
    this.catchUp = catchUp;
  }

  /** One server's way through all stripes. */
  private final class Round {
    private final long beginLap = lap;
    private final int beginStripe = nextStripe;
    private final BitSet refused = new BitSet();
    private int underWay;

    /** Whether its end waits: for stripes to be visited again, or for journals to be folded. */
    private boolean waits;

    /** Whether each stripe has been visited once. */
    boolean isVisited() {
      return isThrough() && underWay == 0;
    }

    /** Whether the last stripe has been started. */
    boolean isThrough() {
      return lap > beginLap + 1 || lap == beginLap + 1 && nextStripe >= beginStripe;
    }

    long stripesLeft() {
      long end = shard.stripes().end();
      long toBegin = lap == beginLap ? end - nextStripe + beginStripe : beginStripe - nextStripe;
      return underWay + refused.cardinality() + (isThrough() ? 0 : toBegin);
    }
  }

  /** Restores servers that lost their items; begins anew for those under restoration. */
  public void add(Collection<ServerLink> servers) {
    for (ServerLink server : servers) {
      rounds.remove(server);
      rounds.put(server, new Round());
    }
    proceed();
  }

  /** Number of servers that still lack items. */
  public int left() {
    return rounds.size();
  }

  /** Whether a server goes round. Later visits wait for memory, which other work must free. */
  public boolean isWorking() {
    return !rounds.values().stream().allMatch(Round::isVisited);
  }

  public boolean isRestoring(ServerLink server) {
    return rounds.containsKey(server);
  }

  /** Number of stripes still to visit, once for each server. */
  public long stripesLeft() {
    return rounds.values().stream().mapToLong(Round::stripesLeft).sum();
  }

  private void proceed() {
    if (proceeding) {
      return; // the loop below, further up the stack, goes on
    }
    proceeding = true;
    boolean begun = true;
    while (begun) {
      if (nextStripe >= shard.stripes().end()) {
        nextStripe = 0;
        lap++;
      }
      endRounds();
      Map<ServerLink, Round> going = new LinkedHashMap<>(rounds);
      going.values().removeIf(Round::isThrough);
      begun = !going.isEmpty() && underWay.admits(nextStripe);
      if (begun) {
        begin(nextStripe++, going);
      }
    }
    proceeding = false;
  }

  private void endRounds() {
    for (Map.Entry<ServerLink, Round> entry : List.copyOf(rounds.entrySet())) {
      ServerLink server = entry.getKey();
      Round round = entry.getValue();
      if (!round.isVisited() || round.waits) {
        continue;
      }
      round.waits = true;
      if (round.refused.isEmpty()) {
        catchUp.begin(() -> rounds.get(server) == round, () -> end(server, round));
      } else {
        visitAfterPause(System.nanoTime(), server, round);
      }
    }
  }

  /** Ends a round, unless the server was lost meanwhile and is restored anew. */
  private void end(ServerLink server, Round round) {
    if (rounds.remove(server, round)) {
      restored.accept(server);
    }
  }

  private void refused(int stripe, ServerLink server) {
    Round round = rounds.get(server);
    if (round != null) {
      round.refused.set(stripe);
    }
  }

  private void visitAfterPause(long beginNanos, ServerLink server, Round round) {
    background.afterPause(beginNanos, LEAST_PAUSE_NANOS, () -> visitAgain(server, round));
  }

  private void visitAgain(ServerLink server, Round round) {
    if (rounds.get(server) != round) {
      return; // the server was lost, and is restored anew
    }
    long beginNanos = System.nanoTime();
    BoundedForEach.run(
        round.refused.stream().boxed().toList(),
        VISITED_AGAIN_AT_ONCE,
        (stripe, done) -> {
          round.refused.clear(stripe);
          repair.begin(stripe, List.of(server), done);
        },
        () -> {
          if (round.refused.isEmpty()) {
            round.waits = false;
            proceed();
          } else {
            visitAfterPause(beginNanos, server, round);
          }
        });
  }

  private void begin(int stripe, Map<ServerLink, Round> going) {
    List<Round> of = new ArrayList<>(going.values());
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
