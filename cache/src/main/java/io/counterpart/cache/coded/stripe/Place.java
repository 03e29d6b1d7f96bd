package io.counterpart.cache.coded.stripe;

/**
 * The position of an object in the code.
 *
 * @param stripe the stripe's number
 * @param chunk its data chunk, 0 to k − 1
 * @param slot the slot in the chunk, which is the column in the stripe
 */
public record Place(int stripe, int chunk, int slot) {
  private static final int SLOT_BITS = 7;

  /** Chunk and slot in one number. */
  public int within() {
    return within(chunk, slot);
  }

  public static int within(int chunk, int slot) {
    return chunk << SLOT_BITS | slot;
  }

  public static int chunk(int within) {
    return within >>> SLOT_BITS;
  }

  public static int slot(int within) {
    return within & (1 << SLOT_BITS) - 1;
  }
}
