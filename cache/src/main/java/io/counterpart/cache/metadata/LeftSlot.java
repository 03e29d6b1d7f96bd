package io.counterpart.cache.metadata;

/**
 * A slot whose object already has another place, while the stripe's parity may still include its
 * record.
 *
 * @param sequence parity folded up to this sequence or later no longer includes the record
 * @param key key of the object
 */
public record LeftSlot(int stripe, int chunk, int slot, long sequence, byte[] key) {}
