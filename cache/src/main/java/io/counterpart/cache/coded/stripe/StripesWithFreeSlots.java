package io.counterpart.cache.coded.stripe;

import java.util.BitSet;

/**
 * A queue of stripes that may have free slots of one class in one ring, each once, in order of
 * arrival. It costs 4 bytes and a bit for each stripe, however many of its slots are free; the
 * chunk index knows the free slots. Belongs to the shard's event loop.
 */
public final class StripesWithFreeSlots {
  public static final int NONE = -1;
  private static final int FIRST_LENGTH = 16;

  private int[] ring = new int[FIRST_LENGTH];
  private int first;
  private int size;
  private final BitSet contained = new BitSet();

  /** Number of slots of the first stripe that were looked at and had an object. */
  private int looked;

  /** Adds a stripe, unless it is in the queue. */
  public void add(int stripe) {
    if (contained.get(stripe)) {
      return;
    }
    contained.set(stripe);
    if (size == ring.length) {
      grow();
    }
    ring[(first + size++) % ring.length] = stripe;
  }

  private void grow() {
    int[] longer = new int[2 * ring.length];
    for (int i = 0; i < size; i++) {
      longer[i] = ring[(first + i) % ring.length];
    }
    ring = longer;
    first = 0;
  }

  /** The stripe that was added first; {@link #NONE} if there is none. */
  public int first() {
    return size == 0 ? NONE : ring[first];
  }

  /** Removes the first stripe until it is added again. */
  public void removeFirst() {
    contained.clear(ring[first]);
    first = (first + 1) % ring.length;
    size--;
    looked = 0;
  }

  /** The slot from which to search the first stripe for free slots. */
  public int looked() {
    return looked;
  }

  public void setLooked(int slots) {
    looked = slots;
  }

  /** Number of stripes in the queue; some may have no free slot any more. */
  public int size() {
    return size;
  }

  /** Heap in bytes. */
  public long bytes() {
    return (long) ring.length * Integer.BYTES + contained.size() / Byte.SIZE;
  }
}
