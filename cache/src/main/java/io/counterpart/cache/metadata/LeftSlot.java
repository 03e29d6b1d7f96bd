package io.counterpart.cache.metadata;

/**
 * A slot whose object has got another place, while its record may still be in the parity of its
 * stripe.
 *
 * @param sequence parity that is folded up to it, or later, is without the record
 * @param key of the object
 */
public record LeftSlot(int stripe, int chunk, int slot, long sequence, byte[] key) {}
