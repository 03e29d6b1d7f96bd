package io.counterpart.cache.coded.stripe;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One bit for each slot: whether its object was read or written since the hand of eviction was at
 * its stripe. A stripe without such objects costs 4 bytes. Belongs to the shard's event loop.
 */
public final class ReadSlots {
  private static final int FIRST_LENGTH = 64;

  private final boolean isKept;
  private long[] @Nullable [] ofStripe = new long[FIRST_LENGTH][];

  /**
   * @param isKept false: nothing is noted
   */
  public ReadSlots(boolean isKept) {
    this.isKept = isKept;
  }

  public boolean isKept() {
    return isKept;
  }

  /**
   * Notes a read.
   *
   * @param slot its number in the stripe, over all chunks
   * @param slots of the stripe
   */
  public void note(int stripe, int slot, int slots) {
    if (stripe >= ofStripe.length) {
      ofStripe = Arrays.copyOf(ofStripe, Math.max(stripe + 1, ofStripe.length * 3 / 2));
    }
    long[] bits = ofStripe[stripe];
    if (bits == null) {
      bits = new long[(slots + Long.SIZE - 1) / Long.SIZE];
      ofStripe[stripe] = bits;
    }
    bits[slot / Long.SIZE] |= 1L << slot;
  }

  public boolean isRead(int stripe, int slot) {
    long[] bits = stripe < ofStripe.length ? ofStripe[stripe] : null;
    return bits != null && (bits[slot / Long.SIZE] & 1L << slot) != 0;
  }

  /** Number of slots of a stripe that were read. */
  public int count(int stripe) {
    long[] bits = stripe < ofStripe.length ? ofStripe[stripe] : null;
    return bits == null ? 0 : Arrays.stream(bits).mapToInt(Long::bitCount).sum();
  }

  /** Forgets the reads of all stripes. */
  public void clear() {
    ofStripe = new long[FIRST_LENGTH][];
  }

  /** Forgets the reads of a stripe. */
  public void clear(int stripe) {
    if (stripe < ofStripe.length) {
      ofStripe[stripe] = null;
    }
  }
}
