package io.counterpart.cache.coded;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Restores the items of servers that lost them, stripe by stripe, beside clients' requests. One
 * pass serves all waiting servers: each goes once round the stripes, starting where the pass is
 * when it joins. Belongs to the shard's event loop. Paper: ECHash §4.5.
 */
final class Restoration {
  private static final int STRIPES_AT_ONCE = 64;

  private final Shard shard;
  private final StripeRepair repair;
  private final Consumer<ServerLink> restored;
  private final StripesAtOnce underWay;
  private final Map<ServerLink, Round> rounds = new LinkedHashMap<>();
  private int nextStripe;
  private long lap;
  private boolean proceeding;

  /**
   * @param restored gets servers whose items are restored
   */
  Restoration(Parts parts, RepairMode mode, Consumer<ServerLink> restored) {
    this.shard = parts.shard();
    this.restored = restored;
    this.underWay = new StripesAtOnce(shard, STRIPES_AT_ONCE);
    this.repair = new StripeRepair(parts, mode);
  }

  /** One server's way through all stripes. */
  private final class Round {
    private final long beginLap = lap;
    private final int beginStripe = nextStripe;
    private int underWay;

    /** Whether the last stripe has been started. */
    boolean isThrough() {
      return lap > beginLap + 1 || lap == beginLap + 1 && nextStripe >= beginStripe;
    }

    long stripesLeft() {
      long end = shard.stripes().end();
      long toBegin = lap == beginLap ? end - nextStripe + beginStripe : beginStripe - nextStripe;
      return underWay + (isThrough() ? 0 : toBegin);
    }
  }

  /** Restores servers that lost their items; begins anew for those under restoration. */
  void add(Collection<ServerLink> servers) {
    for (ServerLink server : servers) {
      rounds.remove(server);
      rounds.put(server, new Round());
    }
    proceed();
  }

  /** Number of servers that still lack items. */
  int left() {
    return rounds.size();
  }

  boolean isRestoring(ServerLink server) {
    return rounds.containsKey(server);
  }

  /** Number of stripes still to visit, once for each server. */
  long stripesLeft() {
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
    rounds
        .entrySet()
        .removeIf(
            round -> {
              boolean ends = round.getValue().isThrough() && round.getValue().underWay == 0;
              if (ends) {
                restored.accept(round.getKey());
              }
              return ends;
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
