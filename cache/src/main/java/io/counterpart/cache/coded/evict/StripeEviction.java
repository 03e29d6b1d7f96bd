package io.counterpart.cache.coded.evict;

import io.counterpart.cache.coded.flow.Countdown;
import io.counterpart.cache.coded.parity.CodedStatistics;
import io.counterpart.cache.coded.parity.ObjectReads;
import io.counterpart.cache.coded.parity.ShardServices;
import io.counterpart.cache.coded.shard.ObjectSlot;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.coded.write.SlotMoves;
import io.counterpart.cache.coded.write.Written;
import io.counterpart.cache.index.DataRings;
import io.counterpart.cache.index.StripeState;
import io.counterpart.cache.protocol.Key;
import io.counterpart.core.eviction.LookDecision;
import java.util.ArrayDeque;
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
  private static final int OBJECTS_AT_ONCE = 16;
  private static final int GOES = 3;

  private final Shard shard;
  private final ObjectReads reads;
  private final SlotMoves moves;
  private final CodedStatistics statistics;
  private final int stripe;
  private final long ageSeconds;
  private final DataRings layout;
  private final Rule rule;
  private final Consumer<Boolean> done;
  private final ArrayDeque<ObjectSlot> staying = new ArrayDeque<>();
  private int underWay;
  private boolean proceeding;
  private boolean isBusy;
  private int goesLeft = GOES;

  /** What may leave. */
  interface Rule {
    /** Whether objects may leave at all now. */
    boolean mayEvict();

    /** Whether memory need not have an object; if it must, the object stays as if it were used. */
    boolean mayEvict(Key key);
  }

  /**
   * @param rule asked again before anything leaves: what may leave changes while others move
   * @param stripe whose slots nobody else withholds
   * @param ageSeconds of the stripe
   * @param done gets whether the stripe is free
   */
  StripeEviction(
      ShardServices services,
      SlotMoves moves,
      Rule rule,
      int stripe,
      long ageSeconds,
      Consumer<Boolean> done) {
    this.shard = services.shard();
    this.reads = services.reads();
    this.statistics = services.statistics();
    this.moves = moves;
    this.rule = rule;
    this.stripe = stripe;
    this.ageSeconds = ageSeconds;
    this.layout = new DataRings(shard.stripes().layout(stripe));
    this.done = done;
  }

  void begin() {
    shard.freeSlots().withhold(stripe);
    ObjectSlot.in(shard, stripe, place -> true).stream().filter(this::stays).forEach(staying::add);
    shard.readSlots().clear(stripe);
    int slots = shard.code().k() * shard.slotsPerChunk(stripe);
    if (LookDecision.of(staying.size(), slots) == LookDecision.KEEP) {
      staying.clear(); // without their bits: they are looked at anew in the next round
      end(false);
    } else {
      proceed();
    }
  }

  private boolean stays(ObjectSlot slot) {
    return shard.readSlots().isRead(stripe, shard.slotOfStripe(slot.place()))
        || !rule.mayEvict(slot.key());
  }

  private void proceed() {
    if (proceeding) {
      return; // the loop below, further up the stack, goes on
    }
    proceeding = true;
    while (underWay < OBJECTS_AT_ONCE && !staying.isEmpty() && !isBusy) {
      ObjectSlot slot = staying.element();
      isBusy = !shard.locks().isIdle(slot.key());
      if (!isBusy) {
        staying.remove();
        underWay++;
        shard.locks().lockToMove(slot.key(), () -> move(slot));
      }
    }
    proceeding = false;
    if (underWay == 0 && isBusy) {
      end(false);
    } else if (underWay == 0) {
      shard.gates().enterAlone(stripe, this::dropAlone);
    }
  }

  private void unlock(ObjectSlot slot) {
    shard.locks().unlock(slot.key());
    underWay--;
    proceed();
  }

  /** An object that cannot be moved now leaves with the others, if memory need not have it. */
  private void move(ObjectSlot slot) {
    if (!slot.place().equals(shard.placement().find(slot.key(), slot.hash()))) {
      unlock(slot); // it was deleted, or got another slot
      return;
    }
    reads.load(
        slot.key(),
        slot.place(),
        version -> {
          if (version == null) {
            unlock(slot);
            return;
          }
          int slotClass = shard.stripes().slotClass(stripe);
          Place to = shard.freeSlots().takeForStaying(slotClass, layout.ring(slot.place().chunk()));
          moves.moveWithinClass(
              slot.key(),
              version,
              to,
              written -> {
                if (written == Written.DONE) {
                  statistics.stayed().add(version.bytes().length);
                }
                unlock(slot);
              });
        });
  }

  private void dropAlone() {
    if (shard.stripes().state(stripe) == StripeState.FREE) {
      shard.gates().leave(stripe);
      end(true); // its last object has moved, or was deleted
      return;
    }
    boolean mayDrop = rule.mayEvict() && !shard.freeSlots().isTaken(stripe);
    List<ObjectSlot> leaving = mayDrop ? ObjectSlot.in(shard, stripe, place -> true) : List.of();
    if (!mayDrop || !leaving.stream().allMatch(slot -> shard.locks().isIdle(slot.key()))) {
      shard.gates().leave(stripe);
      end(false);
      return;
    }
    List<ObjectSlot> late = leaving.stream().filter(slot -> !rule.mayEvict(slot.key())).toList();
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
    if (goesLeft == 0) {
      end(false);
    } else {
      staying.addAll(late);
      proceed();
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
      staying.forEach(slot -> shard.noteUse(slot.place()));
      shard.sparse().note(stripe);
    }
    done.accept(isFree);
  }
}
