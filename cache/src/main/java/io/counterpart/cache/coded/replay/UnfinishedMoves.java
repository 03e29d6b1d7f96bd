package io.counterpart.cache.coded.replay;

import io.counterpart.cache.coded.flow.Countdown;
import io.counterpart.cache.coded.parity.ObjectReads;
import io.counterpart.cache.coded.parity.ShardServices;
import io.counterpart.cache.coded.scaling.Leaving;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.protocol.Key;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Objects that a crash left in two sealed stripes: a migration had put them into the new stripe but
 * not yet removed them from the old one. The removal finishes after all other recovery. Belongs to
 * the shard's event loop.
 */
final class UnfinishedMoves {
  private final Shard shard;
  private final ObjectReads reads;
  private final Leaving leaving;
  private final Map<Integer, List<Slot>> stripes = new TreeMap<>();

  private record Slot(Place place, Key key, long hash) {}

  UnfinishedMoves(ShardServices services) {
    this.shard = services.shard();
    this.reads = services.reads();
    this.leaving = new Leaving(services);
  }

  /** Adds an object and the place that it has to leave. */
  void add(Place place, Key key, long hash) {
    stripes
        .computeIfAbsent(place.stripe(), stripe -> new ArrayList<>())
        .add(new Slot(place, key, hash));
  }

  void begin(Runnable done) {
    Countdown countdown = new Countdown(stripes.size() + 1, done);
    stripes.forEach((stripe, slots) -> leave(stripe, slots, countdown::oneLess));
    countdown.oneLess();
  }

  /**
   * Removes the objects. One that cannot be read now keeps both places until the next start, and so
   * does the change of servers.
   */
  private void leave(int stripe, List<Slot> slots, Runnable done) {
    List<Leaving.Left> left = new ArrayList<>();
    Countdown countdown =
        new Countdown(
            slots.size(),
            () -> {
              if (left.isEmpty()) {
                done.run();
              } else {
                leaving.begin(stripe, left, done);
              }
            });
    for (Slot slot : slots) {
      Place other = shard.placement().find(slot.key(), slot.hash(), slot.place());
      boolean isThere = Arrays.equals(shard.metadata().key(slot.place()), slot.key().bytes());
      // it may have gone together with its insert, which parity did not include yet
      if (other == null || !isThere) {
        countdown.oneLess();
        continue;
      }
      reads.load(
          slot.key(),
          other,
          version -> {
            if (version != null) {
              left.add(new Leaving.Left(slot.place(), slot.key(), slot.hash(), version.bytes()));
            }
            countdown.oneLess();
          });
    }
  }
}
