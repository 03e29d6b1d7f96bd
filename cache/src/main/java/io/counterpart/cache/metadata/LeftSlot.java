package io.counterpart.cache.metadata;

/**
 * A slot whose object already has another place, while the stripe's parity may still include its
 * record.
 *
 * @param sequence parity that is folded up to it, or later, is without the record
 * @param key of the object
 */
public record LeftSlot(int stripe, int chunk, int slot, long sequence, byte[] key) {}
