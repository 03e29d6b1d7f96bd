package io.counterpart.cache.coded.evict;

import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.coded.stripe.SparseStripes;
import io.counterpart.cache.index.DataRings;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sparse stripes that receive the objects of emptied stripes of the same slot class. A receiver is
 * not emptied in the same pass, and a stripe is emptied only if the receivers have room for all of
 * its objects. So every move brings the number of stripes down. Belongs to the shard's event loop.
 */
final class CompactionTargets {
  private static final int LOOKED_AT = 32;

  private final Shard shard;
  private final int slotClass;
  private final Set<Integer> stripes = new HashSet<>();
  private final Map<Integer, ArrayDeque<Place>> free = new HashMap<>();

  CompactionTargets(Shard shard, int slotClass) {
    this.shard = shard;
    this.slotClass = slotClass;
  }

  boolean contains(int stripe) {
    return stripes.contains(stripe);
  }

  /**
   * Chooses receivers until they have room for all objects of a stripe. If too few stripes are
   * left, the stripe itself becomes a receiver.
   */
  boolean makeRoomFor(int stripe) {
    DataRings layout = layout(stripe);
    for (int chunk = 0; chunk < shard.code().k(); chunk++) {
      int ring = layout.ring(chunk);
      int needed = shard.slotsPerChunk(stripe) - freeSlots(stripe, chunk);
      while (room(ring) < needed) {
        int more = fullestWithRoom(ring, stripe);
        if (more == SparseStripes.NONE) {
          add(stripe);
          return false;
        }
        add(more);
      }
    }
    return true;
  }

  /** Takes a slot for an object of a ring; null if clients have taken the free ones. */
  @Nullable Place take(int ring) {
    ArrayDeque<Place> places = ofRing(ring);
    for (Place place = places.poll(); place != null; place = places.poll()) {
      if (shard.freeSlots().takeIfFree(place, slotClass, ring)) {
        return place;
      }
    }
    return null;
  }

  private int room(int ring) {
    ArrayDeque<Place> places = ofRing(ring);
    places.removeIf(place -> !shard.freeSlots().isFree(place, slotClass, ring));
    return places.size();
  }

  /**
   * The fullest of the next stripes with room: the fuller it is, the less would have to move out of
   * it.
   */
  private int fullestWithRoom(int ring, int after) {
    int fullest = SparseStripes.NONE;
    int candidate = shard.sparse().next(slotClass, after + 1);
    for (int seen = 0; seen < LOOKED_AT && candidate != SparseStripes.NONE; seen++) {
      boolean isFuller =
          fullest == SparseStripes.NONE
              || shard.stripes().live(candidate) > shard.stripes().live(fullest);
      if (isFuller && !contains(candidate) && hasRoom(candidate, ring)) {
        fullest = candidate;
      }
      candidate = shard.sparse().next(slotClass, candidate + 1);
    }
    return fullest;
  }

  private boolean hasRoom(int stripe, int ring) {
    DataRings layout = layout(stripe);
    return layout.holdsData(ring) && freeSlots(stripe, layout.chunk(ring)) > 0;
  }

  private int freeSlots(int stripe, int chunk) {
    int count = 0;
    for (int slot = 0; slot < shard.slotsPerChunk(stripe); slot++) {
      count += shard.metadata().isEmpty(stripe, chunk, slot) ? 1 : 0;
    }
    return count;
  }

  private void add(int stripe) {
    stripes.add(stripe);
    DataRings layout = layout(stripe);
    for (int chunk = 0; chunk < shard.code().k(); chunk++) {
      for (int slot = 0; slot < shard.slotsPerChunk(stripe); slot++) {
        if (shard.metadata().isEmpty(stripe, chunk, slot)) {
          ofRing(layout.ring(chunk)).add(new Place(stripe, chunk, slot));
        }
      }
    }
  }

  private DataRings layout(int stripe) {
    return new DataRings(shard.stripes().layout(stripe));
  }

  private ArrayDeque<Place> ofRing(int ring) {
    return free.computeIfAbsent(ring, number -> new ArrayDeque<>());
  }
}
