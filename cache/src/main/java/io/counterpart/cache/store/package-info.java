/**
 * The persistent store behind a memory tier: what is read through, in which order writes go to
 * both, and how much may be asked of the store at once. In: operations of clients on an {@link
 * io.counterpart.cache.tier.ObjectTier}; out: operations on the tier below, and on a {@link
 * io.counterpart.cache.store.PersistentStore}. No driver and no wire format in here.
 */
@NullMarked
package io.counterpart.cache.store;

import org.jspecify.annotations.NullMarked;
