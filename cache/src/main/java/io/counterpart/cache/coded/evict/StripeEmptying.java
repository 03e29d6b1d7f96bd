package io.counterpart.cache.coded.evict;

import io.counterpart.cache.coded.parity.CodedStatistics;
import io.counterpart.cache.coded.parity.ObjectReads;
import io.counterpart.cache.coded.parity.ShardServices;
import io.counterpart.cache.coded.shard.ObjectSlot;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.coded.stripe.Version;
import io.counterpart.cache.coded.write.SlotMoves;
import io.counterpart.cache.index.DataRings;
import io.counterpart.cache.index.StripeState;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * Moves the objects of one stripe to slots of other stripes, several at once, beside clients'
 * requests, then frees the stripe. Its slots are not given out meanwhile. Belongs to the shard's
 * event loop.
 */
final class StripeEmptying {
  private static final int OBJECTS_AT_ONCE = 16;

  private final Shard shard;
  private final ObjectReads reads;
  private final SlotMoves moves;
  private final CodedStatistics statistics;
  private final CompactionTargets targets;
  private final int stripe;
  private final DataRings layout;
  private final Consumer<End> done;
  private final ArrayDeque<ObjectSlot> left = new ArrayDeque<>();
  private int underWay;
  private boolean proceeding;
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
      SlotMoves moves,
      CompactionTargets targets,
      int stripe,
      Consumer<End> done) {
    this.shard = services.shard();
    this.reads = services.reads();
    this.statistics = services.statistics();
    this.moves = moves;
    this.targets = targets;
    this.stripe = stripe;
    this.layout = new DataRings(shard.stripes().layout(stripe));
    this.done = done;
  }

  void begin() {
    shard.freeSlots().withhold(stripe);
    left.addAll(ObjectSlot.in(shard, stripe, place -> true));
    proceed();
  }

  private void proceed() {
    if (proceeding) {
      return; // the loop below, further up the stack, goes on
    }
    proceeding = true;
    while (underWay < OBJECTS_AT_ONCE && !left.isEmpty() && end == End.EMPTY) {
      underWay++;
      ObjectSlot slot = left.remove();
      shard.locks().lockToMove(slot.key(), () -> move(slot));
    }
    proceeding = false;
    if (underWay == 0) {
      freeStripe();
    }
  }

  private void unlock(ObjectSlot slot) {
    shard.locks().unlock(slot.key());
    underWay--;
    proceed();
  }

  private void move(ObjectSlot slot) {
    if (!slot.place().equals(shard.placement().find(slot.key(), slot.hash()))) {
      unlock(slot); // it was deleted, or got another slot
      return;
    }
    reads.load(
        slot.key(),
        slot.place(),
        version -> {
          Place to = version == null ? null : targets.take(layout.ring(slot.place().chunk()));
          if (version == null || to == null) {
            end = End.LEFT;
            unlock(slot);
          } else {
            move(slot, version, to);
          }
        });
  }

  private void move(ObjectSlot slot, Version version, Place to) {
    moves.moveWithinClass(
        slot.key(),
        version,
        to,
        written -> {
          switch (written) {
            case DONE -> statistics.movedWithinClass().add(version.bytes().length);
            case NO_MEMORY -> end = End.NO_MEMORY;
            case UNAVAILABLE -> end = end == End.NO_MEMORY ? end : End.LEFT;
          }
          unlock(slot);
        });
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
                statistics.emptiedStripe();
              }
              done.accept(isFree || end != End.EMPTY ? end : End.LEFT);
            });
  }
}
