/**
 * A tier of several shards in one process: which shard has a key, and the way of an operation from
 * the event loop of its client to that of its shard. In: operations on a client's event loop. Out:
 * the same on the shard's, {@link io.counterpart.cache.tier.ObjectTier}. No decisions but which
 * shard has a key.
 */
@NullMarked
package io.counterpart.cache.shards;

import org.jspecify.annotations.NullMarked;
