package io.counterpart.cache.coded;

import io.counterpart.cache.index.DataRings;
import io.counterpart.cache.index.ObjectIndex;
import io.counterpart.cache.index.StripeState;
import io.counterpart.cache.ring.Arc;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.LongStream;

/**
 * Slots that may have an object whose server has changed: those that the object index has in the
 * arcs of the ring that changed, so that not all keys need be read. Belongs to the shard's event
 * loop. Paper: ECHash §4.3 (object migration).
 */
final class MovingSlots {
  private final Shard shard;
  private final boolean withHomes;

  /** Stripe and place within it, sorted. */
  private long[] slots = new long[0];

  /**
   * @param withHomes whether objects count too that are in a chunk of their new server already
   */
  MovingSlots(Shard shard, boolean withHomes) {
    this.shard = shard;
    this.withHomes = withHomes;
    LongStream.Builder found = LongStream.builder();
    for (Arc arc : shard.placement().movingArcs()) {
      addArc(arc, found);
    }
    slots = found.build().sorted().distinct().toArray();
  }

  private void addArc(Arc arc, LongStream.Builder found) {
    int first = ObjectIndex.fingerprint(arc.start());
    int last = ObjectIndex.fingerprint(arc.end());
    int from = shard.placement().oldRing(arc.from());
    int to = shard.placement().map().ring(arc.to());
    ObjectIndex.Visitor visitor =
        (fingerprint, stripe, slot) -> {
          DataRings layout = new DataRings(shard.stripes().layout(stripe));
          if (layout.holdsData(from)) {
            found.add(number(stripe, Place.within(layout.chunk(from), slot)));
          }
          if (withHomes && layout.holdsData(to)) {
            found.add(number(stripe, Place.within(layout.chunk(to), slot)));
          }
        };
    if (Long.compareUnsigned(arc.start(), arc.end()) < 0) {
      shard.objects().forEach(first, last, visitor);
    } else {
      shard.objects().forEach(first, ObjectIndex.fingerprint(-1), visitor);
      shard.objects().forEach(0, last, visitor);
    }
  }

  /** Adds places. */
  void add(List<Place> places) {
    add(places.stream().mapToLong(place -> number(place.stripe(), place.within())));
  }

  /** Adds all slots of stripes. */
  void addStripes(List<Integer> stripes) {
    add(stripes.stream().flatMapToLong(this::all));
  }

  private LongStream all(int stripe) {
    LongStream.Builder found = LongStream.builder();
    if (shard.stripes().state(stripe) != StripeState.FREE) {
      for (int chunk = 0; chunk < shard.code().k(); chunk++) {
        for (int slot = 0; slot < shard.slotsPerChunk(stripe); slot++) {
          found.add(number(stripe, Place.within(chunk, slot)));
        }
      }
    }
    return found.build();
  }

  private void add(LongStream added) {
    slots = LongStream.concat(Arrays.stream(slots), added).sorted().distinct().toArray();
  }

  /**
   * Hands over the slots of a stripe that is not free, as {@link Place#within} has them. It may
   * have been another one, with more slots, when servers changed.
   */
  void forEach(int stripe, IntConsumer taker) {
    int slotsPerChunk = shard.slotsPerChunk(stripe);
    int found = Arrays.binarySearch(slots, number(stripe, 0));
    int at = found >= 0 ? found : -found - 1;
    while (at < slots.length && (int) (slots[at] >>> Integer.SIZE) == stripe) {
      int within = (int) slots[at];
      if (Place.slot(within) < slotsPerChunk) {
        taker.accept(within);
      }
      at++;
    }
  }

  private static long number(int stripe, int within) {
    return (long) stripe << Integer.SIZE | within;
  }
}
