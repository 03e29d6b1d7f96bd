package io.counterpart.cache.coded;

/**
 * The position of an object in the code.
 *
 * @param stripe the stripe's number
 * @param chunk its data chunk, 0 to k − 1
 * @param slot the slot in the chunk, which is the column in the stripe
 */
record Place(int stripe, int chunk, int slot) {
  private static final int SLOT_BITS = 7;

  /** Chunk and slot in one number. */
  int within() {
    return within(chunk, slot);
  }

  static int within(int chunk, int slot) {
    return chunk << SLOT_BITS | slot;
  }

  static int chunk(int within) {
    return within >>> SLOT_BITS;
  }

  static int slot(int within) {
    return within & (1 << SLOT_BITS) - 1;
  }
}
