package io.counterpart.cache.format;

import io.netty.buffer.ByteBuf;

/**
 * A write that parity may not include yet.
 *
 * @param kind the change of the slot
 * @param stripe the stripe, unsigned
 * @param chunk its data chunk, from 0
 * @param slot the slot in the chunk, from 0
 * @param sequence of the write
 * @param previous sequence of the slot's previous record; 0 if the slot was free
 * @param delta old bytes of the slot xor new ones; trailing zeros may be left out
 * @param key key of the object in the slot after the write; for {@link Kind#FREE}, before it
 */
public record JournalEntry(
    Kind kind,
    int stripe,
    int chunk,
    int slot,
    long sequence,
    long previous,
    ByteBuf delta,
    ByteBuf key) {
  /** The effect of a write on its slot, in the order of the byte format. */
  public enum Kind {
    /** A free slot takes an object. */
    INSERT,
    /** The object in the slot changes. */
    UPDATE,
    /** The slot becomes free: all zeros. */
    FREE,
    /**
     * The stripe was opened with this sequence; chunk and slot are 0, there is no key, and the
     * delta is {@code class u8 | layout u64}.
     */
    OPENED
  }
}
