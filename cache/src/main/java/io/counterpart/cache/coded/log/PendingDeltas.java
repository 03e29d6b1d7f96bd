package io.counterpart.cache.coded.log;

import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.coded.stripe.Xor;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ObjIntConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Deltas that parity does not hold yet, by stripe: for each slot the old bytes xor the new ones,
 * and the journal items that protect them. The parity of an open stripe is zero, so its deltas are
 * the complete content of its slots. Belongs to the shard's event loop.
 */
public final class PendingDeltas {
  private final Map<Integer, OfStripe> stripes = new HashMap<>();

  /** Those that parity holds now, while a restart may still need their journal items. */
  private final Map<Integer, OfStripe> folded = new HashMap<>();

  /**
   * Adds a write.
   *
   * @param delta not to be changed any more
   */
  public void add(Place place, byte[] delta, List<JournalItem> items) {
    OfStripe pending = stripes.computeIfAbsent(place.stripe(), stripe -> new OfStripe());
    pending.add(place.within(), delta);
    pending.items.addAll(items);
    pending.isUnjournalled |= items.isEmpty();
  }

  public @Nullable OfStripe of(int stripe) {
    return stripes.get(stripe);
  }

  /** Delta of a slot, until the next write of the slot; empty if there is none. */
  public byte[] delta(int stripe, int chunk, int slot) {
    OfStripe pending = stripes.get(stripe);
    byte[] delta = pending == null ? null : pending.deltas.get(Place.within(chunk, slot));
    return delta == null ? Xor.nothing() : delta;
  }

  /** Removes a stripe's deltas; returns the journal items that held them. */
  public List<JournalItem> remove(int stripe) {
    OfStripe removed = stripes.remove(stripe);
    return removed == null ? List.of() : removed.items;
  }

  /**
   * As {@link #remove}, since parity holds the deltas now. Their journal items count until {@link
   * #letGo}.
   */
  public List<JournalItem> fold(int stripe) {
    OfStripe removed = stripes.remove(stripe);
    if (removed == null) {
      return List.of();
    }
    removed.deltas.clear(); // memory
    folded.put(stripe, removed);
    return removed.items;
  }

  /** The journal items of a folded stripe are released, or held for its missing parity. */
  public void letGo(int stripe) {
    folded.remove(stripe);
  }

  private Stream<OfStripe> withFolded() {
    return Stream.concat(stripes.values().stream(), folded.values().stream());
  }

  /** Stripes with pending deltas. */
  public List<Integer> stripes() {
    return List.copyOf(stripes.keySet());
  }

  /** Stripes with pending deltas that journals hold. */
  public List<Integer> journalledStripes() {
    return stripes.entrySet().stream()
        .filter(stripe -> !stripe.getValue().items.isEmpty())
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Whether a journal item up to a number protects any delta, or one that is being folded. */
  public boolean isJournalledUpTo(long number) {
    return withFolded()
        .flatMap(stripe -> stripe.items.stream())
        .anyMatch(item -> item.number() <= number);
  }

  /** Whether a stripe has, or had before its fold, deltas that only earlier journals protect. */
  public boolean hasUnjournalled() {
    return withFolded().anyMatch(stripe -> stripe.isUnjournalled);
  }

  /** Those stripes, without folded ones. */
  public List<Integer> unjournalledStripes() {
    return stripes.entrySet().stream()
        .filter(stripe -> stripe.getValue().isUnjournalled)
        .map(Map.Entry::getKey)
        .toList();
  }

  public void clear() {
    stripes.clear();
    folded.clear();
  }

  /** The deltas of one stripe. */
  public static final class OfStripe {
    private final Map<Integer, byte[]> deltas = new HashMap<>();
    private final List<JournalItem> items = new ArrayList<>();

    /** Slots whose delta is a sum, in an array that nobody else has. */
    private final BitSet sums = new BitSet();

    /** Whether some delta has no item of this process, whatever later ones have. */
    private boolean isUnjournalled;

    private void add(int within, byte[] delta) {
      byte[] before = deltas.get(within);
      if (before != null && before.length >= delta.length && sums.get(within)) {
        Xor.into(before, delta);
      } else {
        deltas.put(within, before == null ? delta : Xor.of(before, delta));
        sums.set(within, before != null);
      }
    }

    /** Passes each slot's delta and the slot, in the form of {@link Place#within}. */
    public void forEach(ObjIntConsumer<byte[]> taker) {
      deltas.forEach((within, delta) -> taker.accept(delta, within));
    }
  }
}
