/**
 * The persistent store behind a memory tier: read-through, the order of writes to memory and store,
 * and the bound on concurrent requests to the store. In: clients' operations on an {@link
 * io.counterpart.cache.tier.ObjectTier}; out: operations on the tier below and on a {@link
 * io.counterpart.cache.store.PersistentStore}. No driver and no wire format here.
 *
 * <p>Rule for exceptions, as in {@link io.counterpart.cache.coded}: a {@link RuntimeException} ends
 * the tier, and the proxy with it. Giving back the turn of a key instead would be wrong: memory
 * could have an older value than the store by then, and nobody would know. A request that fails in
 * the store is not an exception but an outcome, after which every turn and place is given back.
 */
@NullMarked
package io.counterpart.cache.store;

import org.jspecify.annotations.NullMarked;
