package io.counterpart.cache.coded.shard;

import io.counterpart.cache.coded.server.Placement;
import io.counterpart.cache.coded.stripe.Metadata;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.coded.stripe.Sequences;
import io.counterpart.cache.coded.stripe.StripesWithFreeSlots;
import io.counterpart.cache.index.DataRings;
import io.counterpart.cache.index.SlotClasses;
import io.counterpart.cache.index.StripeIndex;
import io.counterpart.cache.index.StripeState;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Free slots by slot class and ring: those of newly opened stripes and those of deleted objects.
 * The stripe that has had free slots for longest is filled first. If a ring has no free slot of a
 * class, a new stripe is opened. Stripes for objects that stay when others are evicted are filled
 * with those alone. Memory grows with stripes, not with free slots. Belongs to the shard's event
 * loop.
 */
public final class FreeSlots {
  private final Placement placement;
  private final int rings;
  private final int k;
  private final Metadata metadata;
  private final Sequences sequences;
  private final StripeIndex stripes;
  private final Map<Integer, StripesWithFreeSlots> queues = new HashMap<>();
  private final Map<Integer, StripesWithFreeSlots> queuesOfStaying = new HashMap<>();

  /** Stripes for objects that stay when others are evicted, since the start. */
  private final BitSet staying = new BitSet();

  /** Slots that were taken but have no key yet. */
  private final Set<Place> taken = new HashSet<>();

  /** Stripes whose slots are not given out. */
  private final Set<Integer> withheld = new HashSet<>();

  private Watch watch = Watch.NOBODY;

  /** Learns which stripes there are. */
  public interface Watch {
    Watch NOBODY =
        new Watch() {
          @Override
          public void opened(int stripe, boolean isForStaying) {}

          @Override
          public void freed(int stripe) {}

          @Override
          public void cleared() {}
        };

    /** A stripe has been opened. */
    void opened(int stripe, boolean isForStaying);

    /** A stripe is about to be freed. */
    void freed(int stripe);

    /** All stripes have been freed. */
    void cleared();
  }

  FreeSlots(Placement placement, int k, Metadata metadata, Sequences sequences) {
    this.sequences = sequences;
    this.placement = placement;
    this.rings = placement.map().ringCount();
    this.k = k;
    this.metadata = metadata;
    this.stripes = metadata.log().stripes();
  }

  /** Has somebody told of stripes from now on. */
  public void watch(Watch by) {
    watch = by;
  }

  /**
   * Takes a free slot for an object of a ring; it stays taken until {@link #assigned} or {@link
   * #give}.
   */
  public Place take(int slotClass, int ring) {
    return take(slotClass, ring, false);
  }

  /** As {@link #take(int, int)}, for an object that stays when others of its stripe are evicted. */
  public Place takeForStaying(int slotClass, int ring) {
    return take(slotClass, ring, true);
  }

  private Place take(int slotClass, int ring, boolean isForStaying) {
    StripesWithFreeSlots queue = queue(slotClass, ring, isForStaying);
    while (true) {
      if (queue.first() == StripesWithFreeSlots.NONE) {
        open(slotClass, ring, isForStaying);
      }
      // a queue may name a stripe whose number was used again, for the other kind
      boolean isOfKind = staying.get(queue.first()) == isForStaying;
      Place place = isOfKind ? nextOfFirst(queue, slotClass, ring) : null;
      if (!isOfKind) {
        queue.removeFirst();
      }
      if (place != null) {
        taken.add(place);
        return place;
      }
    }
  }

  /**
   * A free slot of the queue's first stripe; null if it has none, which also removes the stripe
   * from the queue.
   */
  private @Nullable Place nextOfFirst(StripesWithFreeSlots queue, int slotClass, int ring) {
    int stripe = queue.first();
    if (offers(stripe, slotClass, ring)) {
      int chunk = new DataRings(stripes.layout(stripe)).chunk(ring);
      int slots = SlotClasses.slotsPerChunk(slotClass);
      int begin = queue.looked();
      // earlier slots may have been freed since
      for (int seen = 0; seen < slots; seen++) {
        int slot = (begin + seen) % slots;
        Place place = metadata.isEmpty(stripe, chunk, slot) ? new Place(stripe, chunk, slot) : null;
        if (place != null && !taken.contains(place)) {
          queue.setLooked((slot + 1) % slots);
          return place;
        }
      }
    }
    queue.removeFirst();
    return null;
  }

  /** Whether a stripe may be filled; a queue may name stripes that no longer exist. */
  private boolean offers(int stripe, int slotClass, int ring) {
    return stripes.state(stripe) != StripeState.FREE
        && stripes.slotClass(stripe) == slotClass
        && !withheld.contains(stripe)
        && new DataRings(stripes.layout(stripe)).holdsData(ring);
  }

  /** Takes this slot, if it is free. */
  public boolean takeIfFree(Place place, int slotClass, int ring) {
    return isFree(place, slotClass, ring) && taken.add(place);
  }

  /** Whether a slot is free and belongs to the class and ring. */
  public boolean isFree(Place place, int slotClass, int ring) {
    int stripe = place.stripe();
    return offers(stripe, slotClass, ring)
        && new DataRings(stripes.layout(stripe)).chunk(ring) == place.chunk()
        && !taken.contains(place)
        && metadata.isEmpty(stripe, place.chunk(), place.slot());
  }

  private void open(int slotClass, int ring, boolean isForStaying) {
    long layout = layout(slotClass, ring, isForStaying);
    int stripe = metadata.openStripe(slotClass, layout, sequences.next());
    staying.set(stripe, isForStaying);
    giveAll(stripe);
    watch.opened(stripe, isForStaying);
  }

  /** Rings for the data of a new stripe, including this one. */
  public long layout(int slotClass, int ring) {
    return layout(slotClass, ring, false);
  }

  private long layout(int slotClass, int ring, boolean isForStaying) {
    return placement.layout(ring, other -> queue(slotClass, other, isForStaying).size());
  }

  /** Offers a stripe's slots without a key. */
  public void giveAll(int stripe) {
    DataRings layout = new DataRings(stripes.layout(stripe));
    int slotClass = stripes.slotClass(stripe);
    for (int chunk = 0; chunk < k; chunk++) {
      if (hasFree(stripe, chunk, SlotClasses.slotsPerChunk(slotClass))) {
        queue(slotClass, layout.ring(chunk), staying.get(stripe)).add(stripe);
      }
    }
  }

  private boolean hasFree(int stripe, int chunk, int slots) {
    for (int slot = 0; slot < slots; slot++) {
      if (metadata.isEmpty(stripe, chunk, slot)) {
        return true;
      }
    }
    return false;
  }

  /** Notes that a taken slot has its key. */
  void assigned(Place place) {
    taken.remove(place);
  }

  /** Offers a slot that has no object any more, or was not used. */
  public void give(Place place) {
    taken.remove(place);
    DataRings layout = new DataRings(stripes.layout(place.stripe()));
    int stripe = place.stripe();
    queue(stripes.slotClass(stripe), layout.ring(place.chunk()), staying.get(stripe)).add(stripe);
  }

  /** Keeps a stripe's slots from being given out, until {@link #release}. */
  public void withhold(int stripe) {
    withheld.add(stripe);
  }

  public boolean isWithheld(int stripe) {
    return withheld.contains(stripe);
  }

  /** Offers the free slots of a withheld stripe, if the stripe still exists. */
  public void release(int stripe) {
    withheld.remove(stripe);
    if (stripes.state(stripe) != StripeState.FREE) {
      giveAll(stripe);
    }
  }

  /** Whether a stripe has taken slots without a key. */
  public boolean isTaken(int stripe) {
    return taken.stream().anyMatch(place -> place.stripe() == stripe);
  }

  /** Notes that a stripe is about to be freed. */
  void freed(int stripe) {
    watch.freed(stripe);
    staying.clear(stripe);
  }

  public void clear() {
    queues.clear();
    queuesOfStaying.clear();
    staying.clear();
    taken.clear();
    watch.cleared();
  }

  /** Heap bytes of the queues. */
  long bytes() {
    return Stream.of(queues, queuesOfStaying)
        .flatMap(kind -> kind.values().stream())
        .mapToLong(StripesWithFreeSlots::bytes)
        .sum();
  }

  private StripesWithFreeSlots queue(int slotClass, int ring, boolean isForStaying) {
    return (isForStaying ? queuesOfStaying : queues)
        .computeIfAbsent(slotClass * rings + ring, number -> new StripesWithFreeSlots());
  }
}
