package io.counterpart.cache.coded.shard;

import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.index.DataRings;
import io.counterpart.cache.index.ObjectIndex;
import io.counterpart.cache.index.StripeState;
import io.counterpart.cache.ring.MovingArc;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.LongStream;

/**
 * Slots whose objects may have changed servers. It finds them in the object index by the changed
 * arcs of the rings, so that a change of servers need not read all keys. Belongs to the shard's
 * event loop. Paper: ECHash §4.3 (object migration).
 */
public final class MovingSlots {
  private final Shard shard;

  /** Stripe and place within it, sorted, some of them twice. */
  private final long[] slots;

  /**
   * @param all stripes of which all slots are added
   */
  public MovingSlots(Shard shard, List<Integer> all) {
    this.shard = shard;
    LongStream.Builder found = LongStream.builder();
    shard.placement().movingArcs().forEach(arc -> addArc(arc, found));
    all.forEach(stripe -> addAll(stripe, found));
    this.slots = found.build().toArray();
    Arrays.sort(slots);
  }

  private void addArc(MovingArc arc, LongStream.Builder found) {
    int first = ObjectIndex.fingerprint(arc.start());
    int last = ObjectIndex.fingerprint(arc.end());
    int from = shard.placement().oldRing(arc.from());
    ObjectIndex.Visitor visitor =
        (fingerprint, stripe, slot) -> {
          DataRings layout = new DataRings(shard.stripes().layout(stripe));
          if (layout.holdsData(from)) {
            found.add(number(stripe, Place.within(layout.chunk(from), slot)));
          }
        };
    if (Long.compareUnsigned(arc.start(), arc.end()) < 0) {
      shard.objects().forEach(first, last, visitor);
    } else {
      shard.objects().forEach(first, ObjectIndex.fingerprint(-1), visitor);
      shard.objects().forEach(0, last, visitor);
    }
  }

  private void addAll(int stripe, LongStream.Builder found) {
    if (shard.stripes().state(stripe) == StripeState.FREE) {
      return;
    }
    for (int chunk = 0; chunk < shard.code().k(); chunk++) {
      for (int slot = 0; slot < shard.slotsPerChunk(stripe); slot++) {
        found.add(number(stripe, Place.within(chunk, slot)));
      }
    }
  }

  /**
   * Passes the slots of a stripe that is not free, in the form of {@link Place#within}. A slot may
   * be out of range if the stripe's number was reused since servers changed.
   */
  public void forEach(int stripe, IntConsumer taker) {
    int slotsPerChunk = shard.slotsPerChunk(stripe);
    int found = Arrays.binarySearch(slots, number(stripe, 0));
    int last = -1;
    for (int at = found >= 0 ? found : -found - 1;
        at < slots.length && slots[at] >>> Integer.SIZE == stripe;
        at++) {
      int within = (int) slots[at];
      if (within != last && Place.slot(within) < slotsPerChunk) {
        taker.accept(within);
      }
      last = within;
    }
  }

  private static long number(int stripe, int within) {
    return (long) stripe << Integer.SIZE | within;
  }
}
