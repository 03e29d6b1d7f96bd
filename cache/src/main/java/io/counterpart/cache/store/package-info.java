/**
 * The persistent store behind a memory tier: read-through, the order of writes to memory and store,
 * and the bound on concurrent requests to the store. In: clients' operations on an {@link
 * io.counterpart.cache.tier.ObjectTier}; out: operations on the tier below and on a {@link
 * io.counterpart.cache.store.PersistentStore}. No driver and no wire format here.
 */
@NullMarked
package io.counterpart.cache.store;

import org.jspecify.annotations.NullMarked;
