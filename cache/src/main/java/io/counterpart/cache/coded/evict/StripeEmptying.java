package io.counterpart.cache.coded.evict;

import io.counterpart.cache.coded.parity.CodedStatistics;
import io.counterpart.cache.coded.parity.ShardServices;
import io.counterpart.cache.coded.shard.ObjectSlot;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.coded.write.Written;
import io.counterpart.cache.index.StripeState;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Moves the objects of one stripe to slots of other stripes, several at once, beside clients'
 * requests, then frees the stripe. Its slots are not given out meanwhile. Belongs to the shard's
 * event loop.
 */
final class StripeEmptying {
  private final Shard shard;
  private final CodedStatistics statistics;
  private final ObjectMoves moving;
  private final CompactionTargets targets;
  private final int stripe;
  private final Consumer<End> done;
  private End end = End.EMPTY;

  /** The outcome. */
  enum End {
    /** The stripe is freed. */
    EMPTY,
    /** The stripe still has objects. */
    LEFT,
    /** The stripe still has objects, because servers have no memory for journals. */
    NO_MEMORY
  }

  /**
   * @param targets with room for the stripe's objects
   */
  StripeEmptying(
      ShardServices services,
      Moves moves,
      CompactionTargets targets,
      int stripe,
      Consumer<End> done) {
    this.shard = services.shard();
    this.statistics = services.statistics();
    this.moving = new ObjectMoves(services, moves, stripe);
    this.targets = targets;
    this.stripe = stripe;
    this.done = done;
  }

  void begin() {
    shard.freeSlots().withhold(stripe);
    moving.begin(ObjectSlot.in(shard, stripe, place -> true), new Emptying());
  }

  /** Until an object stays. */
  private final class Emptying implements ObjectMoves.Purpose {
    @Override
    public boolean goesOn(ObjectSlot next) {
      return end == End.EMPTY;
    }

    @Override
    public @Nullable Place target(int ring) {
      return targets.take(ring);
    }

    @Override
    public void stays() {
      end = End.LEFT;
    }

    @Override
    public void moved(Written written, int recordBytes) {
      switch (written) {
        case DONE -> statistics.movedWithinClass().add(recordBytes);
        case NO_MEMORY -> end = End.NO_MEMORY;
        case UNAVAILABLE -> end = end == End.NO_MEMORY ? end : End.LEFT;
      }
    }

    @Override
    public void ended() {
      freeStripe();
    }
  }

  private void freeStripe() {
    shard
        .gates()
        .enterAlone(
            stripe,
            () -> {
              shard.freeIfEmpty(stripe);
              boolean isFree = shard.stripes().state(stripe) != StripeState.SEALED;
              shard.gates().leave(stripe);
              shard.freeSlots().release(stripe);
              if (isFree) {
                statistics.emptiedStripes().increment();
              }
              done.accept(isFree || end != End.EMPTY ? end : End.LEFT);
            });
  }
}
