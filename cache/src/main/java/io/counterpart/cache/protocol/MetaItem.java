package io.counterpart.cache.protocol;

/**
 * The properties of an item that {@code mg} can return.
 *
 * @param lengthBytes of the value
 * @param flags client flags, 32 unsigned bits
 * @param cas 64 unsigned bits
 * @param ttlSeconds until it expires, or -1 if it does not
 * @param idleSeconds since it was last read or written
 * @param fetched whether it was read since it was written
 * @param binaryKey whether it was written under a key in base64; memcached returns the key in the
 *     form of the item, not of the request
 * @param won whether this client is chosen to compute the value anew
 * @param stale whether the value is marked as old
 * @param tokenSent whether another client was chosen before
 */
public record MetaItem(
    int lengthBytes,
    int flags,
    long cas,
    long ttlSeconds,
    long idleSeconds,
    boolean fetched,
    boolean binaryKey,
    boolean won,
    boolean stale,
    boolean tokenSent) {}
