package io.counterpart.cache.coded.stripe;

import io.counterpart.cache.index.SlotClasses;
import io.counterpart.cache.index.StripeIndex;
import io.counterpart.cache.index.StripeState;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

/**
 * Candidates for emptying: sealed stripes that may use less than half of their slots, one bit each,
 * by slot class. A stripe is noted when it may have become sparse and verified when a candidate is
 * requested. Belongs to the shard's event loop.
 */
public final class SparseStripes {
  /** No class, or no stripe. */
  public static final int NONE = -1;

  private final StripeIndex stripes;
  private final int k;
  private final Map<Integer, BitSet> noted = new HashMap<>();

  /** Classes in which a stripe was noted since they were last taken. */
  private final TreeSet<Integer> due = new TreeSet<>();

  /**
   * @param k data chunks of a stripe
   */
  public SparseStripes(StripeIndex stripes, int k) {
    this.stripes = stripes;
    this.k = k;
  }

  /** Notes a stripe if it is sparse, after an object was deleted or the stripe was sealed. */
  public void note(int stripe) {
    if (isSparse(stripe)) {
      int slotClass = stripes.slotClass(stripe);
      noted.computeIfAbsent(slotClass, number -> new BitSet()).set(stripe);
      due.add(slotClass);
    }
  }

  private boolean isSparse(int stripe) {
    return stripes.state(stripe) == StripeState.SEALED
        && 2 * stripes.live(stripe) < k * SlotClasses.slotsPerChunk(stripes.slotClass(stripe));
  }

  /**
   * A class in which stripes were noted since it was last taken; {@link #NONE} if there is none.
   */
  public int takeDue() {
    Integer first = due.pollFirst();
    return first == null ? NONE : first;
  }

  public boolean isAnyDue() {
    return !due.isEmpty();
  }

  /** Makes a class due once more. */
  public void putBack(int slotClass) {
    due.add(slotClass);
  }

  /** The first sparse stripe of a class from a number on; {@link #NONE} if there is none. */
  public int next(int slotClass, int from) {
    BitSet ofClass = noted.get(slotClass);
    if (ofClass == null) {
      return NONE;
    }
    int stripe = ofClass.nextSetBit(from);
    while (stripe >= 0 && !(isSparse(stripe) && stripes.slotClass(stripe) == slotClass)) {
      ofClass.clear(stripe);
      stripe = ofClass.nextSetBit(stripe + 1);
    }
    return stripe;
  }
}
