package io.counterpart.cache.coded;

import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.format.RecordFormat;
import io.counterpart.cache.index.ObjectIndex;
import io.counterpart.cache.index.StripeIndex;

/**
 * What the parts of a shard work on. Belongs to its event loop.
 *
 * @param number of the shard, from 0
 */
record Shard(
    int number,
    CodeShape code,
    Metadata metadata,
    ObjectIndex objects,
    Placement placement,
    Items items,
    FreeSlots freeSlots,
    PendingDeltas pending,
    Journal journal,
    StripeGates gates,
    Sequences sequences,
    Coder coder,
    RecordFormat records) {

  StripeIndex stripes() {
    return metadata.log().stripes();
  }

  /** Notes that a slot has an object. */
  void assign(Place place, byte[] key, long keyHash) {
    metadata.assign(place, key);
    objects.add(keyHash, place.stripe(), place.slot());
    freeSlots.assigned(place);
  }

  /** Notes that a slot has no object any more. */
  void free(Place place, long keyHash) {
    metadata.free(place);
    objects.remove(keyHash, place.stripe(), place.slot());
    freeSlots.give(place);
  }
}
