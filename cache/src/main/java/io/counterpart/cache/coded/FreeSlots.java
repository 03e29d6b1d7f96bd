package io.counterpart.cache.coded;

import io.counterpart.cache.index.DataRings;
import io.counterpart.cache.index.SlotClasses;
import io.counterpart.cache.index.StripeIndex;
import io.counterpart.cache.index.StripeState;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Slots without an object, by class and ring: those of stripes just opened, and those that deleted
 * objects have left. The longest free one is taken first. A stripe is opened when a ring has none
 * of a class. Belongs to the shard's event loop.
 */
final class FreeSlots {
  private final Placement placement;
  private final int rings;
  private final int k;
  private final Metadata metadata;
  private final Sequences sequences;
  private final StripeIndex stripes;
  private final Map<Integer, ArrayDeque<Place>> queues = new HashMap<>();

  /** Taken, but without a key yet. */
  private final Set<Place> taken = new HashSet<>();

  /** Stripes whose slots nobody gets. */
  private final Set<Integer> withheld = new HashSet<>();

  FreeSlots(Placement placement, int k, Metadata metadata, Sequences sequences) {
    this.sequences = sequences;
    this.placement = placement;
    this.rings = placement.map().ringCount();
    this.k = k;
    this.metadata = metadata;
    this.stripes = metadata.log().stripes();
  }

  /** A slot for an object of a ring; it stays taken until {@link #assigned} or {@link #give}. */
  Place take(int slotClass, int ring) {
    ArrayDeque<Place> queue = queue(slotClass, ring);
    while (true) {
      Place place = queue.poll();
      if (place == null) {
        open(slotClass, ring);
      } else if (isFree(place, slotClass, ring)) {
        taken.add(place);
        return place;
      }
    }
  }

  /** Takes this slot, if it is free. */
  boolean takeIfFree(Place place, int slotClass, int ring) {
    return isFree(place, slotClass, ring) && taken.add(place);
  }

  /**
   * Whether a slot is one of the class and ring, and free: a queue may know slots of stripes that
   * are no more, and one slot twice.
   */
  boolean isFree(Place place, int slotClass, int ring) {
    int stripe = place.stripe();
    if (stripes.state(stripe) == StripeState.FREE
        || stripes.slotClass(stripe) != slotClass
        || withheld.contains(stripe)) {
      return false;
    }
    DataRings layout = new DataRings(stripes.layout(stripe));
    return layout.holdsData(ring)
        && layout.chunk(ring) == place.chunk()
        && !taken.contains(place)
        && metadata.key(place) == null;
  }

  private void open(int slotClass, int ring) {
    giveAll(metadata.openStripe(slotClass, layout(slotClass, ring), sequences.next()));
  }

  /** Rings for the data of a new stripe, with this one among them. */
  long layout(int slotClass, int ring) {
    return placement.layout(ring, other -> queue(slotClass, other).size());
  }

  /** Offers every slot of a stripe that has no key. */
  void giveAll(int stripe) {
    DataRings layout = new DataRings(stripes.layout(stripe));
    int slotClass = stripes.slotClass(stripe);
    for (int chunk = 0; chunk < k; chunk++) {
      ArrayDeque<Place> queue = queue(slotClass, layout.ring(chunk));
      for (int slot = 0; slot < SlotClasses.slotsPerChunk(slotClass); slot++) {
        Place place = new Place(stripe, chunk, slot);
        if (metadata.key(place) == null) {
          queue.add(place);
        }
      }
    }
  }

  /** A slot has its key now. */
  void assigned(Place place) {
    taken.remove(place);
  }

  /** A slot has no object any more, or was not used. */
  void give(Place place) {
    taken.remove(place);
    DataRings layout = new DataRings(stripes.layout(place.stripe()));
    queue(stripes.slotClass(place.stripe()), layout.ring(place.chunk())).add(place);
  }

  /** Has nobody get a slot of a stripe, until {@link #release}. */
  void withhold(int stripe) {
    withheld.add(stripe);
  }

  boolean isWithheld(int stripe) {
    return withheld.contains(stripe);
  }

  /** Offers what is free of a stripe that was withheld, if it is still there. */
  void release(int stripe) {
    withheld.remove(stripe);
    if (stripes.state(stripe) != StripeState.FREE) {
      giveAll(stripe);
    }
  }

  /** Whether a stripe has slots that are taken and have no key yet. */
  boolean isTaken(int stripe) {
    return taken.stream().anyMatch(place -> place.stripe() == stripe);
  }

  void clear() {
    queues.clear();
    taken.clear();
  }

  private ArrayDeque<Place> queue(int slotClass, int ring) {
    return queues.computeIfAbsent(slotClass * rings + ring, number -> new ArrayDeque<>());
  }
}
