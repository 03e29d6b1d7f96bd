package io.counterpart.cache.client;

/**
 * A value read from the tier.
 *
 * @param bytes the caller's own copy
 * @param flags 32 bits of its writer
 * @param version for {@link CacheClient#compareAndSet}; grows with every write
 */
public record CachedValue(byte[] bytes, int flags, long version) {}
