package io.counterpart.baselines;

import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.index.DataRings;
import io.counterpart.cache.index.SlotClasses;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A new stripe for objects that move out of other stripes. Nobody else writes into it until it is
 * sealed. Belongs to the shard's event loop.
 *
 * @param number of the stripe
 * @param objects objects by place within the stripe; none after it was given up
 */
record NewStripe(int number, Map<Integer, Moved> objects) {

  /** Opens as many stripes as these objects need, and assigns a place to each object. */
  static List<NewStripe> fill(Shard shard, int slotClass, List<Moved> objects) {
    Map<Integer, ArrayDeque<Moved>> byRing = new HashMap<>();
    for (Moved moved : objects) {
      byRing
          .computeIfAbsent(shard.placement().ring(moved.hash()), ring -> new ArrayDeque<>())
          .add(moved);
    }
    List<NewStripe> stripes = new ArrayList<>();
    while (!byRing.isEmpty()) {
      long layout = layout(shard, slotClass, byRing);
      NewStripe stripe =
          new NewStripe(
              shard.metadata().openStripe(slotClass, layout, shard.sequences().last()),
              new TreeMap<>());
      stripe.take(shard, new DataRings(layout), SlotClasses.slotsPerChunk(slotClass), byRing);
      stripes.add(stripe);
      byRing.values().removeIf(ArrayDeque::isEmpty);
    }
    return stripes;
  }

  /** The k rings with the most objects; if there are fewer, also rings with few free slots. */
  private static long layout(Shard shard, int slotClass, Map<Integer, ArrayDeque<Moved>> byRing) {
    int k = shard.code().k();
    List<Integer> rings =
        byRing.entrySet().stream()
            .sorted(
                Comparator.comparingInt(
                        (Map.Entry<Integer, ArrayDeque<Moved>> ring) -> -ring.getValue().size())
                    .thenComparingInt(Map.Entry::getKey))
            .limit(k)
            .map(Map.Entry::getKey)
            .toList();
    long layout = 0;
    for (int ring : rings) {
      layout |= 1L << ring;
    }
    long others = shard.freeSlots().layout(slotClass, rings.get(0)) & ~layout;
    while (Long.bitCount(layout) < k) {
      layout |= Long.lowestOneBit(others);
      others &= others - 1;
    }
    return layout;
  }

  private void take(
      Shard shard, DataRings layout, int slots, Map<Integer, ArrayDeque<Moved>> byRing) {
    for (int chunk = 0; chunk < layout.chunks(); chunk++) {
      ArrayDeque<Moved> waiting = byRing.get(layout.ring(chunk));
      for (int slot = 0; waiting != null && slot < slots && !waiting.isEmpty(); slot++) {
        Moved moved = waiting.remove();
        Place place = new Place(number, chunk, slot);
        objects.put(place.within(), moved);
        shard.assign(place, moved.key().bytes(), moved.hash());
        // reads find the new place from now on; the old one keeps its key until parity is without
        // it
        shard.objects().remove(moved.hash(), moved.place().stripe(), moved.place().slot());
        shard.pending().add(place, moved.record(), List.of());
      }
    }
  }

  /** Frees the stripe; its objects stay in their old places. */
  void giveUp(Shard shard) {
    objects.forEach((within, moved) -> takeBack(shard, within, moved));
    objects.clear();
    shard.pending().remove(number);
    shard
        .metadata()
        .freeStripe(number, shard.items().dropParity(number, shard.code().parityCount()));
  }

  private void takeBack(Shard shard, int within, Moved moved) {
    Place old = moved.place();
    shard.objects().remove(moved.hash(), number, Place.slot(within));
    if (shard.hasObject(old, moved.key())) {
      shard.objects().add(moved.hash(), old.stripe(), old.slot());
    }
  }
}
