package io.counterpart.cache.coded.shard;

import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.ring.KeyHash;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** An object of a stripe, in its place. */
public record ObjectSlot(Place place, Key key, long hash) {

  /** The objects in a stripe's places, those that are wanted; reads their keys. */
  public static List<ObjectSlot> in(Shard shard, int stripe, Predicate<Place> wanted) {
    List<ObjectSlot> slots = new ArrayList<>();
    for (int chunk = 0; chunk < shard.code().k(); chunk++) {
      for (int slot = 0; slot < shard.slotsPerChunk(stripe); slot++) {
        Place place = new Place(stripe, chunk, slot);
        byte[] key = wanted.test(place) ? shard.metadata().key(place) : null;
        if (key != null) {
          slots.add(new ObjectSlot(place, Key.of(key), KeyHash.of(key)));
        }
      }
    }
    return slots;
  }
}
