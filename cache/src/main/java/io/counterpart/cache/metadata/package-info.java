/**
 * What a shard knows, on local disk: a log of assigned and freed slots, stripes, topology and
 * epoch, and the keys by stripe, chunk and slot, which stay in the log's files. In: a directory,
 * changes. Out: the state again after a crash, keys in order. No sockets, no threads, no policy of
 * when to sync. The byte formats are in docs/memory-tier.md. Paper: ECHash §3, §4.6 (metadata
 * management).
 */
@NullMarked
package io.counterpart.cache.metadata;

import org.jspecify.annotations.NullMarked;
