package io.counterpart.cache.coded.evict;

import io.counterpart.cache.coded.flow.Countdown;
import io.counterpart.cache.coded.parity.CodedStatistics;
import io.counterpart.cache.coded.parity.ShardServices;
import io.counterpart.cache.coded.settings.EvictionRule;
import io.counterpart.cache.coded.shard.ObjectSlot;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.coded.write.Written;
import io.counterpart.cache.index.StripeState;
import io.counterpart.core.eviction.LookDecision;
import java.util.List;
import java.util.function.Consumer;

/**
 * Evicts one stripe: objects that were used move to other stripes, the others leave, and the stripe
 * is freed.
 *
 * <p>Records are deleted before the metadata say so: after a crash in between, a read decodes the
 * object or misses, and no record is left on a server that nobody knows. Until the freeing of the
 * stripe is durable, the objects' keys are locked: a new object of such a key, which only journals
 * know yet, must not meet its old place in the metadata after a loss of power.
 *
 * <p>Nothing here waits for a key's lock: its holder may wait for memory, which this work is to
 * free. A stripe with an object that somebody changes stays. Belongs to the shard's event loop.
 */
final class StripeEviction {
  private static final int GOES = 3;

  private final Shard shard;
  private final CodedStatistics statistics;
  private final ObjectMoves moving;
  private final Eviction eviction;
  private final EvictionRule rule;
  private final int stripe;
  private final long ageSeconds;
  private final Consumer<Boolean> done;
  private final Staying purpose = new Staying();
  private boolean isBusy;
  private int goesLeft = GOES;

  /**
   * @param moving of a stripe whose slots nobody else withholds
   * @param eviction asked again and again: objects stay where one ends while others move
   * @param rule asked again before anything leaves: what may leave changes while others move
   * @param ageSeconds of the stripe
   * @param done gets whether the stripe is free
   */
  StripeEviction(
      ShardServices services,
      ObjectMoves moving,
      Eviction eviction,
      EvictionRule rule,
      long ageSeconds,
      Consumer<Boolean> done) {
    this.shard = services.shard();
    this.statistics = services.statistics();
    this.moving = moving;
    this.eviction = eviction;
    this.rule = rule;
    this.stripe = moving.stripe();
    this.ageSeconds = ageSeconds;
    this.done = done;
  }

  void begin() {
    shard.freeSlots().withhold(stripe);
    boolean mayMove = eviction.mayMove();
    List<ObjectSlot> staying = mayMove ? used() : needed();
    shard.readSlots().clear(stripe);
    int slots = shard.code().k() * shard.slotsPerChunk(stripe);
    boolean stays =
        mayMove ? LookDecision.of(staying.size(), slots) == LookDecision.KEEP : !staying.isEmpty();
    if (stays) {
      end(false); // without their bits: they are looked at anew in the next round
    } else {
      moving.begin(staying, purpose);
    }
  }

  /** Objects that were read, and those that must stay. */
  private List<ObjectSlot> used() {
    boolean asks = !rule.mayEvictAll();
    List<ObjectSlot> found = ObjectSlot.in(shard, stripe, place -> asks || isRead(place));
    found.removeIf(slot -> !isRead(slot.place()) && rule.mayEvict(slot.key()));
    return found;
  }

  /** Objects that must stay. */
  private List<ObjectSlot> needed() {
    List<ObjectSlot> found = ObjectSlot.in(shard, stripe, place -> !rule.mayEvictAll());
    found.removeIf(slot -> rule.mayEvict(slot.key()));
    return found;
  }

  private boolean isRead(Place place) {
    return shard.readSlots().isRead(stripe, shard.slotOfStripe(place));
  }

  /** Moves objects that stay. One that cannot be moved leaves with the others, if it may. */
  private final class Staying implements ObjectMoves.Purpose {
    @Override
    public boolean goesOn(ObjectSlot next) {
      isBusy |= !eviction.mayMove() || !shard.locks().isIdle(next.key());
      return !isBusy;
    }

    @Override
    public Place target(int ring) {
      return shard.freeSlots().takeForStaying(shard.stripes().slotClass(stripe), ring);
    }

    @Override
    public void stays() {}

    @Override
    public void moved(Written written, int recordBytes) {
      if (written == Written.DONE) {
        statistics.stayed().add(recordBytes);
      }
    }

    @Override
    public void ended() {
      if (isBusy) {
        end(false);
      } else {
        shard.gates().enterAlone(stripe, StripeEviction.this::dropAlone);
      }
    }
  }

  private void dropAlone() {
    if (shard.stripes().state(stripe) == StripeState.FREE) {
      shard.gates().leave(stripe);
      end(true); // its last object has moved, or was deleted
      return;
    }
    boolean mayDrop = eviction.mayEvict() && !shard.freeSlots().isTaken(stripe);
    List<ObjectSlot> leaving = mayDrop ? ObjectSlot.in(shard, stripe, place -> true) : List.of();
    if (!mayDrop || !leaving.stream().allMatch(slot -> shard.locks().isIdle(slot.key()))) {
      shard.gates().leave(stripe);
      end(false);
      return;
    }
    List<ObjectSlot> late = needed();
    if (!late.isEmpty()) {
      shard.gates().leave(stripe);
      moveLate(late);
      return;
    }
    leaving.forEach(slot -> shard.locks().lock(slot.key(), () -> {}));
    Countdown deleted = new Countdown(leaving.size() + 1, () -> free(leaving));
    leaving.forEach(slot -> shard.items().deleteRecord(slot.key(), slot.hash(), deleted::oneLess));
    deleted.oneLess();
  }

  /** Moves objects too that must stay since others have moved. */
  private void moveLate(List<ObjectSlot> late) {
    goesLeft--;
    if (goesLeft == 0 || !eviction.mayMove()) {
      end(false);
    } else {
      moving.begin(late, purpose);
    }
  }

  private void free(List<ObjectSlot> leaving) {
    for (ObjectSlot slot : leaving) {
      shard.objects().remove(slot.hash(), stripe, slot.place().slot());
      shard.recent().remove(slot.key());
    }
    shard.freeStripe(
        stripe,
        () -> {
          // before the locks: an insert that waits for one may get this number
          shard.freeSlots().release(stripe);
          leaving.forEach(slot -> shard.locks().unlock(slot.key()));
          statistics.evicted(leaving.size(), ageSeconds);
          done.accept(true);
        });
    shard.gates().leave(stripe);
  }

  private void end(boolean isFree) {
    shard.freeSlots().release(stripe);
    if (!isFree && shard.stripes().state(stripe) != StripeState.FREE) {
      moving.left().forEach(slot -> shard.noteUse(slot.place()));
      shard.sparse().note(stripe);
    }
    done.accept(isFree);
  }
}
