package io.counterpart.cache.client;

/**
 * A value as it was read.
 *
 * @param bytes the caller's own copy
 * @param flags 32 bits of whoever wrote it
 * @param version for {@link CacheClient#compareAndSet}; grows with every write
 */
public record CachedValue(byte[] bytes, int flags, long version) {}
